// SPDX-License-Identifier: MIT
// Loads and stores of whole warps inside one stretch of memory: the hot path.
//
// Each try_ function checks all lanes first and returns false, having changed nothing, if a lane
// lies outside the stretch or is misaligned; the caller then takes the checked path of
// access/access.hpp. A destination may be the register that holds the addresses (p = p->next), so a
// lane's address is read before its result is written, and nothing is written before all are
// checked.
//
// Long because all of it is inlined into the handlers of loads, stores and atomics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "machine/grid.hpp"
#include "machine/warp.hpp"

#define EMU_INLINE [[gnu::always_inline]] inline

namespace emu::exec {

// Bytes whose first has address `lo`. A is the width addresses are computed in.
template <class A>
struct Stretch {
  A lo = 0;
  A size = 0;
  std::byte* host = nullptr;  // of the first byte
};

// A 128-bit lane.
struct Word128 {
  std::uint64_t lo = 0, hi = 0;
};

EMU_INLINE Stretch<std::uint64_t> site_stretch(const MemorySite& s) {
  return {s.lo, s.hi - s.lo,
          reinterpret_cast<std::byte*>(s.lo + static_cast<std::uint64_t>(s.delta))};
}
// Whether what the site remembers may still be used.
EMU_INLINE bool valid(const MemorySite& s) { return s.epoch == memory::AddressSpace::epoch(); }

template <class A>
EMU_INLINE Stretch<A> shared_stretch(const Warp& w, A lo) {
  auto& shared = w.block->shared;
  return {lo, static_cast<A>(shared.size()), shared.data()};
}
// Each lane's own local memory, for the try_..._own functions.
template <class A>
EMU_INLINE Stretch<A> local_stretch(Warp& w, A lo) {
  return {lo, static_cast<A>(w.local_stride), w.local.data()};
}

// 16 bytes of addresses at once: compilers turn operations on it into the vectors every machine
// has. Several independent accumulators instead of one keep the chain of dependent operations
// short.
template <class A>
using Chunk [[gnu::vector_size(16)]] = A;
template <class A>
inline constexpr int kChunkLanes = 16 / sizeof(A);
template <class A>
inline constexpr int kChunks = kLanes / kChunkLanes<A>;

template <class A>
EMU_INLINE Chunk<A> chunk(const A* a, int index) {
  Chunk<A> c;
  std::memcpy(&c, a + index * kChunkLanes<A>, sizeof c);
  return c;
}
// The compiler would join the accumulators into one long chain again; it cannot see through an
// empty asm.
#if defined(__aarch64__)
#define EMU_OPAQUE(vector) asm("" : "+w"(vector))
#elif defined(__x86_64__)
#define EMU_OPAQUE(vector) asm("" : "+x"(vector))
#else
#define EMU_OPAQUE(vector) (void)(vector)
#endif
template <class A>
EMU_INLINE A any_bit(Chunk<A> (&c)[4]) {
  for (auto& part : c) EMU_OPAQUE(part);
  const Chunk<A> both = (c[0] | c[1]) | (c[2] | c[3]);
  A all = 0;
  for (int i = 0; i < kChunkLanes<A>; ++i) all |= both[i];
  return all;
}

// Whether a[i] == a[0] + i * kStep for all lanes.
template <std::size_t kStep, class A>
EMU_INLINE bool steps_by(const A* a) {
  Chunk<A> expected[4], next;
  for (int i = 0; i < kChunkLanes<A>; ++i) {
    expected[0][i] = a[0] + static_cast<A>(i * kStep);
    next[i] = static_cast<A>(kChunkLanes<A> * kStep);
  }
  EMU_OPAQUE(next);
  expected[1] = expected[0] + next;
  next += next;
  expected[2] = expected[0] + next;
  expected[3] = expected[1] + next;
  next += next;
  Chunk<A> differs[4]{};
#pragma GCC unroll 16
  for (int c = 0; c < kChunks<A>; ++c) {
    differs[c & 3] |= chunk(a, c) ^ expected[c & 3];
    expected[c & 3] += next;
  }
  return !any_bit<A>(differs);
}

// Not inlined: the same for all types.
template <class A>
[[gnu::noinline]] inline bool all_same(const A* a) {
  return steps_by<0>(a);
}

// Whether a full warp's addresses lie kBytes apart in lane order: what most accesses do.
template <std::size_t kBytes, class A>
EMU_INLINE bool side_by_side(const A* a, LaneMask mask) {
  return mask == kAllLanes && a[1] - a[0] == kBytes && steps_by<kBytes>(a);
}

// Whether bytes [address, address + n) lie inside and the address is aligned.
template <std::size_t kAlign, class A>
EMU_INLINE bool fits(const Stretch<A>& s, A address, A n) {
  const A off = address - s.lo;
  return off < s.size && n <= s.size - off && (address & (kAlign - 1)) == 0;
}

// Whether every lane's bytes lie inside and are aligned; n is a power of two. Not inlined: the same
// for all types, and short beside what scattered lanes cost anyway.
template <class A>
[[gnu::noinline]] inline bool all_fit(A lo, A size, A n, const A* a, A imm, LaneMask mask) {
  if (size < n) return false;
  // Sizes are below half the range of A, so an offset is inside exactly if neither it nor what is
  // left has the top bit.
  const A last = size - n;
  constexpr A kTop = A{1} << (8 * sizeof(A) - 1);
  if (mask == kAllLanes) {
    Chunk<A> add, start, end, low[4]{}, outside[4]{};
    for (int i = 0; i < kChunkLanes<A>; ++i) add[i] = imm, start[i] = lo, end[i] = last;
#pragma GCC unroll 16
    for (int c = 0; c < kChunks<A>; ++c) {
      const Chunk<A> address = chunk(a, c) + add;
      const Chunk<A> off = address - start;
      low[c & 3] |= address;
      outside[c & 3] |= off | (end - off);
    }
    return !((any_bit<A>(low) & (n - 1)) | (any_bit<A>(outside) & kTop));
  }
  A low = 0, outside = 0;
  for (LaneMask m = mask; m; m &= m - 1) {
    const A address = a[__builtin_ctz(m)] + imm;
    const A off = address - lo;
    low |= address;
    outside |= off | (last - off);
  }
  return !((low & (n - 1)) | (outside & kTop));
}
template <std::size_t kBytes, class A>
EMU_INLINE bool all_fit(const Stretch<A>& s, const A* a, A imm, LaneMask mask) {
  return all_fit<A>(s.lo, s.size, kBytes, a, imm, mask);
}

template <class M>
EMU_INLINE M read_as(const std::byte* p) {
  M value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// Guest memory has no types: it may be read as anything. An aligned guest address is aligned on the
// host too.
template <class M>
using Aliased [[gnu::may_alias]] = M;

// M: type in memory; R: register lane; N: elements of a vector (1 for a scalar). Lanes that lie side
// by side, then all others: two functions, because the first needs no call and no stack, and is what
// most loads and stores are.
template <class M, class R, int N, class A>
EMU_INLINE bool try_load_run(const std::array<R*, N>& d, A first, const Stretch<A>& s) {
  constexpr std::size_t kBytes = sizeof(M) * N;
  if (!fits<kBytes, A>(s, first, kBytes * kLanes)) return false;
  const std::byte* p = s.host + (first - s.lo);
  if constexpr (N == 1 && sizeof(M) == sizeof(R)) {
    std::memcpy(d[0], p, kBytes * kLanes);
  } else {
    const auto* in = reinterpret_cast<const Aliased<M>*>(p);
    R out[N][kLanes];
    for (int i = 0; i < kLanes; ++i) {
      for (int e = 0; e < N; ++e) out[e][i] = static_cast<R>(in[i * N + e]);
    }
    for (int e = 0; e < N; ++e) std::memcpy(d[e], out[e], sizeof out[e]);
  }
  return true;
}

template <class M, class R, int N, class A>
EMU_INLINE bool try_load_spread(const std::array<R*, N>& d, const A* a, A imm, const Stretch<A>& s,
                                LaneMask mask) {
  constexpr std::size_t kBytes = sizeof(M) * N;
  if (mask == kAllLanes && a[1] == a[0] && all_same(a)) {
    const A first = a[0] + imm;
    if (!fits<kBytes, A>(s, first, kBytes)) return false;
    const std::byte* p = s.host + (first - s.lo);
    for (int e = 0; e < N; ++e) {
      const R value = static_cast<R>(read_as<M>(p + e * sizeof(M)));
      for (int i = 0; i < kLanes; ++i) d[e][i] = value;
    }
    return true;
  }
  if (!all_fit<kBytes>(s, a, imm, mask)) return false;
  const A to_offset = imm - s.lo;
  const auto one = [&](int i) {
    const std::byte* p = s.host + static_cast<A>(a[i] + to_offset);
    M value[N];
    std::memcpy(value, p, sizeof value);
    for (int e = 0; e < N; ++e) d[e][i] = static_cast<R>(value[e]);
  };
  if (mask == kAllLanes) {
#pragma GCC unroll 8
    for (int i = 0; i < kLanes; ++i) one(i);
  } else {
    for (LaneMask m = mask; m; m &= m - 1) one(__builtin_ctz(m));
  }
  return true;
}

template <class M, class A>
EMU_INLINE bool try_load(M* d, const A* a, A imm, const Stretch<A>& s, LaneMask mask) {
  if (side_by_side<sizeof(M)>(a, mask)) return try_load_run<M, M, 1, A>({d}, a[0] + imm, s);
  return try_load_spread<M, M, 1, A>({d}, a, imm, s, mask);
}

template <class M, class R, int N, class A>
EMU_INLINE bool try_store_run(const std::array<const R*, N>& v, A first, const Stretch<A>& s) {
  constexpr std::size_t kBytes = sizeof(M) * N;
  if (!fits<kBytes, A>(s, first, kBytes * kLanes)) return false;
  std::byte* p = s.host + (first - s.lo);
  if constexpr (N == 1 && sizeof(M) == sizeof(R)) {
    std::memcpy(p, v[0], kBytes * kLanes);
  } else {
    auto* out = reinterpret_cast<Aliased<M>*>(p);
    EMU_INDEPENDENT_LANES
    for (int i = 0; i < kLanes; ++i) {
      for (int e = 0; e < N; ++e) out[i * N + e] = static_cast<M>(v[e][i]);
    }
  }
  return true;
}

template <class M, class R, int N, class A>
EMU_INLINE bool try_store_spread(const std::array<const R*, N>& v, const A* a, A imm,
                                 const Stretch<A>& s, LaneMask mask) {
  if (!all_fit<sizeof(M) * N>(s, a, imm, mask)) return false;
  const A to_offset = imm - s.lo;
  // Lanes in order: where several write one address, the highest lane wins.
  const auto one = [&](int i) {
    std::byte* p = s.host + static_cast<A>(a[i] + to_offset);
    M value[N];
    for (int e = 0; e < N; ++e) value[e] = static_cast<M>(v[e][i]);
    std::memcpy(p, value, sizeof value);
  };
  if (mask == kAllLanes) {
#pragma GCC unroll 8
    for (int i = 0; i < kLanes; ++i) one(i);
  } else {
    for (LaneMask m = mask; m; m &= m - 1) one(__builtin_ctz(m));
  }
  return true;
}

template <class M, class A>
EMU_INLINE bool try_store(const M* v, const A* a, A imm, const Stretch<A>& s, LaneMask mask) {
  if (side_by_side<sizeof(M)>(a, mask)) return try_store_run<M, M, 1, A>({v}, a[0] + imm, s);
  return try_store_spread<M, M, 1, A>({v}, a, imm, s, mask);
}

// Memory where each lane has its own stretch of s.size bytes, one behind the other (local memory,
// parameters of a function).
template <class T, class A>
EMU_INLINE bool try_load_own(T* d, const A* a, A imm, const Stretch<A>& s, LaneMask mask) {
  if (!all_fit<sizeof(T)>(s, a, imm, mask)) return false;
  for_lanes(mask, [&](int i) {
    d[i] = read_as<T>(s.host + std::size_t(i) * s.size + static_cast<A>(a[i] + imm - s.lo));
  });
  return true;
}

template <class T, class A>
EMU_INLINE bool try_store_own(const T* v, const A* a, A imm, const Stretch<A>& s, LaneMask mask) {
  if (!all_fit<sizeof(T)>(s, a, imm, mask)) return false;
  for_lanes(mask, [&](int i) {
    std::memcpy(s.host + std::size_t(i) * s.size + static_cast<A>(a[i] + imm - s.lo), &v[i],
                sizeof v[i]);
  });
  return true;
}

}  // namespace emu::exec

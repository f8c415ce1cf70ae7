// SPDX-License-Identifier: MIT
// The operations of atom, red and the bulk reductions, on lanes as unsigned integers.
//
// An operation is called as op(old, b, c, in_shared) and gives the new value. `in_shared` matters
// for additions: f32 flushes subnormals in global memory and keeps them in shared memory; of two f64
// NaNs the operand's stays in global memory and the old one in shared memory.
//
// Long because its templates become the atomics' handlers: they have to be seen where those are made.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "access/access.hpp"
#include "access/lane_access.hpp"
#include "bind/bind.hpp"
#include "ptx/type.hpp"
#include "semantics/float.hpp"
#include "semantics/half.hpp"

namespace emu::exec {

inline bool operator==(const Word128& a, const Word128& b) { return a.lo == b.lo && a.hi == b.hi; }

namespace atomic {

template <class T>
struct And {
  T operator()(T a, T b, T, bool) const { return a & b; }
};
template <class T>
struct Or {
  T operator()(T a, T b, T, bool) const { return a | b; }
};
template <class T>
struct Xor {
  T operator()(T a, T b, T, bool) const { return a ^ b; }
};
template <class T>
struct Exchange {
  T operator()(T, T b, T, bool) const { return b; }
};
template <class T>
struct CompareSwap {
  T operator()(T a, T b, T c, bool) const { return a == b ? c : a; }
};
// These put a value in the place of another one, which whoever comes next has to see.
template <class Op>
inline constexpr bool kExchanges = false;
template <class T>
inline constexpr bool kExchanges<Exchange<T>> = true;
template <class T>
inline constexpr bool kExchanges<CompareSwap<T>> = true;
template <class T>
struct Add {
  T operator()(T a, T b, T, bool) const { return a + b; }
};
template <class T>
struct Inc {
  T operator()(T a, T b, T, bool) const { return a >= b ? 0 : a + 1; }
};
template <class T>
struct Dec {
  T operator()(T a, T b, T, bool) const { return a == 0 || a > b ? b : a - 1; }
};
// V: the type compared as, of T's width.
template <class T, class V>
struct Min {
  T operator()(T a, T b, T, bool) const { return V(b) < V(a) ? b : a; }
};
template <class T, class V>
struct Max {
  T operator()(T a, T b, T, bool) const { return V(a) < V(b) ? b : a; }
};

struct AddFloat {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t, bool in_shared) const {
    const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    const float r = in_shared ? semantics::AddF32<false, false>{}(x, y)
                              : semantics::AddF32<true, false>{}(x, y);
    return std::bit_cast<std::uint32_t>(r);
  }
};
struct AddDouble {
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b, std::uint64_t, bool in_shared) const {
    const double x = std::bit_cast<double>(a), y = std::bit_cast<double>(b);
    const semantics::AddF64 add;  // of two NaNs the second one wins
    return std::bit_cast<std::uint64_t>(in_shared ? add(y, x) : add(x, y));
  }
};

template <class H>
struct AddOf16 {
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b, std::uint16_t, bool) const {
    return semantics::AddHalf<H>{}(a, b);
  }
};
// A number beats a NaN, -0 is below +0; two NaNs give the canonical one.
template <class H, bool kMax>
struct PickOf16 {
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b, std::uint16_t, bool) const {
    const bool a_nan = (a & 0x7fff) > H::kInfinity, b_nan = (b & 0x7fff) > H::kInfinity;
    if (a_nan && b_nan) return semantics::kNanHalf;
    if (a_nan || b_nan) return a_nan ? b : a;
    const bool a_below = order(a) < order(b);
    return a_below == kMax ? b : a;
  }
  // Sign and magnitude as a number that compares like the value.
  static constexpr int order(std::uint16_t h) {
    return h & 0x8000 ? -1 - (h & 0x7fff) : h & 0x7fff;
  }
};
// The same operation on both halves of a word.
template <class Half>
struct Twice {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t, bool s) const {
    const auto lo = Half{}(std::uint16_t(a), std::uint16_t(b), 0, s);
    const auto hi = Half{}(std::uint16_t(a >> 16), std::uint16_t(b >> 16), 0, s);
    return lo | std::uint32_t{hi} << 16;
  }
};

}  // namespace atomic

// Calls f.template operator()<T, Op>() for an operation's name and type and returns its result; R{}
// if there is none. Long because it is a table: one line for each operation and type.
template <class R, class F>
R for_operation(std::string_view op, ptx::Type type, F&& f) {
  using namespace atomic;
  using semantics::BF16;
  using semantics::F16;
  using T = ptx::Type;
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  const auto bytes = ptx::size_of(type);
  const auto by_width = [&]<template <class> class Op>() -> R {
    if (bytes == 4) return f.template operator()<u32, Op<u32>>();
    if (bytes == 8) return f.template operator()<u64, Op<u64>>();
    return R{};
  };
  if (op == "and") return by_width.template operator()<And>();
  if (op == "or") return by_width.template operator()<Or>();
  if (op == "xor") return by_width.template operator()<Xor>();
  if (op == "exch") {
    if (bytes == 16) return f.template operator()<Word128, Exchange<Word128>>();
    return by_width.template operator()<Exchange>();
  }
  if (op == "cas") {
    if (bytes == 16) return f.template operator()<Word128, CompareSwap<Word128>>();
    if (bytes == 2) return f.template operator()<u16, CompareSwap<u16>>();
    return by_width.template operator()<CompareSwap>();
  }
  if (op == "inc" && bytes == 4) return f.template operator()<u32, Inc<u32>>();
  if (op == "dec" && bytes == 4) return f.template operator()<u32, Dec<u32>>();
  if (op == "add") {
    switch (type) {
      case T::F32:
        return f.template operator()<u32, AddFloat>();
      case T::F64:
        return f.template operator()<u64, AddDouble>();
      case T::F16:
        return f.template operator()<u16, AddOf16<F16>>();
      case T::BF16:
        return f.template operator()<u16, AddOf16<BF16>>();
      case T::F16x2:
        return f.template operator()<u32, Twice<AddOf16<F16>>>();
      case T::BF16x2:
        return f.template operator()<u32, Twice<AddOf16<BF16>>>();
      default:
        return by_width.template operator()<Add>();
    }
  }
  const auto least_or_most = [&]<bool kMax>() -> R {
    const auto plain = [&]<class W, class V>() -> R {
      if constexpr (kMax)
        return f.template operator()<W, Max<W, V>>();
      else
        return f.template operator()<W, Min<W, V>>();
    };
    switch (type) {
      case T::U32:
        return plain.template operator()<u32, u32>();
      case T::S32:
        return plain.template operator()<u32, std::int32_t>();
      case T::U64:
        return plain.template operator()<u64, u64>();
      case T::S64:
        return plain.template operator()<u64, std::int64_t>();
      case T::F16:
        return f.template operator()<u16, PickOf16<F16, kMax>>();
      case T::BF16:
        return f.template operator()<u16, PickOf16<BF16, kMax>>();
      case T::F16x2:
        return f.template operator()<u32, Twice<PickOf16<F16, kMax>>>();
      case T::BF16x2:
        return f.template operator()<u32, Twice<PickOf16<BF16, kMax>>>();
      default:
        return R{};
    }
  };
  if (op == "min") return least_or_most.template operator()<false>();
  if (op == "max") return least_or_most.template operator()<true>();
  return R{};
}

// The operation an instruction names; "" if none.
std::string_view operation_of(const ptx::Instruction& ins);

// The operation as a plain function: atomics on vectors, bulk reductions and red.async.
Combine pick_combine(std::string_view op, ptx::Type type);  // nullptr: no such operation

}  // namespace emu::exec

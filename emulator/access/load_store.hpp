// SPDX-License-Identifier: MIT
// What the binders of loads and stores share.
#pragma once

#include "access/access.hpp"
#include "access/lane_access.hpp"

namespace emu::exec {

// What a handler is picked by.
struct Shape {
  std::uint32_t element_bytes = 4;
  std::uint32_t register_bytes = 4;
  bool sign = false;
  int elements = 1;
};

// The element registers of the operand of a load or store: {a, b} or a single one.
struct Elements {
  const ptx::Operand* first = nullptr;
  std::size_t count = 1;
  const ptx::Operand& operator[](std::size_t i) const { return first[i]; }
};
Elements elements_of(const ptx::Operand& op);

// Element and register sizes of a load or store. All registers of a vector must have one width.
Shape shape_of(Binder& b, const Elements& elements, ptx::Type type);

// Fills in what loads and stores have in common: address, site, extra.
MemorySpec* bind_memory(Binder& b, Instr& out, const ptx::Operand& address, const Shape& shape,
                        Use use);

// All registers of a vector, or the single one (N = 1), as lane arrays.
template <class T, int N>
EMU_INLINE std::array<T*, N> registers_of(const Warp& w, const Instr& in, Ref single) {
  if constexpr (N == 1) {
    return {w.lanes<T>(single)};
  } else {
    std::array<T*, N> r;
    for (int e = 0; e < N; ++e) r[e] = w.lanes<T>(in.list[e]);
    return r;
  }
}

// A generic address: the window of the first lane says which space to try. Lanes in different
// spaces take the checked path.
EMU_INLINE std::uint64_t window_of(const Warp& w, const Instr& in, LaneMask mask) {
  const std::uint64_t first = w.lanes<std::uint64_t>(in.src[0])[first_lane(mask)];
  return (first + static_cast<std::uint64_t>(in.imm)) & memory::kWindowMask;
}
// What is in a window, local memory aside: an empty stretch where nothing is known of it.
EMU_INLINE Stretch<std::uint64_t> window_stretch(const Warp& w, const Instr& in,
                                                 std::uint64_t window) {
  if (window == memory::kSharedWindow) return shared_stretch<std::uint64_t>(w, window);
  return window == 0 && valid(*in.site) ? site_stretch(*in.site) : Stretch<std::uint64_t>{};
}

// Whether a parameter of type T lies in `room` bytes of parameters, aligned.
template <class T>
EMU_INLINE bool fits_params(const Instr& in, std::uint64_t room) {
  const auto at = static_cast<std::uint64_t>(in.imm);
  return sizeof(T) <= room && at <= room - sizeof(T) && at % sizeof(T) == 0;
}

// The handlers of one type, by the space of the address and its width: 64 bits unless the name says
// otherwise. nullptr: the checked path.
struct HandlerBySpace {
  Handler global = nullptr, generic = nullptr, shared = nullptr, shared32 = nullptr,
          local = nullptr, local32 = nullptr, kernel_param = nullptr, frame_param = nullptr;

  static HandlerBySpace all(Handler h) { return {h, h, h, h, h, h, h, h}; }
  Handler of(const AddressSpec& where) const;
};

// The checked path: any space, type and mask.
[[gnu::noinline]] void load_checked(Warp& w, const Instr& in, LaneMask mask);
[[gnu::noinline]] void store_checked(Warp& w, const Instr& in, LaneMask mask);

// Calls f.template operator()<M, R>() for the memory and register types of a shape and returns what
// it returns; no handlers for a pair that does not exist. M is signed where the element is to be
// sign-extended.
template <class F>
HandlerBySpace for_types(const Shape& s, F&& f) {
  using u8 = std::uint8_t;
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  using i8 = std::int8_t;
  using i16 = std::int16_t;
  using i32 = std::int32_t;
  switch (s.element_bytes * 100 + s.register_bytes) {
    case 102:
      return s.sign ? f.template operator()<i8, u16>() : f.template operator()<u8, u16>();
    case 104:
      return s.sign ? f.template operator()<i8, u32>() : f.template operator()<u8, u32>();
    case 108:
      return s.sign ? f.template operator()<i8, u64>() : f.template operator()<u8, u64>();
    case 202:
      return f.template operator()<u16, u16>();
    case 204:
      return s.sign ? f.template operator()<i16, u32>() : f.template operator()<u16, u32>();
    case 208:
      return s.sign ? f.template operator()<i16, u64>() : f.template operator()<u16, u64>();
    case 404:
      return f.template operator()<u32, u32>();
    case 408:
      return s.sign ? f.template operator()<i32, u64>() : f.template operator()<u32, u64>();
    case 808:
      return f.template operator()<u64, u64>();
    case 1616:
      return f.template operator()<Word128, Word128>();
    default:
      return {};
  }
}

// The same for the vectors that have a fast path: 2 or 4 elements whose registers are as narrow as
// can be.
template <class F>
HandlerBySpace for_vector_types(const Shape& s, F&& f) {
  using u8 = std::uint8_t;
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  if (s.sign && s.element_bytes < s.register_bytes) return {};
  switch (s.elements * 10000 + s.element_bytes * 100 + s.register_bytes) {
    case 20102:
      return f.template operator()<u8, u16, 2>();
    case 40102:
      return f.template operator()<u8, u16, 4>();
    case 20202:
      return f.template operator()<u16, u16, 2>();
    case 40202:
      return f.template operator()<u16, u16, 4>();
    case 20404:
      return f.template operator()<u32, u32, 2>();
    case 40404:
      return f.template operator()<u32, u32, 4>();
    case 20808:
      return f.template operator()<u64, u64, 2>();
    case 40808:
      return f.template operator()<u64, u64, 4>();
    default:
      return {};
  }
}

}  // namespace emu::exec

// SPDX-License-Identifier: MIT
// What binders share: the C++ types of lanes, the choice of a handler's instantiation by PTX type,
// and operands in their usual places.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "bind/bind.hpp"
#include "machine/warp.hpp"

namespace emu::exec {

struct Bits128 {
  std::uint64_t lo = 0, hi = 0;
};

// The unsigned integer that holds a lane of so many bytes. 8-bit values live in 16-bit lanes.
template <std::size_t kBytes>
using LaneOf =
    std::conditional_t<(kBytes <= 2), std::uint16_t,
                       std::conditional_t<kBytes == 4, std::uint32_t,
                                          std::conditional_t<kBytes == 8, std::uint64_t, Bits128>>>;
template <class T>
using Lane = LaneOf<sizeof(T)>;

template <class T>
constexpr T from_lane(Lane<T> bits) {
  if constexpr (sizeof(T) == 1) {
    return static_cast<T>(bits);
  } else {
    return std::bit_cast<T>(bits);
  }
}
// An 8-bit result fills its 16-bit lane by its own sign.
template <class T>
constexpr Lane<T> to_lane(T value) {
  if constexpr (sizeof(T) == 1) {
    return static_cast<std::uint16_t>(value);
  } else {
    return std::bit_cast<Lane<T>>(value);
  }
}

// ---- picking an instantiation

template <ptx::Type kType>
struct NativeOf {
  using type = LaneOf<ptx::size_of(kType)>;
};
template <>
struct NativeOf<ptx::Type::U8> {
  using type = std::uint8_t;
};
template <>
struct NativeOf<ptx::Type::B8> {
  using type = std::uint8_t;
};
template <>
struct NativeOf<ptx::Type::S8> {
  using type = std::int8_t;
};
template <>
struct NativeOf<ptx::Type::S16> {
  using type = std::int16_t;
};
template <>
struct NativeOf<ptx::Type::S32> {
  using type = std::int32_t;
};
template <>
struct NativeOf<ptx::Type::S64> {
  using type = std::int64_t;
};
template <>
struct NativeOf<ptx::Type::F32> {
  using type = float;
};
template <>
struct NativeOf<ptx::Type::F64> {
  using type = double;
};
// The C++ type of a PTX type: (u)intN_t, float, double; unsigned bits for half types and packed
// types.
template <ptx::Type kType>
using Native = typename NativeOf<kType>::type;

// pick<Type::U32, Type::S32>(type, []<Type K>() -> Handler { return &unary<Native<K>, Native<K>,
// Op>; }) gives the handler of the listed type that `type` is, nullptr for any other. Only the
// listed ones are instantiated.
template <ptx::Type... kTypes, class F>
Handler pick(ptx::Type type, F f) {
  Handler handler = nullptr;
  static_cast<void>(
      ((type == kTypes && ((handler = f.template operator()<kTypes>()), true)) || ...));
  return handler;
}

// The same by lane width, for operations that do not care about sign: pick_width<2, 4, 8>(type,
// []<class T>() { ... }).
template <std::size_t... kBytes, class F>
Handler pick_width(ptx::Type type, F f) {
  const std::size_t bytes = ptx::size_of(type) == 1 ? 2 : ptx::size_of(type);
  Handler handler = nullptr;
  static_cast<void>(
      ((bytes == kBytes && ((handler = f.template operator()<LaneOf<kBytes>>()), true)) || ...));
  return handler;
}

// Fills in dst from operand 0 and src[i] from operand i + 1 with the types given, and checks that a
// handler was found.
inline void bind_lanewise(Binder& b, Instr& out, Handler fn,
                          std::initializer_list<ptx::Type> sources) {
  if (fn == nullptr) b.unsupported("this type does not go with these modifiers");
  if (b.operand_count() < sources.size() + 1) b.unsupported("too few operands");
  out.fn = fn;
  out.dst = b.dest(std::size_t{0});
  std::size_t i = 0;
  for (const ptx::Type type : sources) {
    out.src[i] = b.source(i + 1, type);
    ++i;
  }
}

// A predicate source, which may also be an immediate (0: false).
inline std::pair<Ref, LaneMask> bind_predicate(Binder& b, const ptx::Operand& op) {
  if (op.kind == ptx::Operand::Kind::Immediate)
    return {b.constant(op.bits != 0 ? kAllLanes : 0, 4), 0};
  return b.predicate(op);
}

}  // namespace emu::exec

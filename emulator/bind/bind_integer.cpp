// SPDX-License-Identifier: MIT
// Integer arithmetic (PTX 9.7.1): add to dp2a. What they compute is in semantics/integer.hpp; here
// it is put on lanes.
#include "bind/elementwise.hpp"
#include "semantics/integer.hpp"

namespace emu::exec {
namespace {

using ptx::Type;
namespace sem = semantics;
using S16 = std::int16_t;
using S32 = std::int32_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;

template <class T, T (*kFunction)(T, T)>
constexpr Handler binary_of() {
  return &binary<T, T, T, Cheap<kFunction>>;
}
template <class T, T (*kFunction)(T, T, T)>
constexpr Handler ternary_of() {
  return &ternary<T, T, T, T, Cheap<kFunction>>;
}
template <class T, T (*kFunction)(T, T)>
constexpr Handler packed_of() {
  return &binary<U32, U32, U32, Cheap<&sem::packed<T, kFunction>>>;
}

void require_sat_s32(Binder& b) {
  if (b.type() != Type::S32) b.unsupported(".sat goes with .s32 only");
}

// Exactly one of .lo, .hi, .wide.
void require_part(Binder& b, bool wide) {
  const int n = b.has("lo") + b.has("hi") + (wide && b.has("wide"));
  if (n != 1) b.unsupported(wide ? "needs one of .lo, .hi, .wide" : "needs one of .lo, .hi");
}

constexpr Type twice(Type type) {
  switch (type) {
    case Type::U16:
      return Type::U32;
    case Type::S16:
      return Type::S32;
    case Type::U32:
      return Type::U64;
    case Type::S32:
      return Type::S64;
    default:
      return Type::None;
  }
}

#define EMU_INT_TYPES Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64

}  // namespace

void bind_add_int(Binder& b, Instr& out) {
  const Type type = b.type();
  Handler fn = nullptr;
  if (b.has("sat")) {
    require_sat_s32(b);
    fn = binary_of<S32, &sem::add_sat>();
  } else if (type == Type::U16x2 || type == Type::S16x2) {
    fn = packed_of<U16, &sem::add<U16>>();
  } else {
    fn = pick_width<2, 4, 8>(type, []<class T>() { return binary_of<T, &sem::add<T>>(); });
  }
  bind_lanewise(b, out, fn, {type, type});
}

void bind_sub_int(Binder& b, Instr& out) {
  const Type type = b.type();
  Handler fn = nullptr;
  if (b.has("sat")) {
    require_sat_s32(b);
    fn = binary_of<S32, &sem::sub_sat>();
  } else {
    fn = pick_width<2, 4, 8>(type, []<class T>() { return binary_of<T, &sem::sub<T>>(); });
  }
  bind_lanewise(b, out, fn, {type, type});
}

void bind_mul_int(Binder& b, Instr& out) {
  const Type type = b.type();
  require_part(b, true);
  Handler fn = nullptr;
  if (b.has("lo")) {
    fn = pick_width<2, 4, 8>(type, []<class T>() { return binary_of<T, &sem::mul_lo<T>>(); });
  } else if (b.has("hi")) {
    fn = pick<EMU_INT_TYPES>(
        type, []<Type K>() { return binary_of<Native<K>, &sem::mul_hi<Native<K>>>(); });
  } else {
    fn = pick<Type::U16, Type::S16, Type::U32, Type::S32>(type, []<Type K>() -> Handler {
      using T = Native<K>;
      return &binary<sem::Twice<T>, T, T, Cheap<&sem::mul_wide<T>>>;
    });
  }
  bind_lanewise(b, out, fn, {type, type});
}

void bind_mad_int(Binder& b, Instr& out) {
  const Type type = b.type();
  require_part(b, true);
  if (b.has("wide")) {
    const Handler fn =
        pick<Type::U16, Type::S16, Type::U32, Type::S32>(type, []<Type K>() -> Handler {
          using T = Native<K>;
          return &ternary<sem::Twice<T>, T, T, sem::Twice<T>, Cheap<&sem::mad_wide<T>>>;
        });
    bind_lanewise(b, out, fn, {type, type, twice(type)});
    return;
  }
  Handler fn = nullptr;
  if (b.has("sat")) {
    if (!b.has("hi")) b.unsupported(".sat goes with .hi only");
    require_sat_s32(b);
    fn = ternary_of<S32, &sem::mad_hi_sat>();
  } else if (b.has("lo")) {
    fn = pick_width<2, 4, 8>(type, []<class T>() { return ternary_of<T, &sem::mad_lo<T>>(); });
  } else {
    fn = pick<EMU_INT_TYPES>(
        type, []<Type K>() { return ternary_of<Native<K>, &sem::mad_hi<Native<K>>>(); });
  }
  bind_lanewise(b, out, fn, {type, type, type});
}

void bind_mul24(Binder& b, Instr& out) {
  const Type type = b.type();
  require_part(b, false);
  const bool hi = b.has("hi");
  const Handler fn = pick<Type::U32, Type::S32>(type, [hi]<Type K>() {
    using T = Native<K>;
    return hi ? binary_of<T, &sem::mul24_hi<T>>() : binary_of<T, &sem::mul24_lo<T>>();
  });
  bind_lanewise(b, out, fn, {type, type});
}

void bind_mad24(Binder& b, Instr& out) {
  const Type type = b.type();
  require_part(b, false);
  const bool hi = b.has("hi");
  Handler fn = nullptr;
  if (b.has("sat")) {
    if (!hi) b.unsupported(".sat goes with .hi only");
    require_sat_s32(b);
    fn = ternary_of<S32, &sem::mad24_hi_sat>();
  } else {
    fn = pick<Type::U32, Type::S32>(type, [hi]<Type K>() {
      using T = Native<K>;
      return hi ? ternary_of<T, &sem::mad24_hi<T>>() : ternary_of<T, &sem::mad24_lo<T>>();
    });
  }
  bind_lanewise(b, out, fn, {type, type, type});
}

void bind_sad(Binder& b, Instr& out) {
  const Type type = b.type();
  const Handler fn = pick<EMU_INT_TYPES>(
      type, []<Type K>() { return ternary_of<Native<K>, &sem::sad<Native<K>>>(); });
  bind_lanewise(b, out, fn, {type, type, type});
}

void bind_div_int(Binder& b, Instr& out) {
  const Type type = b.type();
  const Handler fn = pick<EMU_INT_TYPES>(type, []<Type K>() -> Handler {
    return &binary<Native<K>, Native<K>, Native<K>, Call<&sem::div<Native<K>>>>;
  });
  bind_lanewise(b, out, fn, {type, type});
}

void bind_rem_int(Binder& b, Instr& out) {
  const Type type = b.type();
  const Handler fn = pick<EMU_INT_TYPES>(type, []<Type K>() -> Handler {
    return &binary<Native<K>, Native<K>, Native<K>, Call<&sem::rem<Native<K>>>>;
  });
  bind_lanewise(b, out, fn, {type, type});
}

void bind_abs_int(Binder& b, Instr& out) {
  const Handler fn = pick<Type::S16, Type::S32, Type::S64>(b.type(), []<Type K>() -> Handler {
    return &unary<Native<K>, Native<K>, Cheap<&sem::abs<Native<K>>>>;
  });
  bind_lanewise(b, out, fn, {b.type()});
}

void bind_neg_int(Binder& b, Instr& out) {
  const Handler fn = pick<Type::S16, Type::S32, Type::S64>(b.type(), []<Type K>() -> Handler {
    return &unary<Native<K>, Native<K>, Cheap<&sem::neg<Native<K>>>>;
  });
  bind_lanewise(b, out, fn, {b.type()});
}

void bind_min_int(Binder& b, Instr& out) {
  const Type type = b.type();
  Handler fn = nullptr;
  if (b.has("relu")) {
    if (type == Type::S32) fn = binary_of<S32, &sem::min_relu<S32>>();
    if (type == Type::S16x2) fn = packed_of<S16, &sem::min_relu<S16>>();
  } else if (type == Type::S16x2) {
    fn = packed_of<S16, &sem::min<S16>>();
  } else if (type == Type::U16x2) {
    fn = packed_of<U16, &sem::min<U16>>();
  } else {
    fn = pick<EMU_INT_TYPES>(type,
                             []<Type K>() { return binary_of<Native<K>, &sem::min<Native<K>>>(); });
  }
  bind_lanewise(b, out, fn, {type, type});
}

void bind_max_int(Binder& b, Instr& out) {
  const Type type = b.type();
  Handler fn = nullptr;
  if (b.has("relu")) {
    if (type == Type::S32) fn = binary_of<S32, &sem::max_relu<S32>>();
    if (type == Type::S16x2) fn = packed_of<S16, &sem::max_relu<S16>>();
  } else if (type == Type::S16x2) {
    fn = packed_of<S16, &sem::max<S16>>();
  } else if (type == Type::U16x2) {
    fn = packed_of<U16, &sem::max<U16>>();
  } else {
    fn = pick<EMU_INT_TYPES>(type,
                             []<Type K>() { return binary_of<Native<K>, &sem::max<Native<K>>>(); });
  }
  bind_lanewise(b, out, fn, {type, type});
}

// dp4a.atype.btype and dp2a.mode.atype.btype: each side has its own sign.
void bind_dp4a(Binder& b, Instr& out) {
  using I8 = std::int8_t;
  using U8 = std::uint8_t;
  const Type type_a = b.type(0), type_b = b.type(1);
  if (type_b == Type::None) b.unsupported("needs two types");
  const bool sa = type_a == Type::S32, sb = type_b == Type::S32;
  const Handler fn =
      sa ? (sb ? ternary_of<U32, &sem::dp4a<I8, I8>>() : ternary_of<U32, &sem::dp4a<I8, U8>>())
         : (sb ? ternary_of<U32, &sem::dp4a<U8, I8>>() : ternary_of<U32, &sem::dp4a<U8, U8>>());
  bind_lanewise(b, out, fn, {Type::B32, Type::B32, Type::B32});
}

namespace {

template <bool kHigh>
Handler dp2a_of(bool sa, bool sb) {
  using I8 = std::int8_t;
  using U8 = std::uint8_t;
  if (sa)
    return sb ? ternary_of<U32, &sem::dp2a<S16, I8, kHigh>>()
              : ternary_of<U32, &sem::dp2a<S16, U8, kHigh>>();
  return sb ? ternary_of<U32, &sem::dp2a<U16, I8, kHigh>>()
            : ternary_of<U32, &sem::dp2a<U16, U8, kHigh>>();
}

}  // namespace

void bind_dp2a(Binder& b, Instr& out) {
  require_part(b, false);
  const Type type_a = b.type(0), type_b = b.type(1);
  if (type_b == Type::None) b.unsupported("needs two types");
  const bool sa = type_a == Type::S32, sb = type_b == Type::S32;
  bind_lanewise(b, out, b.has("hi") ? dp2a_of<true>(sa, sb) : dp2a_of<false>(sa, sb),
                {Type::B32, Type::B32, Type::B32});
}

}  // namespace emu::exec

// SPDX-License-Identifier: MIT
// Binders of cvt and cvt.pack. Any conversion works through semantics::convert; fast_convert() has
// better handlers for most.
#include "bind/bind_convert.hpp"

#include "bind/bind_float.hpp"
#include "bind/elementwise.hpp"

namespace emu::exec {
namespace {

using namespace semantics;
using ptx::Type;

NumberType number_type(const Binder& b, Type t) {
  switch (t) {
    case Type::U8:
      return {.bits = 8};
    case Type::S8:
      return {.bits = 8, .is_signed = true};
    case Type::U16:
      return {.bits = 16};
    case Type::S16:
      return {.bits = 16, .is_signed = true};
    case Type::U32:
      return {.bits = 32};
    case Type::S32:
      return {.bits = 32, .is_signed = true};
    case Type::U64:
      return {.bits = 64};
    case Type::S64:
      return {.bits = 64, .is_signed = true};
    case Type::F16:
    case Type::F16x2:
      return {.format = kF16};
    case Type::BF16:
    case Type::BF16x2:
      return {.format = kBF16};
    case Type::F32:
      return {.format = kF32};
    case Type::F64:
      return {.format = kF64};
    case Type::TF32:
      return {.format = kTF32, .shift = 13};
    case Type::E4M3x2:
      return {.format = kE4M3};
    case Type::E5M2x2:
      return {.format = kE5M2};
    default:
      b.unsupported("no conversion for this type");
      return {};
  }
}

ConvertRule rule_of(const Binder& b, Type to, Type from) {
  ConvertRule r;
  r.from = number_type(b, from);
  r.to = number_type(b, to);
  r.round = rounding_of(b);
  const bool whole = b.has("rni") || b.has("rzi") || b.has("rmi") || b.has("rpi");
  r.integral = whole && r.to.is_float();
  // Old PTX leaves the rounding to an integer out and means truncation.
  if (!whole && !r.to.is_float()) r.round = Round::Zero;
  r.ftz_in = b.has("ftz") && from == Type::F32 &&
             to != Type::F16;  // the hardware does not flush on the way to f16
  r.ftz_out = b.has("ftz") && to == Type::F32;
  r.sat = b.has("sat");
  r.satfinite = b.has("satfinite");
  r.relu = b.has("relu");
  // The manual: zero, but the top bit alone where a 64-bit type takes part.
  if (!r.to.is_float() && (from == Type::F64 || r.to.bits == 64))
    r.nan_integer = std::uint64_t{1} << (r.to.bits - 1);
  return r;
}

std::uint32_t natural_bytes(Type t) { return ptx::size_of(t) == 1 ? 2 : ptx::size_of(t); }

// Bytes per lane of operand i, which may be wider than the type t it is read or written as.
std::uint32_t lane_bytes(const Binder& b, std::size_t i, Type t) {
  const std::uint32_t bytes = b.width(b.operand(i));
  if (bytes == 0) return natural_bytes(t);
  if (bytes < natural_bytes(t)) b.unsupported("a register is narrower than the type it is used as");
  return bytes;
}

Ref source_of(Binder& b, std::size_t i, Type t) {
  const std::uint32_t bytes = b.width(b.operand(i));
  if (bytes == 0 || bytes == natural_bytes(t)) return b.source(i, t);
  return b.source(i, bytes <= 2 ? Type::B16 : bytes == 4 ? Type::B32 : Type::B64);
}

struct ByRule {
  const ConvertRule& rule;
  explicit ByRule(const Instr& in) : rule(*static_cast<const ConvertRule*>(in.extra)) {}
};
template <class D, class S>
struct ConvertOp : ByRule {
  using ByRule::ByRule;
  D operator()(S x) const { return static_cast<D>(convert(x, rule)); }
};
// a in the upper half of the result.
template <class D>
struct ConvertPairOp : ByRule {
  using ByRule::ByRule;
  D operator()(std::uint32_t a, std::uint32_t b) const {
    return static_cast<D>(convert(a, rule) << (4 * sizeof(D)) | convert(b, rule));
  }
};
template <class D, class S>
struct ConvertHalvesOp : ByRule {
  using ByRule::ByRule;
  D operator()(S x) const {
    return static_cast<D>(convert(x >> (4 * sizeof(S)), rule) << (4 * sizeof(D)) |
                          convert(x, rule));
  }
};

template <class S>
Handler to_bytes(std::uint32_t bytes) {
  if (bytes == 2) return &unary<std::uint16_t, S, ConvertOp<std::uint16_t, S>>;
  if (bytes == 4) return &unary<std::uint32_t, S, ConvertOp<std::uint32_t, S>>;
  return &unary<std::uint64_t, S, ConvertOp<std::uint64_t, S>>;
}

Handler general(const Conversion& c) {
  if (c.from_bytes == 2) return to_bytes<std::uint16_t>(c.to_bytes);
  if (c.from_bytes == 4) return to_bytes<std::uint32_t>(c.to_bytes);
  return to_bytes<std::uint64_t>(c.to_bytes);
}

bool is_fp8(Type t) { return t == Type::E4M3x2 || t == Type::E5M2x2; }
bool is_packed(Type t) { return t == Type::F16x2 || t == Type::BF16x2 || is_fp8(t); }

// Two numbers at once: from two f32, or from the two halves of a packed one.
void bind_packed(Binder& b, Instr& out, const Conversion& c) {
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  if (is_fp8(c.to) && !c.rule.satfinite)
    b.unsupported("a conversion to an 8-bit format needs .satfinite");
  out.extra = b.make(c.rule);
  if (c.from == Type::F32 && b.operand_count() == 3) {
    Handler fn = fast_convert_pair(c);
    if (fn == nullptr) {
      fn = is_fp8(c.to) ? &binary<U16, U32, U32, ConvertPairOp<U16>>
                        : &binary<U32, U32, U32, ConvertPairOp<U32>>;
    }
    bind_lanewise(b, out, fn, {Type::F32, Type::F32});
  } else if (is_fp8(c.to) && c.from == Type::F16x2) {
    bind_lanewise(b, out, &unary<U16, U32, ConvertHalvesOp<U16, U32>>, {c.from});
  } else if (c.to == Type::F16x2 && is_fp8(c.from)) {
    bind_lanewise(b, out, &unary<U32, U16, ConvertHalvesOp<U32, U16>>, {c.from});
  } else {
    b.unsupported("no conversion between these packed types");
  }
}

// cvt.pack: how many bits each result takes, and whether it is signed.
struct PackRule {
  NumberType to;
};
struct PackOp {
  const PackRule& rule;
  explicit PackOp(const Instr& in) : rule(*static_cast<const PackRule*>(in.extra)) {}
  std::uint32_t one(std::uint32_t x) const {
    const bool negative = (x >> 31) != 0;
    const std::uint64_t magnitude = negative ? std::uint32_t{0} - x : x;
    return static_cast<std::uint32_t>(clamp_integer(magnitude, negative, rule.to) &
                                      low_bits(rule.to.bits));
  }
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return one(a) << rule.to.bits | one(b);
  }
  // The third operand's low part moves up to make room.
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return c << (2 * rule.to.bits) | (*this)(a, b);
  }
};

}  // namespace

void bind_cvt(Binder& b, Instr& out) {
  if (b.ins().types.size() != 2)
    b.unsupported("cvt needs the type to convert to and the type to convert from");
  Conversion c;
  c.to = b.type(0);
  c.from = b.type(1);
  c.rule = rule_of(b, c.to, c.from);
  if (is_packed(c.to) || is_packed(c.from)) {
    bind_packed(b, out, c);
    return;
  }
  if (b.operand_count() != 2) b.unsupported("cvt of one number takes two operands");
  c.to_bytes = lane_bytes(b, 0, c.to);
  c.from_bytes = lane_bytes(b, 1, c.from);
  out.fn = fast_convert(c);
  if (out.fn == nullptr) {
    out.fn = general(c);
    out.extra = b.make(c.rule);
  }
  out.dst = b.dest(std::size_t{0});
  out.src[0] = source_of(b, 1, c.from);
}

void bind_cvt_pack(Binder& b, Instr& out) {
  const Type to = b.type(0);
  const bool narrow = to == Type::U8 || to == Type::S8;
  if (!b.has("sat") || b.type(1) != Type::S32 || (!narrow && to != Type::U16 && to != Type::S16)) {
    b.unsupported("cvt.pack takes .sat, a type of 8 or 16 bits and .s32");
  }
  out.extra = b.make(PackRule{number_type(b, to)});
  if (b.operand_count() == 4) {
    using U32 = std::uint32_t;
    bind_lanewise(b, out, &ternary<U32, U32, U32, U32, PackOp>, {Type::S32, Type::S32, Type::B32});
  } else {
    using U32 = std::uint32_t;
    bind_lanewise(b, out, &binary<U32, U32, U32, PackOp>, {Type::S32, Type::S32});
  }
}

}  // namespace emu::exec

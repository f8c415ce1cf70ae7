// SPDX-License-Identifier: MIT
// Comparison and selection (PTX 9.7.6): set, setp, selp, slct, for integers, floats and halves. A
// comparison gives a word with a bit per lane; complements and the boolean operation with another
// predicate are word operations on it.
#include "bind/elementwise.hpp"
#include "semantics/compare.hpp"

namespace emu::exec {
namespace {

using ptx::Operand;
using ptx::Type;
using semantics::Comparison;
using semantics::Relation;

using Compare = LaneMask (*)(const Warp&, const Instr&, LaneMask);

// kPart: -1 for a plain type, 0 or 1 for that half of a packed one.
template <class Order, Relation kRelation, int kPart>
inline LaneMask compare(const Warp& w, const Instr& in, LaneMask mask) {
  using Bits = typename Order::Bits;
  using Stored = std::conditional_t < kPart<0, Bits, std::uint32_t>;
  constexpr int kShift = kPart == 1 ? 16 : 0;
  const Stored* const a = w.lanes<Stored>(in.src[0]);
  const Stored* const b = w.lanes<Stored>(in.src[1]);
  return collect(mask, [=](int i) {
    return semantics::holds<Order, kRelation>(static_cast<Bits>(a[i] >> kShift),
                                              static_cast<Bits>(b[i] >> kShift));
  });
}

enum class BoolOp : std::uint8_t { None, And, Or, Xor };

LaneMask combine(BoolOp op, LaneMask t, LaneMask c) {
  switch (op) {
    case BoolOp::None:
      return t;
    case BoolOp::And:
      return t & c;
    case BoolOp::Or:
      return t | c;
    case BoolOp::Xor:
      return t ^ c;
  }
  return t;
}

// What set and the rarer forms of setp do, worked out once.
struct Plan {
  Handler simple = nullptr;  // setp with p alone; null for 16 bits, where setp_general will do
  Compare first = nullptr;
  Compare second = nullptr;  // of the upper halves; null for a plain type
  LaneMask flip = 0;         // complements the comparison
  BoolOp op = BoolOp::None;
  Ref c{};  // the predicate of op
  LaneMask flip_c = 0;
  bool has_q = false;
  std::uint32_t one = 0;  // what set writes where it holds
};

// setp p, a, b: imm complements the comparison.
template <class Order, Relation kRelation>
void setp_simple(Warp& w, const Instr& in, LaneMask mask) {
  w.set_predicate(in.dst, mask,
                  compare<Order, kRelation, -1>(w, in, mask) ^ static_cast<LaneMask>(in.imm));
}

void setp_general(Warp& w, const Instr& in, LaneMask mask) {
  const Plan& plan = *static_cast<const Plan*>(in.extra);
  const LaneMask t = plan.first(w, in, mask) ^ plan.flip;
  const LaneMask c = plan.op == BoolOp::None ? 0 : w.predicate(plan.c) ^ plan.flip_c;
  const LaneMask q = plan.second != nullptr ? plan.second(w, in, mask) ^ plan.flip : ~t;
  w.set_predicate(in.dst, mask, combine(plan.op, t, c));
  if (plan.has_q) w.set_predicate(in.dst2, mask, combine(plan.op, q, c));
}

template <class T>
void set_lanes(Warp& w, const Instr& in, LaneMask mask) {
  const Plan& plan = *static_cast<const Plan*>(in.extra);
  const LaneMask c = plan.op == BoolOp::None ? 0 : w.predicate(plan.c) ^ plan.flip_c;
  const LaneMask lo = combine(plan.op, plan.first(w, in, mask) ^ plan.flip, c);
  const LaneMask hi =
      plan.second != nullptr ? combine(plan.op, plan.second(w, in, mask) ^ plan.flip, c) : 0;
  const std::uint32_t one = plan.one;
  T* const d = w.lanes<T>(in.dst);
  for_lanes(mask, [=](int i) {
    const std::uint32_t low = (lo & kLaneBit[i]) != 0 ? one : 0,
                        high = (hi & kLaneBit[i]) != 0 ? one << 16 : 0;
    d[i] = static_cast<T>(low | high);
  });
}

// ---- from type and relation to instantiations

template <class Order, Relation kRelation, bool kPacked>
void fill(Plan& plan) {
  if constexpr (kPacked) {
    plan.first = &compare<Order, kRelation, 0>;
    plan.second = &compare<Order, kRelation, 1>;
  } else {
    if constexpr (sizeof(typename Order::Bits) > 2) plan.simple = &setp_simple<Order, kRelation>;
    plan.first = &compare<Order, kRelation, -1>;
  }
}

template <class T>
void fill_integer(Plan& plan, Relation relation) {
  using Order = semantics::IntegerOrder<T>;
  if (relation == Relation::Equal) {
    fill<semantics::IntegerOrder<std::make_unsigned_t<T>>, Relation::Equal, false>(plan);
  } else {
    fill<Order, Relation::Less, false>(plan);
  }
}

template <class Order, bool kPacked = false>
void fill_float(Plan& plan, Relation relation) {
  switch (relation) {
    case Relation::Equal:
      return fill<Order, Relation::Equal, kPacked>(plan);
    case Relation::Less:
      return fill<Order, Relation::Less, kPacked>(plan);
    case Relation::LessEqual:
      return fill<Order, Relation::LessEqual, kPacked>(plan);
    case Relation::LessGreater:
      return fill<Order, Relation::LessGreater, kPacked>(plan);
    case Relation::Numbers:
      return fill<Order, Relation::Numbers, kPacked>(plan);
  }
}

constexpr bool is_bits(Type t) { return t == Type::B16 || t == Type::B32 || t == Type::B64; }
constexpr bool is_packed(Type t) { return t == Type::F16x2 || t == Type::BF16x2; }
constexpr bool compares_as_float(Type t) {
  return ptx::is_float(t) || is_packed(t) || t == Type::F16 || t == Type::BF16;
}
constexpr Type to_unsigned(Type t) {
  return t == Type::S16 ? Type::U16 : t == Type::S32 ? Type::U32 : t == Type::S64 ? Type::U64 : t;
}

void choose(Plan& plan, Type type, Relation relation, bool ftz) {
  using namespace semantics;
  switch (type) {
    case Type::B16:
    case Type::U16:
      return fill_integer<std::uint16_t>(plan, relation);
    case Type::S16:
      return fill_integer<std::int16_t>(plan, relation);
    case Type::B32:
    case Type::U32:
      return fill_integer<std::uint32_t>(plan, relation);
    case Type::S32:
      return fill_integer<std::int32_t>(plan, relation);
    case Type::B64:
    case Type::U64:
      return fill_integer<std::uint64_t>(plan, relation);
    case Type::S64:
      return fill_integer<std::int64_t>(plan, relation);
    case Type::F32:
      return ftz ? fill_float<F32FtzOrder>(plan, relation) : fill_float<F32Order>(plan, relation);
    case Type::F64:
      return fill_float<F64Order>(plan, relation);
    case Type::F16:
      return ftz ? fill_float<F16FtzOrder>(plan, relation) : fill_float<F16Order>(plan, relation);
    case Type::BF16:
      return fill_float<BF16Order>(plan, relation);
    case Type::F16x2:
      return ftz ? fill_float<F16FtzOrder, true>(plan, relation)
                 : fill_float<F16Order, true>(plan, relation);
    case Type::BF16x2:
      return fill_float<BF16Order, true>(plan, relation);
    default:
      return;
  }
}

// Reads the comparison, its operands 1 and 2 and the boolean operation with operand 3.
Plan plan_of(Binder& b, Instr& out, Type type) {
  const bool is_float = compares_as_float(type);
  std::optional<Comparison> found;
  Plan plan;
  for (const std::string_view mod : b.ins().mods) {
    if (mod == "and") plan.op = BoolOp::And;
    if (mod == "or") plan.op = BoolOp::Or;
    if (mod == "xor") plan.op = BoolOp::Xor;
    if (const auto c = semantics::comparison(mod, is_float)) {
      if (found) b.unsupported("has two comparisons");
      found = c;
    }
  }
  if (!found) b.unsupported("has no comparison");
  if (found->of_float && !is_float) b.unsupported("this comparison goes with floating point only");
  if (found->of_unsigned && is_float) b.unsupported("this comparison goes with integers only");
  if (is_bits(type) && found->relation != Relation::Equal)
    b.unsupported("bits have no order: only eq and ne");
  if (b.operand_count() != (plan.op == BoolOp::None ? 3u : 4u))
    b.unsupported("wrong number of operands");

  choose(plan, found->of_unsigned ? to_unsigned(type) : type, found->relation, b.has("ftz"));
  if (plan.first == nullptr) b.unsupported("cannot compare this type");
  plan.flip = found->complement ? kAllLanes : 0;
  out.src[0] = b.source(std::size_t{found->swap ? 2u : 1u}, type);
  out.src[1] = b.source(std::size_t{found->swap ? 1u : 2u}, type);
  if (plan.op != BoolOp::None) {
    const auto [c, flip] = bind_predicate(b, b.operand(3));
    plan.c = c;
    plan.flip_c = flip;
  }
  return plan;
}

}  // namespace

void bind_setp(Binder& b, Instr& out) {
  const Type type = b.type();
  Plan plan = plan_of(b, out, type);
  const Operand& result = b.operand(0);
  plan.has_q = result.kind == Operand::Kind::Pair;
  if (is_packed(type) && !plan.has_q) b.unsupported("needs two results, p|q");
  if (plan.has_q) out.dst2 = b.dest(result.parts.at(1));
  out.dst = b.dest(plan.has_q ? result.parts.at(0) : result);
  if (plan.simple != nullptr && !plan.has_q && plan.op == BoolOp::None) {
    out.fn = plan.simple;
    out.imm = plan.flip;
    return;
  }
  out.fn = &setp_general;
  out.extra = b.make(plan);
}

void bind_set(Binder& b, Instr& out) {
  const Type to = b.type(0), from = b.type(1);
  if (from == Type::None) b.unsupported("needs two types");
  Plan plan = plan_of(b, out, from);
  const bool packed = is_packed(from);
  switch (to) {
    case Type::U32:
    case Type::S32:
      plan.one = packed ? 0xffff : 0xffffffff;
      break;
    case Type::U16:
    case Type::S16:
      plan.one = 0xffff;
      break;
    case Type::F32:
      plan.one = 0x3f800000;
      break;
    case Type::F16:
    case Type::F16x2:
      plan.one = 0x3c00;
      break;
    case Type::BF16:
    case Type::BF16x2:
      plan.one = 0x3f80;
      break;
    default:
      b.unsupported("this result type does not exist");
  }
  const bool to_pair = is_packed(to) || to == Type::U32 || to == Type::S32;
  if (packed ? !to_pair : is_packed(to)) b.unsupported("result and operands must both be packed");
  out.dst = b.dest(std::size_t{0});
  out.fn = ptx::size_of(to) == 2 ? &set_lanes<std::uint16_t> : &set_lanes<std::uint32_t>;
  out.extra = b.make(plan);
}

// ---- selection

namespace {

// d = c ? a : b; imm flips c.
template <class T>
void select(Warp& w, const Instr& in, LaneMask mask) {
  const LaneMask c = w.predicate(in.src[2]) ^ static_cast<LaneMask>(in.imm);
  T* const d = w.lanes<T>(in.dst);
  const T* const a = w.lanes<T>(in.src[0]);
  const T* const b = w.lanes<T>(in.src[1]);
  if (mask == kAllLanes) [[likely]] {
    EMU_INDEPENDENT_LANES
    for (int i = 0; i < kLanes; ++i) {
      const T x = a[i], y = b[i];
      d[i] = (c & kLaneBit[i]) != 0 ? x : y;
    }
  } else if (more_than_four(mask)) {
    EMU_INDEPENDENT_LANES
    for (int i = 0; i < kLanes; ++i) {
      const T x = a[i], y = b[i], kept = d[i];
      const T chosen = (c & kLaneBit[i]) != 0 ? x : y;
      d[i] = (mask & kLaneBit[i]) != 0 ? chosen : kept;
    }
  } else {
    for (LaneMask m = mask; m; m &= m - 1) {
      const int i = std::countr_zero(m);
      d[i] = (c >> i & 1) != 0 ? a[i] : b[i];
    }
  }
}

// d = c >= 0 ? a : b. A NaN is not >= 0; a negative subnormal is with .ftz, and -0 is.
enum class Sign : std::uint8_t { S32, F32, F32Ftz };
template <class T, Sign kSign>
struct SelectBySign {
  static constexpr bool kCheap = true;
  T operator()(T a, T b, std::uint32_t c) const {
    bool take_a = false;
    if constexpr (kSign == Sign::S32) {
      take_a = static_cast<std::int32_t>(c) >= 0;
    } else {
      using Order =
          std::conditional_t<kSign == Sign::F32, semantics::F32Order, semantics::F32FtzOrder>;
      take_a = semantics::holds<Order, Relation::LessEqual>(0, c);
    }
    return take_a ? a : b;
  }
};

}  // namespace

void bind_selp(Binder& b, Instr& out) {
  const Type type = b.type();
  if (b.operand_count() != 4) b.unsupported("needs four operands");
  const Handler fn = pick_width<2, 4, 8>(type, []<class T>() -> Handler { return &select<T>; });
  bind_lanewise(b, out, fn, {type, type});
  const auto [c, flip] = bind_predicate(b, b.operand(3));
  out.src[2] = c;
  out.imm = flip;
}

void bind_slct(Binder& b, Instr& out) {
  const Type type = b.type(0), sign = b.type(1);
  if (sign != Type::S32 && sign != Type::F32) b.unsupported("the second type must be .s32 or .f32");
  const bool ftz = b.has("ftz");
  const Handler fn = pick_width<2, 4, 8>(type, [&]<class T>() -> Handler {
    if (sign == Type::S32) return &ternary<T, T, T, std::uint32_t, SelectBySign<T, Sign::S32>>;
    return ftz ? &ternary<T, T, T, std::uint32_t, SelectBySign<T, Sign::F32Ftz>>
               : &ternary<T, T, T, std::uint32_t, SelectBySign<T, Sign::F32>>;
  });
  bind_lanewise(b, out, fn, {type, type, sign});
}

}  // namespace emu::exec

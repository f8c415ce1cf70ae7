// SPDX-License-Identifier: MIT
// Logic and shifts (PTX 9.7.8). On predicates one word operation does all 32 lanes.
#include "bind/elementwise.hpp"
#include "semantics/bits.hpp"

namespace emu::exec {
namespace {

using ptx::Type;
namespace sem = semantics;
using U32 = std::uint32_t;

struct And {
  static constexpr bool kCheap = true;
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  static constexpr bool kCheap = true;
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  static constexpr bool kCheap = true;
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  static constexpr bool kCheap = true;
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};

// Flips of the two predicate operands: low and high word of imm.
std::int64_t pack_flips(LaneMask a, LaneMask b) {
  return static_cast<std::int64_t>(std::uint64_t{b} << 32 | a);
}
LaneMask flip_a(const Instr& in) { return static_cast<LaneMask>(in.imm); }
LaneMask flip_b(const Instr& in) {
  return static_cast<LaneMask>(static_cast<std::uint64_t>(in.imm) >> 32);
}

template <class Op>
void on_predicates(Warp& w, const Instr& in, LaneMask mask) {
  const LaneMask a = w.predicate(in.src[0]) ^ flip_a(in);
  const LaneMask b = w.predicate(in.src[1]) ^ flip_b(in);
  w.set_predicate(in.dst, mask, Op{}(a, b));
}

template <class Op>
void bind_logic(Binder& b, Instr& out) {
  const Type type = b.type();
  if (type != Type::Pred) {
    const Handler fn =
        pick_width<2, 4, 8>(type, []<class T>() -> Handler { return &binary<T, T, T, Op>; });
    bind_lanewise(b, out, fn, {type, type});
    return;
  }
  const auto [a, flip_of_a] = bind_predicate(b, b.operand(1));
  const auto [c, flip_of_c] = bind_predicate(b, b.operand(2));
  out.fn = &on_predicates<Op>;
  out.dst = b.dest(std::size_t{0});
  out.src[0] = a;
  out.src[1] = c;
  out.imm = pack_flips(flip_of_a, flip_of_c);
}

void not_predicate(Warp& w, const Instr& in, LaneMask mask) {
  w.set_predicate(in.dst, mask, ~(w.predicate(in.src[0]) ^ flip_a(in)));
}

}  // namespace

void bind_and_(Binder& b, Instr& out) { bind_logic<And>(b, out); }
void bind_or_(Binder& b, Instr& out) { bind_logic<Or>(b, out); }
void bind_xor_(Binder& b, Instr& out) { bind_logic<Xor>(b, out); }

void bind_not_(Binder& b, Instr& out) {
  const Type type = b.type();
  if (type != Type::Pred) {
    bind_lanewise(b, out,
                  pick_width<2, 4, 8>(type, []<class T>() -> Handler { return &unary<T, T, Not>; }),
                  {type});
    return;
  }
  const auto [a, flip] = bind_predicate(b, b.operand(1));
  out.fn = &not_predicate;
  out.dst = b.dest(std::size_t{0});
  out.src[0] = a;
  out.imm = pack_flips(flip, 0);
}

void bind_cnot(Binder& b, Instr& out) {
  const Handler fn = pick_width<2, 4, 8>(
      b.type(), []<class T>() -> Handler { return &unary<T, T, Cheap<&sem::cnot<T>>>; });
  bind_lanewise(b, out, fn, {b.type()});
}

// ---- lop3

namespace {

struct Lop3Op : sem::Lop3 {
  static constexpr bool kCheap = true;
  explicit Lop3Op(const Instr& in) : Lop3(static_cast<U32>(in.imm)) {}
};

// d|p: p = (d != 0) op q. flags: 1 for .and, 0 for .or; the flip of q is in target.
void lop3_predicate(Warp& w, const Instr& in, LaneMask mask) {
  ternary<U32, U32, U32, U32, Lop3Op>(w, in, mask);
  const U32* const d = w.lanes<U32>(in.dst);
  const LaneMask some = collect(mask, [d](int i) { return d[i] != 0; });
  const LaneMask q = w.predicate(in.src[3]) ^ in.target;
  w.set_predicate(in.dst2, mask, in.flags != 0 ? (some & q) : (some | q));
}

}  // namespace

void bind_lop3(Binder& b, Instr& out) {
  if (b.operand_count() < 5 || b.operand(4).kind != ptx::Operand::Kind::Immediate) {
    b.unsupported("the table must be an immediate");
  }
  if (b.operand(4).bits > 255) b.unsupported("the table must be from 0 to 255");
  const ptx::Operand& result = b.operand(0);
  const bool with_predicate = b.has("and") || b.has("or");
  if (with_predicate != (result.kind == ptx::Operand::Kind::Pair)) {
    b.unsupported("d|p goes with .and or .or, and only with them");
  }
  out.imm = static_cast<std::int64_t>(b.operand(4).bits);
  for (std::size_t i = 0; i < 3; ++i) out.src[i] = b.source(i + 1, Type::B32);
  if (!with_predicate) {
    out.fn = &ternary<U32, U32, U32, U32, Lop3Op>;
    out.dst = b.dest(result);
    return;
  }
  if (b.operand_count() != 6) b.unsupported("needs the predicate q");
  out.fn = &lop3_predicate;
  out.dst = b.dest(result.parts.at(0));
  out.dst2 = b.dest(result.parts.at(1));
  const auto [q, flip] = bind_predicate(b, b.operand(5));
  out.src[3] = q;
  out.target = flip;
  out.flags = b.has("and") ? 1 : 0;
}

// ---- shifts. An immediate amount, the usual case, is the same for all lanes and known to the
// loop.

namespace {

template <class T>
struct ShlBy {
  static constexpr bool kCheap = true;
  explicit ShlBy(const Instr& in) : amount(static_cast<U32>(in.imm)) {}
  T operator()(T a) const { return sem::shl<T>(a, amount); }
  U32 amount;
};
template <class T>
struct ShrBy {
  static constexpr bool kCheap = true;
  explicit ShrBy(const Instr& in) : amount(static_cast<U32>(in.imm)) {}
  T operator()(T a) const { return sem::shr<T>(a, amount); }
  U32 amount;
};

// The amount of a shift by an immediate goes to imm; true if it is one.
bool immediate_amount(Binder& b, Instr& out) {
  if (b.operand_count() != 3 || b.operand(2).kind != ptx::Operand::Kind::Immediate) return false;
  out.imm = static_cast<std::int64_t>(static_cast<U32>(b.operand(2).bits));
  return true;
}

}  // namespace

void bind_shl(Binder& b, Instr& out) {
  const Type type = b.type();
  if (immediate_amount(b, out)) {
    bind_lanewise(
        b, out,
        pick_width<2, 4, 8>(type, []<class T>() -> Handler { return &unary<T, T, ShlBy<T>>; }),
        {type});
    return;
  }
  const Handler fn = pick_width<2, 4, 8>(
      type, []<class T>() -> Handler { return &binary<T, T, U32, Cheap<&sem::shl<T>>>; });
  bind_lanewise(b, out, fn, {type, Type::U32});
}

void bind_shr(Binder& b, Instr& out) {
  const Type type = b.type();
  const bool immediate = immediate_amount(b, out);
  const auto of = [immediate]<class T>() -> Handler {
    if (immediate) return &unary<T, T, ShrBy<T>>;
    return &binary<T, T, U32, Cheap<&sem::shr<T>>>;
  };
  const Handler fn =
      ptx::is_signed(type)
          ? pick<Type::S16, Type::S32, Type::S64>(
                type, [&of]<Type K>() { return of.template operator()<Native<K>>(); })
          : pick_width<2, 4, 8>(type, [&of]<class T>() { return of.template operator()<T>(); });
  if (immediate) {
    bind_lanewise(b, out, fn, {type});
  } else {
    bind_lanewise(b, out, fn, {type, Type::U32});
  }
}

}  // namespace emu::exec

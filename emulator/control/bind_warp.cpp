// SPDX-License-Identifier: MIT
// Instructions in which the lanes of a warp, or the threads of a block, take part together. Who
// waits for whom is in meeting.cpp; here is what they compute once they have met.
#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "bind/bind.hpp"
#include "control/meeting.hpp"

namespace emu::exec {
namespace {

using ptx::Operand;
using ptx::Type;

// ---- shfl

enum class Shuffle { Up, Down, Butterfly, Index };

struct Origin {
  int lane;
  bool inside;  // of its segment; if not, a lane keeps its own value
};

// control holds the clamp in bits 0-4 and the segment mask in bits 8-12 (PTX: shfl.sync).
Origin origin(Shuffle mode, int lane, std::uint32_t distance, std::uint32_t control) {
  const int b = static_cast<int>(distance & 31), clamp = static_cast<int>(control & 31);
  const int segment = static_cast<int>(control >> 8 & 31);
  const int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
  int from = 0;
  switch (mode) {
    case Shuffle::Up:
      from = lane - b;
      break;
    case Shuffle::Down:
      from = lane + b;
      break;
    case Shuffle::Butterfly:
      from = lane ^ b;
      break;
    case Shuffle::Index:
      from = least | (b & ~segment);
      break;
  }
  const bool inside = mode == Shuffle::Up ? from >= most : from <= most;
  return {inside ? from : lane, inside};
}

// What a lane that takes no part gives. PTX leaves it open. It is what fresh memory is filled with: a
// 0 would go unseen in a sum.
constexpr std::uint32_t kUndefined = 0xCDCDCDCDu;

template <Shuffle kMode>
void shuffle(const Instr&, LaneMask lanes, Exchange& x) {
  for (LaneMask m = lanes; m; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const Origin o = origin(kMode, lane, x.b[lane], x.c[lane]);
    x.from[lane] = static_cast<std::uint8_t>(o.lane);
    x.d[lane] = (lanes >> o.lane & 1) ? x.a[o.lane] : kUndefined;
    x.result |= LaneMask{o.inside} << lane;
  }
}

// Nearly every shuffle moves by a constant: its pattern is known here.
const SyncOp::Permutation* permutation(Binder& b, Shuffle mode) {
  const auto distance = b.known(b.operand(2)), control = b.known(b.operand(3));
  if (!distance || !control) return nullptr;
  SyncOp::Permutation p{};
  for (int lane = 0; lane < kLanes; ++lane) {
    const Origin o = origin(mode, lane, static_cast<std::uint32_t>(*distance),
                            static_cast<std::uint32_t>(*control));
    p.from[lane] = static_cast<std::uint8_t>(o.lane);
    p.inside |= LaneMask{o.inside} << lane;
  }
  return b.make(p);
}

// ---- vote, match, redux, elect, movmatrix

enum class Vote { All, Any, Uniform };

template <Vote kMode>
void vote(const Instr&, LaneMask lanes, Exchange& x) {
  const LaneMask yes = x.predicate & lanes;
  const bool holds = kMode == Vote::All   ? yes == lanes
                     : kMode == Vote::Any ? yes != 0
                                          : yes == lanes || yes == 0;
  x.result = holds ? lanes : 0;
}

void ballot(const Instr&, LaneMask lanes, Exchange& x) {
  std::fill_n(x.d, kLanes, x.predicate & lanes);
}

template <class T>
void match_any(LaneMask lanes, Exchange& x, const T* values) {
  for (LaneMask todo = lanes; todo;) {
    const T value = values[std::countr_zero(todo)];
    LaneMask same = 0;
    for_lanes(todo, [&](int lane) { same |= LaneMask{values[lane] == value} << lane; });
    for_lanes(same, [&](int lane) { x.d[lane] = same; });
    todo &= ~same;
  }
}
template <class T>
void match_all(LaneMask lanes, Exchange& x, const T* values) {
  bool same = true;
  for_lanes(lanes, [&](int lane) { same &= values[lane] == values[std::countr_zero(lanes)]; });
  std::fill_n(x.d, kLanes, same ? lanes : 0);
  x.result = same ? lanes : 0;
}
void match_any32(const Instr&, LaneMask lanes, Exchange& x) { match_any(lanes, x, x.a); }
void match_any64(const Instr&, LaneMask lanes, Exchange& x) { match_any(lanes, x, x.wide); }
void match_all32(const Instr&, LaneMask lanes, Exchange& x) { match_all(lanes, x, x.a); }
void match_all64(const Instr&, LaneMask lanes, Exchange& x) { match_all(lanes, x, x.wide); }

template <class T, class F>
void reduce(LaneMask lanes, Exchange& x, F f) {
  T total = static_cast<T>(x.a[std::countr_zero(lanes)]);
  for (LaneMask m = lanes & (lanes - 1); m; m &= m - 1)
    total = f(total, static_cast<T>(x.a[std::countr_zero(m)]));
  std::fill_n(x.d, kLanes, static_cast<std::uint32_t>(total));
}
#define EMU_REDUX(name, T, expression)                             \
  void redux_##name(const Instr&, LaneMask lanes, Exchange& x) {   \
    reduce<T>(lanes, x, [](T a, T b) -> T { return expression; }); \
  }
EMU_REDUX(add, std::uint32_t, a + b)
EMU_REDUX(min_u, std::uint32_t, std::min(a, b))
EMU_REDUX(max_u, std::uint32_t, std::max(a, b))
EMU_REDUX(min_s, std::int32_t, std::min(a, b))
EMU_REDUX(max_s, std::int32_t, std::max(a, b))
EMU_REDUX(and, std::uint32_t, a& b)
EMU_REDUX(or, std::uint32_t, a | b)
EMU_REDUX(xor, std::uint32_t, a ^ b)
#undef EMU_REDUX

// PTX leaves the choice open; the lowest lane, so that it is the same every time.
void elect(const Instr&, LaneMask lanes, Exchange& x) {
  const int leader = std::countr_zero(lanes);
  std::fill_n(x.d, kLanes, static_cast<std::uint32_t>(leader));
  x.result = LaneMask{1} << leader;
}

// Lane i holds two neighbours of row i / 4: columns 2 * (i % 4) and the next. It gets those of the
// transposed matrix.
void transpose(const Instr&, LaneMask lanes, Exchange& x) {
  const auto element = [&](int row, int column) -> std::uint32_t {
    const int lane = 4 * row + column / 2;
    const std::uint32_t pair = lanes >> lane & 1 ? x.a[lane] : kUndefined;
    return pair >> (column % 2 * 16) & 0xffff;
  };
  for (int lane = 0; lane < kLanes; ++lane) {
    const int row = lane / 4, column = lane % 4 * 2;
    x.d[lane] = element(column, row) | element(column + 1, row) << 16;
  }
}

void activemask(Warp& w, const Instr& in, LaneMask mask) {
  auto* d = w.lanes<std::uint32_t>(in.dst);
  for_lanes(mask, [&](int lane) { d[lane] = mask; });
}

// d or d|p
void bind_results(Binder& b, Instr& out, const Operand& op) {
  if (op.kind == Operand::Kind::Pair) {
    out.dst = b.dest(op.parts.at(0));
    out.dst2 = b.dest(op.parts.at(1));
  } else {
    out.dst = b.dest(op);
  }
}

void set_sync(Binder& b, Instr& out, std::size_t mask_operand, SyncOp op) {
  out.src[3] = b.source(mask_operand, Type::U32);
  const auto members = b.known(b.operand(mask_operand));
  op.whole_warp = members && static_cast<LaneMask>(*members) == kAllLanes;
  out.extra = b.make(op);
}

}  // namespace

void bind_shfl(Binder& b, Instr& out) {
  bind_results(b, out, b.operand(0));
  for (std::size_t i = 0; i < 3; ++i) out.src[i] = b.source(i + 1, Type::B32);
  SyncOp op;
  op.inputs = 3;
  op.shuffles = true;
  op.value_result = true;
  op.predicate_result = b.operand(0).kind == Operand::Kind::Pair;
  const auto use = [&](Shuffle mode, auto compute) {
    op.compute = compute;
    op.permutation = permutation(b, mode);
  };
  if (b.has("up")) {
    use(Shuffle::Up, &shuffle<Shuffle::Up>);
  } else if (b.has("down")) {
    use(Shuffle::Down, &shuffle<Shuffle::Down>);
  } else if (b.has("bfly")) {
    use(Shuffle::Butterfly, &shuffle<Shuffle::Butterfly>);
  } else if (b.has("idx")) {
    use(Shuffle::Index, &shuffle<Shuffle::Index>);
  } else {
    b.unsupported("shfl needs .up, .down, .bfly or .idx");
  }
  set_sync(b, out, 4, op);
}

void bind_vote(Binder& b, Instr& out) {
  const auto [p, flip] = b.predicate(b.operand(1));
  out.src[0] = p;
  out.imm = flip;
  SyncOp op;
  op.predicate_input = true;
  if (b.has("ballot")) {
    op.compute = &ballot;
    op.value_result = true;
    out.dst = b.dest(0);
  } else {
    op.compute = b.has("all")   ? &vote<Vote::All>
                 : b.has("any") ? &vote<Vote::Any>
                 : b.has("uni") ? &vote<Vote::Uniform>
                                : nullptr;
    if (!op.compute) b.unsupported("vote needs .all, .any, .uni or .ballot");
    op.predicate_result = true;
    out.dst2 = b.dest(0);
  }
  set_sync(b, out, 2, op);
}

void bind_match(Binder& b, Instr& out) {
  bind_results(b, out, b.operand(0));
  const bool wide = b.type() == Type::B64, all = b.has("all");
  out.src[0] = b.source(1, b.type());
  SyncOp op;
  op.inputs = wide ? 0 : 1;
  op.wide_input = wide;
  op.value_result = true;
  op.predicate_result = b.operand(0).kind == Operand::Kind::Pair;
  op.matches = !all;
  op.compute = all ? (wide ? &match_all64 : &match_all32) : (wide ? &match_any64 : &match_any32);
  set_sync(b, out, 2, op);
}

void bind_redux(Binder& b, Instr& out) {
  out.dst = b.dest(0);
  out.src[0] = b.source(1, Type::U32);
  const bool s = b.type() == Type::S32;
  SyncOp op;
  op.inputs = 1;
  op.value_result = true;
  op.compute = b.has("add")   ? &redux_add
               : b.has("min") ? (s ? &redux_min_s : &redux_min_u)
               : b.has("max") ? (s ? &redux_max_s : &redux_max_u)
               : b.has("and") ? &redux_and
               : b.has("or")  ? &redux_or
                              : &redux_xor;
  set_sync(b, out, 2, op);
}

void bind_elect(Binder& b, Instr& out) {
  if (b.operand(0).kind != Operand::Kind::Pair) b.unsupported("needs two results, d|p");
  bind_results(b, out, b.operand(0));
  SyncOp op;
  op.compute = &elect;
  op.value_result = true;
  op.predicate_result = true;
  set_sync(b, out, 1, op);
}

void bind_movmatrix(Binder& b, Instr& out) {
  if (!b.has("m8n8") || !b.has("trans")) b.unsupported("movmatrix needs .m8n8 and .trans");
  out.dst = b.dest(0);
  out.src[0] = b.source(1, Type::B32);
  out.src[3] = b.constant(kAllLanes, 4);
  SyncOp op;
  op.compute = &transpose;
  op.inputs = 1;
  op.value_result = true;
  op.whole_warp = true;
  out.extra = b.make(op);
}

void bind_activemask(Binder& b, Instr& out) {
  out.dst = b.dest(0);
  out.fn = &activemask;
}

void bind_bar_warp(Binder& b, Instr& out) { set_sync(b, out, 0, SyncOp{}); }

// ---- barriers of the block and of the cluster

namespace {

void bind_barrier_of_block(Binder& b, Instr& out, bool aligned) {
  BarrierOp op;
  op.aligned = aligned;
  op.waits = !b.has("arrive");
  const bool reduces = b.has("red");
  const std::size_t first = reduces ? 1 : 0;
  if (reduces) {
    op.reduce = b.has("popc")  ? BarrierOp::Reduce::Popc
                : b.has("and") ? BarrierOp::Reduce::And
                               : BarrierOp::Reduce::Or;
    out.dst = b.dest(0);
    const auto [p, flip] = b.predicate(b.operand(b.operand_count() - 1));
    out.src[2] = p;
    out.imm = flip;
  }
  out.src[0] = b.source(first, Type::U32);
  op.one_number = b.operand(first).kind == ptx::Operand::Kind::Immediate;
  op.counted = b.operand_count() == (reduces ? 4u : 2u);
  if (op.counted) out.src[1] = b.source(first + 1, Type::U32);
  if (!op.waits && !op.counted) b.unsupported("an arrive needs the number of threads");
  out.extra = b.make(op);
}

}  // namespace

void bind_bar(Binder& b, Instr& out) { bind_barrier_of_block(b, out, true); }
void bind_bar_red(Binder& b, Instr& out) { bind_barrier_of_block(b, out, true); }
void bind_barrier(Binder& b, Instr& out) { bind_barrier_of_block(b, out, b.has("aligned")); }
void bind_barrier_red(Binder& b, Instr& out) { bind_barrier_of_block(b, out, b.has("aligned")); }

void bind_barrier_cluster(Binder& b, Instr& out) {
  out.flags = b.has("arrive") ? kClusterArrive : kClusterWait;
}

}  // namespace emu::exec

// SPDX-License-Identifier: MIT
#include "timing/loops.hpp"

#include <algorithm>
#include <cstdlib>

#include "counters/ptxas/branches.hpp"
#include "counters/ptxas/instruction_kinds.hpp"

namespace emu::observe {

using exec::Instr;
using ptx::Instruction;
using ptx::Operand;
using ptx::Row;

namespace {

// Whether a short loop asks again and again for something that another thread, block or the copy
// engine will change.
bool is_waiting(const exec::Code& code, std::size_t first, std::size_t last) {
  constexpr std::size_t kShort = 24;
  if (last - first > kShort) return false;
  bool asks = false;
  std::vector<std::uint32_t> written, asked;
  for (std::size_t i = first; i <= last; ++i) {
    const Instr& in = code.instrs[i];
    if (in.flow == exec::Flow::Branch && in.target <= i && in.target != first) return false;
    if (!in.source) continue;
    asks |= in.row == Row::mbarrier_test_wait || in.row == Row::mbarrier_try_wait;
    if (!in.source->operands.empty() && writes_first(in.row))
      visit_registers(in.source->operands[0], [&](std::uint32_t reg) { written.push_back(reg); });
    if ((in.row != Row::ld && in.row != Row::atom) ||
        !(in.source->has("volatile") || in.source->has("relaxed") || in.source->has("acquire") ||
          in.source->has("cas")))
      continue;
    asks = true;
    visit_registers(in.source->operands[1], [&](std::uint32_t reg) { asked.push_back(reg); });
  }
  // Who asks another word each time looks for something: nobody has to change it.
  return asks && (asked.empty() || std::any_of(asked.begin(), asked.end(), [&](std::uint32_t reg) {
                    return std::find(written.begin(), written.end(), reg) == written.end();
                  }));
}

// The looks of one round of a loop that does nothing but look at one word until it changes or the
// patience is over. They are many where the compiler has unrolled it. 0: it is no such loop, because
// it writes, moves on to another word, or no look can end it.
double looks_of_polling(const exec::Code& code, std::size_t first, std::size_t last) {
  constexpr std::size_t kShort = 200;
  if (last - first > kShort) return 0;
  double looks = 0;
  bool leaves = false;
  std::vector<std::uint32_t> written, asked;
  for (std::size_t i = first; i <= last; ++i) {
    const Instr& in = code.instrs[i];
    if (in.flow == exec::Flow::Branch && in.target <= i && in.target != first) return 0;
    leaves |= in.flow == exec::Flow::Branch && in.target > last;
    if (in.row == Row::st || in.row == Row::atom || in.row == Row::red) return 0;
    if (!in.source || in.source->operands.empty()) continue;
    const Instruction& ins = *in.source;
    if (writes_first(in.row))
      visit_registers(ins.operands[0], [&](std::uint32_t reg) { written.push_back(reg); });
    if (in.row != Row::ld) continue;
    if (!ins.has("volatile") && !ins.has("relaxed") && !ins.has("acquire")) return 0;
    ++looks;
    visit_registers(ins.operands[1], [&](std::uint32_t reg) { asked.push_back(reg); });
  }
  const bool moves_on = std::any_of(asked.begin(), asked.end(), [&](std::uint32_t reg) {
    return std::find(written.begin(), written.end(), reg) != written.end();
  });
  return moves_on || !leaves ? 0 : looks;
}

}  // namespace

namespace {

// How often warps, and lanes, come to the loop from outside: through the instruction before it, and by branches, which may
// lead behind its first instructions (to where a round was cut because the last one ends there).
struct Entered {
  double warps = 0, lanes = 0;
  double inside = 0;  // warps that do not come through the head
};
Entered times_entered(const exec::Code& code, std::span<const Tally> tally, std::size_t head,
                      const Loop& loop) {
  Entered times;
  const auto falls_through = [&](std::size_t i) {
    const Instr& in = code.instrs[i];
    const bool leaves = in.flow == exec::Flow::Branch || in.flow == exec::Flow::Exit;
    return !leaves || tally[i].on < tally[i].active;
  };
  if (head == 0)
    times.warps = 1;
  else if (falls_through(head - 1))
    times.warps = static_cast<double>(tally[head - 1].executed);
  times.lanes = static_cast<double>(tally[head].active) - loop.back;
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Instr& in = code.instrs[i];
    if (in.flow != exec::Flow::Branch || in.target < head || in.target >= loop.end) continue;
    if ((i >= head && i < loop.end) || !tally[i].on) continue;
    times.warps += static_cast<double>(tally[i].executed);
    if (in.target == head) continue;
    times.inside += static_cast<double>(tally[i].executed);
    times.lanes += static_cast<double>(tally[i].on);
  }
  return {std::max(1.0, times.warps), std::max(1.0, times.lanes), times.inside};
}

// From the lanes that come in and go round, and from the warps.
void find_trips(const exec::Code& code, std::span<const Tally> tally, std::size_t head,
                Loop& loop) {
  constexpr double kAlike = 1.01;
  const Entered times = times_entered(code, tally, head, loop);
  const double of_lanes = (times.lanes + loop.back) / times.lanes;
  const double of_warps = (static_cast<double>(tally[head].executed) + times.inside) / times.warps;
  loop.entered = times.warps;
  loop.trips = std::max(of_lanes, of_warps);
  loop.even = of_warps <= kAlike * of_lanes;
}

}  // namespace

std::vector<Loop> find_loops(const exec::Code& code, std::span<const Tally> tally) {
  std::vector<Loop> loops(code.instrs.size());
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Instr& in = code.instrs[i];
    if (in.flow != exec::Flow::Branch || in.target > i || tally[i].executed == 0) continue;
    Loop& loop = loops[in.target];
    loop.end = std::max(loop.end, i + 1);
    loop.back += static_cast<double>(tally[i].on);
    const double looks = looks_of_polling(code, in.target, i);
    loop.looks = std::max(loop.looks, looks);
    for (std::size_t k = in.target; k < i; ++k)
      if (ptx::info(code.instrs[k].row).cost == ptx::Cost::Barrier &&
          (!loop.barrier || tally[k].executed > tally[loop.barrier].executed))
        loop.barrier = k;
    loop.waits |= looks > 0 || (in.spin_edge && is_waiting(code, in.target, i));
    bool pauses = false;
    for (std::size_t k = in.target; loop.waits && k <= i; ++k) {
      const Row row = code.instrs[k].row;
      loop.hammers |=
          row == Row::atom && code.instrs[k].source && !in_space(*code.instrs[k].source, "shared");
      pauses |= ptx::info(row).others == ptx::Others::Sleep;
      loop.asks_memory |= (row == Row::ld || row == Row::atom) && code.instrs[k].source &&
                          !in_space(*code.instrs[k].source, "shared");
    }
    if (pauses) loop.hammers = false;
  }
  for (std::size_t head = 0; head < loops.size(); ++head)
    if (loops[head].end) find_trips(code, tally, head, loops[head]);
  return loops;
}

void find_carried(const exec::Code& code, std::span<const Tally> tally, std::size_t head,
                  Loop& loop) {
  std::vector<std::uint8_t> written(code.function->registers.size()), in_loop(written);
  const auto each = [&](std::uint8_t pass) {
    for (std::size_t i = head; i < loop.end; ++i) {
      const Instr& at = code.instrs[i];
      if (tally[i].executed == 0 || !at.source) continue;
      const Instruction& ins = *at.source;
      const std::size_t first_read = writes_first(at.row) ? 1 : 0;
      const auto read = [&](std::uint32_t reg) {
        if (reg >= written.size() || written[reg] || !in_loop[reg]) return;
        written[reg] = 1;  // once is enough
        loop.carried.push_back({reg, i});
      };
      if (pass == 1) {
        if (ins.guard != ptx::kNoIndex) read(ins.guard);
        for (std::size_t k = first_read; k < ins.operands.size(); ++k)
          visit_registers(ins.operands[k], read);
      }
      if (first_read == 1 && !ins.operands.empty() &&
          ins.operands[0].kind != Operand::Kind::Address)
        visit_registers(ins.operands[0],
                        [&](std::uint32_t r) { (pass == 0 ? in_loop : written)[r] = 1; });
    }
  };
  each(0);
  each(1);
}

namespace {

// How often each instruction was come to from outside the loops that lie within the one that begins at `head`.
std::vector<double> come_to(std::span<const Loop> loops, std::span<const Tally> tally,
                            std::size_t head) {
  const std::size_t end = loops[head].end;
  std::vector<double> times(end - head);
  for (std::size_t i = head; i < end; ++i) times[i - head] = static_cast<double>(tally[i].executed);
  for (std::size_t inner = head + 1; inner < end; ++inner)
    for (std::size_t i = inner; i < std::min(loops[inner].end, end); ++i)
      times[i - head] /= loops[inner].waits ? 1 : loops[inner].trips;
  return times;
}

}  // namespace

void count_trips(std::span<const Loop> loops, std::span<const Tally> tally, double block_warps,
                 std::vector<Step>& steps) {
  for (std::size_t head = 0; head < loops.size(); ++head) {
    const Loop& loop = loops[head];
    if (loop.end == 0) continue;
    const double trips = loop.trips, rounds = static_cast<double>(tally[head].executed);
    const std::vector<double> times = come_to(loops, tally, head);
    // Of the rounds, those in which the warps of a block meet.
    const double meetings = loop.barrier ? times[loop.barrier - head] : 0;
    for (std::size_t i = head; i < loop.end; ++i) {
      if (loop.waits) {
        steps[i].once /= trips * loop.looks;
        steps[i].trips /= loop.looks;
        steps[i].awaits_blocks |= loop.asks_memory;
        steps[i].hammers |= loop.hammers;
      } else {
        // Not in every round, where a branch leads past it. What one warp of a block does in every round the others wait for, at
        // a barrier.
        const double own = times[i - head],
                     all = own < meetings ? std::min(meetings, own * block_warps) : own;
        steps[i].trips *= std::max(1.0, trips * std::min(1.0, all / rounds));
      }
    }
  }
}

namespace {

// Loads of a block that wait for as many loads before them, so that they are on their way together.
struct Group {
  double lines = 0;  // from DRAM, in all rounds that are unrolled
  std::vector<std::size_t> loads;

  // A load that asks for what lies beside that of another one, from the same address on, adds nothing: its lines come with
  // those.
  bool has_beside(const exec::Code& code, const Operand& address) const {
    constexpr std::int64_t kBeside = 1024;
    return std::any_of(loads.begin(), loads.end(), [&](std::size_t i) {
      const Operand& other = code.instrs[i].source->operands[1];
      return other.reg == address.reg && other.symbol == address.symbol &&
             std::abs(other.offset - address.offset) < kBeside;
    });
  }
};

std::vector<bool> written_in(const exec::Code& code, std::size_t head, std::size_t end) {
  std::vector<bool> written(code.function->registers.size());
  for (std::size_t i = head; i < end; ++i)
    if (code.instrs[i].source && writes_first(code.instrs[i].row))
      visit_registers(code.instrs[i].source->operands[0],
                      [&](std::uint32_t reg) { written[reg] = true; });
  return written;
}

// Nothing behind it is asked for before it.
bool ends_block(const exec::Code& code, std::size_t i) {
  const Instr& at = code.instrs[i];
  switch (ptx::info(at.row).others) {
    case ptx::Others::Store:
    case ptx::Others::Atomic:
      return !in_space(*at.source, "shared");
    case ptx::Others::Fence:
      return true;
    default:
      return (at.flow != exec::Flow::Next && !exchanges(at.row) && !skips_little(code, i)) ||
             (at.source && calls(at.row, *at.source));
  }
}

bool asks_dram(const Instr& at, const Source& source) {
  return at.row == Row::ld && source.from_dram > 0 && !in_space(*at.source, "param") &&
         !in_space(*at.source, "shared");
}

}  // namespace

std::vector<double> far_lines_together(const exec::Code& code, std::span<const Tally> tally,
                                       std::span<const Source> sources,
                                       const std::vector<Loop>& loops) {
  std::vector<double> together(code.instrs.size(), 1);
  // Of each register, how many loads it waits for, one after the other.
  std::vector<std::size_t> depth(code.function->registers.size());
  std::vector<Group> groups;  // of the block, by depth
  const auto end_block = [&] {
    for (const Group& group : groups)
      for (const std::size_t i : group.loads) together[i] = std::max(1.0, group.lines);
    groups.clear();
  };
  std::vector<bool> changes(depth.size());  // registers, in the loop
  double rounds = 1;
  std::size_t loop_end = 0;
  for (std::size_t i = 0; i < code.instrs.size(); ++i) {
    const Loop& loop = loops[i];
    if (loop.end || i == loop_end) {
      end_block();
      rounds = loop.end && loop.overlaps ? loop.rounds_in_one : 1;
      if (loop.end) changes = written_in(code, i, loop_end = loop.end);
    }
    const Instr& at = code.instrs[i];
    if (tally[i].executed == 0 || !at.source) continue;
    if (ends_block(code, i)) end_block();
    if (!writes_first(at.row)) continue;
    std::size_t before = 0;
    bool moves = false;
    for (std::size_t k = 1; k < at.source->operands.size(); ++k)
      visit_registers(at.source->operands[k], [&](std::uint32_t reg) {
        before = std::max(before, depth[reg]);
        moves = moves || changes[reg];
      });
    const bool far = asks_dram(at, sources[i]);
    visit_registers(at.source->operands[0],
                    [&](std::uint32_t reg) { depth[reg] = before + (far ? 1 : 0); });
    if (!far) continue;
    if (groups.size() <= before) groups.resize(before + 1);
    Group& group = groups[before];
    if (!group.has_beside(code, at.source->operands[1]))
      group.lines += sources[i].far_lines * sources[i].from_dram * (moves ? rounds : 1);
    group.loads.push_back(i);
  }
  end_block();
  return together;
}

}  // namespace emu::observe

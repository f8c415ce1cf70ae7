// SPDX-License-Identifier: MIT
#include "timing/schedule.hpp"

#include <algorithm>

#include "counters/ptxas/branches.hpp"
#include "counters/ptxas/instruction_kinds.hpp"
#include "timing/part_order.hpp"

namespace emu::observe {

using exec::Instr;
using ptx::Operand;
using ptx::Row;

namespace {

constexpr std::size_t kNowhere = ~std::size_t{0};
// Registers for values: 32, less those for addresses in pieces, the stack and the like. Where more are in use for long, the
// compiler gives up 32 and takes so many besides.
constexpr std::size_t kFewRegisters = 26, kForLong = 22, kRoom = 14;

std::uint8_t words_of(ptx::Type type) {
  if (type == ptx::Type::Pred) return 0;
  return ptx::size_of(type) == 8 ? 2 : 1;
}

// Whether the warp goes on behind it: what computes may be moved over a barrier, a fence or a call.
bool goes_on(exec::Flow flow) {
  return flow == exec::Flow::Next || flow == exec::Flow::Sync || flow == exec::Flow::Barrier ||
         flow == exec::Flow::ClusterBarrier;
}

bool is_thread_number(const Instr& at) {
  if (at.row != Row::mov || at.source->operands.size() != 2) return false;
  const Operand& from = at.source->operands[1];
  return from.kind == Operand::Kind::Special &&
         (from.symbol.starts_with("%tid") || from.symbol.starts_with("%lane"));
}

// Of each instruction, whether it is in a loop of which some rounds do not come to it.
std::vector<bool> passed_in_rounds(const exec::Code& code, std::span<const Loop> loops) {
  std::vector<bool> passed(code.instrs.size());
  for (std::size_t head = 0; head < loops.size(); ++head) {
    for (std::size_t i = head; i < loops[head].end; ++i) passed[i] = false;  // a loop within one
    for (std::size_t i = head; i < loops[head].end; ++i) {
      const Instr& at = code.instrs[i];
      if (at.flow != exec::Flow::Branch || at.target <= i || !at.source ||
          at.source->guard == ptx::kNoIndex)
        continue;
      const std::size_t until = std::min<std::size_t>(at.target, loops[head].end);
      for (std::size_t k = i + 1; k < until; ++k) passed[k] = true;
    }
  }
  return passed;
}

}  // namespace

Schedule::Schedule(const exec::Code& code, std::span<const Tally> tally,
                   std::span<const Loop> loops)
    : code_(code), tally_(tally), words_(code.function->registers.size()) {
  for (std::size_t reg = 0; reg < words_.size(); ++reg)
    words_[reg] = words_of(code.function->registers[reg].type);
  find_short();
  find_uniform(loops);
  find_ranges(loops);
  parts_ = cut(loops);
  for (const Part& part : parts_) live_ = std::max(live_, live_at(part.first));
}

// A number of 32 bits that was made one of 64 without a sign has its upper half in no register: it is zero.
void Schedule::find_short() {
  std::vector<bool> longer(words_.size());
  const auto is_longer = [](const Instr& at) {
    const ptx::Instruction& ins = *at.source;
    return at.row == Row::cvt && ins.types.size() == 2 && ins.types[0] == ptx::Type::U64 &&
           ins.types[1] == ptx::Type::U32;
  };
  for (const Instr& at : code_.instrs) {
    if (!at.source || !writes_first(at.row)) continue;
    visit_written(at, [&](std::uint32_t reg) { longer[reg] = longer[reg] || !is_longer(at); });
  }
  for (const Instr& at : code_.instrs)
    if (at.source && is_longer(at))
      visit_written(at, [&](std::uint32_t reg) {
        if (!longer[reg]) words_[reg] = 1;
      });
}

// What is the same for all threads of a block, and computed from parameters only, has registers of its own.
void Schedule::find_uniform(std::span<const Loop> loops) {
  std::vector<bool> differs(words_.size());
  for (bool more = true; more;) {
    more = false;
    for (const Instr& at : code_.instrs) {
      if (!at.source || !writes_first(at.row)) continue;
      const bool parameter = at.row == Row::ld && in_space(*at.source, "param");
      bool here = (ptx::info(at.row).others != ptx::Others::Own && !parameter) ||
                  is_float(at.source->type()) || is_thread_number(at);
      visit_read(at, [&](std::uint32_t reg) { here = here || differs[reg]; });
      if (!here) continue;
      visit_written(at, [&](std::uint32_t reg) {
        more = more || !differs[reg];
        differs[reg] = true;
      });
    }
  }
  // A pointer that threads count from has to be where they can add to it. Where a branch of a round leads past them it is loaded
  // there, and not kept.
  std::vector<bool> pointer(words_.size());
  const std::vector<bool> passed = passed_in_rounds(code_, loops);
  for (std::size_t i = 0; i < code_.instrs.size(); ++i) {
    const Instr& at = code_.instrs[i];
    if (!at.source || at.row == Row::ld || !writes_first(at.row) || passed[i]) continue;
    bool own = false;
    visit_written(at, [&](std::uint32_t reg) { own = own || (differs[reg] && words_[reg] == 2); });
    if (own) visit_read(at, [&](std::uint32_t reg) { pointer[reg] = words_[reg] == 2; });
  }
  for (std::size_t reg = 0; reg < words_.size(); ++reg)
    if (!differs[reg] && !pointer[reg]) words_[reg] = 0;
}

void Schedule::find_ranges(std::span<const Loop> loops) {
  written_.assign(words_.size(), kNowhere);
  needed_.assign(words_.size(), 0);
  for (std::size_t i = 0; i < code_.instrs.size(); ++i) {
    if (!runs(i)) continue;
    visit_read(code_.instrs[i], [&](std::uint32_t reg) { needed_[reg] = i; });
    visit_written(code_.instrs[i],
                  [&](std::uint32_t reg) { written_[reg] = std::min(written_[reg], i); });
  }
  // What comes into a loop from outside, or from the round before, is needed until its end.
  for (bool more = true; more;) {
    more = false;
    for (std::size_t head = 0; head < loops.size(); ++head) {
      const Loop& loop = loops[head];
      if (!loop.end) continue;
      const auto keep = [&](std::uint32_t reg) {
        if (needed_[reg] >= loop.end - 1) return;
        more = true;
        needed_[reg] = loop.end - 1;
      };
      for (const Carried& c : loop.carried) keep(c.reg);
      for (std::uint32_t reg = 0; reg < words_.size(); ++reg)
        if (written_[reg] < head && needed_[reg] >= head) keep(reg);
    }
  }
}

std::size_t Schedule::live_at(std::size_t i) const {
  std::size_t live = 0;
  for (std::size_t reg = 0; reg < words_.size(); ++reg)
    if (written_[reg] < i && needed_[reg] >= i) live += words_[reg];
  return live;
}

// Whether nothing is moved over it.
bool Schedule::ends_part(std::size_t i) const {
  const Instr& at = code_.instrs[i];
  if (!runs(i) || skips_little(code_, i) || predicated_until(code_, i)) return false;
  if (calls(at.row, *at.source) || releases(*at.source) || at.source->has("acquire")) return true;
  switch (ptx::info(at.row).others) {
    case ptx::Others::Own:
    case ptx::Others::Load:
    case ptx::Others::Store:
    case ptx::Others::Atomic:
      return at.flow != exec::Flow::Next && !exchanges(at.row);
    default:
      return true;
  }
}

std::vector<Part> Schedule::cut(std::span<const Loop> loops) const {
  const std::size_t size = code_.instrs.size();
  std::vector<bool> begins(size + 1);
  for (std::size_t i = 0; i < size; ++i) {
    if (loops[i].end) begins[i] = true;
    if (code_.instrs[i].flow == exec::Flow::Branch && !skips_little(code_, i) &&
        !predicated_until(code_, i))
      begins[code_.instrs[i].target] = true;
  }
  std::vector<Part> parts;
  bool on = false;
  for (std::size_t first = 0, i = 0; i < size; ++i) {
    const bool ends = ends_part(i);
    if (!ends && i + 1 < size && !begins[i + 1]) continue;
    parts.push_back({first, i + 1, on && !begins[first], {}});
    on = ends && goes_on(code_.instrs[i].flow);
    first = i + 1;
  }
  return parts;
}

std::vector<Part> Schedule::parts(std::span<const Cost> costs) const {
  std::vector<Part> parts = parts_;
  std::vector<PartOrder> orders;
  orders.reserve(parts.size());
  std::size_t needed = 0;  // registers, whatever the order
  for (const Part& part : parts) {
    // What ends the part stays behind all others.
    const std::size_t last = part.end - 1;
    const bool ends = ends_part(last);
    orders.emplace_back(KnownOfCode{code_, words_, written_, needed_, costs}, part.first,
                        ends ? last : part.end);
    for (std::size_t i = part.first; i < part.end; ++i)
      if (runs(i) && !(ends && i == last)) orders.back().add(i);
    needed = std::max(needed, orders.back().registers_in_order());
  }
  const std::size_t most = live_ > kForLong || needed > kFewRegisters
                               ? std::max(kFewRegisters, live_ + kRoom)
                               : kFewRegisters;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    parts[k].order = orders[k].run(most);
    if (ends_part(parts[k].end - 1)) parts[k].order.push_back(parts[k].end - 1);
  }
  return parts;
}

}  // namespace emu::observe

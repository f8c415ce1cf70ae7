// SPDX-License-Identifier: MIT
#include "counters/ptxas/branches.hpp"

#include <algorithm>

#include "counters/ptxas/instruction_kinds.hpp"

namespace emu::observe {

using exec::Instr;
using ptx::Instruction;
using ptx::Row;

bool calls(Row row, const Instruction& ins) {
  switch (ptx::info(row).cost) {
    case ptx::Cost::Division:
      return is_float(ins.type()) ? !ins.has("approx") && !ins.has("full")
                                  : ptx::size_of(ins.type()) == 8;
    case ptx::Cost::Special:
      return !ins.has("approx");
    default:
      return false;
  }
}

bool exchanges(Row row) {
  switch (ptx::info(row).cost) {
    case ptx::Cost::Shuffle:
    case ptx::Cost::Vote:
    case ptx::Cost::Match:
    case ptx::Cost::Redux:
      return true;
    default:
      return false;
  }
}

bool selects(const exec::Code& code, std::size_t i) {
  constexpr std::size_t kFew = 10;
  std::size_t meet = code.instrs[i].target;
  if (meet <= i) return false;
  for (std::size_t k = i + 1; k < meet; ++k) {
    const Instr& in = code.instrs[k];
    if (in.flow == exec::Flow::Branch && in.target > k)
      meet = std::max<std::size_t>(meet, in.target);
    else if (in.flow != exec::Flow::Next || !in.source ||
             ptx::info(in.row).others != ptx::Others::Own || calls(in.row, *in.source))
      return false;
    if (meet - i > kFew) return false;
  }
  return true;
}

bool skips_little(const exec::Code& code, std::size_t i) {
  constexpr std::size_t kLittle = 16;
  const Instr& branch = code.instrs[i];
  if (branch.flow == exec::Flow::Branch && selects(code, i)) return true;
  if (branch.flow != exec::Flow::Branch || branch.target <= i || branch.target - i > kLittle)
    return false;
  bool loads = false;
  for (std::size_t k = i + 1; k < branch.target; ++k) {
    const Instr& in = code.instrs[k];
    if (in.flow != exec::Flow::Next &&
        !(in.flow == exec::Flow::Branch && in.target > k && in.target <= branch.target))
      return false;
    // What others see in an order stays where it is, and a call has no predicate.
    if (in.source && (ptx::info(in.row).others == ptx::Others::Atomic ||
                      observe::releases(*in.source) || calls(in.row, *in.source)))
      return false;
    loads |= in.row == ptx::Row::ld && in.source && observe::in_space(*in.source, "global");
  }
  return loads;
}

namespace {

// Whether nothing but these instructions reads what those from `from` to `to` compute.
bool read_only_within(const exec::Code& code, std::size_t from, std::size_t to, std::size_t end) {
  std::vector<std::uint32_t> written;
  for (std::size_t k = from; k < to; ++k)
    visit_written(code.instrs[k], [&](std::uint32_t reg) { written.push_back(reg); });
  bool within = true;
  for (std::size_t k = 0; k < code.instrs.size(); k = k + 1 == from ? end : k + 1)
    if (code.instrs[k].source)
      visit_read(code.instrs[k], [&](std::uint32_t reg) {
        within = within && std::ranges::find(written, reg) == written.end();
      });
  return within;
}

// Where a condition has two halves, and the second is looked at only if the first leaves it open: the branch of the second, if
// the one at i is that of the first. Both become one predicate if what the second half computes is little and is for it alone.
// sm_90: no second half of more than six instructions with its branch, none that loads, no third.
std::size_t second_half(const exec::Code& code, std::size_t i) {
  constexpr std::size_t kLittle = 6;
  std::size_t k = i + 1;
  for (; k < code.instrs.size() && code.instrs[k].flow == exec::Flow::Next; ++k)
    if (!code.instrs[k].source || ptx::info(code.instrs[k].row).others != ptx::Others::Own ||
        k - i >= kLittle)
      return 0;
  if (k >= code.instrs.size() || k == i + 1) return 0;
  const Instr &first = code.instrs[i], &second = code.instrs[k];
  if (second.flow != exec::Flow::Branch || !second.source || second.target <= k ||
      second.source->guard == ptx::kNoIndex)
    return 0;
  // Both have to hold, or one of them is enough.
  if (first.target != second.target && first.target != k + 1) return 0;
  return read_only_within(code, i + 1, k, second.target) ? k : 0;
}

// Behind the ways of a branch, of which the first begins behind `begin`, if all of them together are very short.
std::size_t short_until(const exec::Code& code, std::size_t begin, std::size_t meet) {
  constexpr std::size_t kFew = 7;
  for (std::size_t k = begin + 1; k < meet; ++k) {
    const Instr& in = code.instrs[k];
    if (in.source && calls(in.row, *in.source)) return 0;
    if (in.flow == exec::Flow::Next) continue;
    // A way may end with a branch over the next one: all of them together must be short. One without a source was put in
    // where the ways were laid out in another order.
    if (in.flow != exec::Flow::Branch || in.target <= k ||
        (in.source && in.source->guard != ptx::kNoIndex))
      return 0;
    meet = std::max<std::size_t>(meet, in.target);
  }
  return meet - begin <= kFew + 1 ? meet : 0;
}

}  // namespace

std::size_t predicated_until(const exec::Code& code, std::size_t i) {
  const Instr& branch = code.instrs[i];
  if (branch.flow != exec::Flow::Branch || branch.target <= i) return 0;
  if (branch.source && branch.source->guard != ptx::kNoIndex)
    if (const std::size_t second = second_half(code, i))
      return short_until(code, second, code.instrs[second].target);
  return short_until(code, i, branch.target);
}

std::size_t guarded_until(const exec::Code& code, std::size_t i) {
  if (const std::size_t end = predicated_until(code, i)) return end;
  return skips_little(code, i) && !selects(code, i) ? code.instrs[i].target : 0;
}

std::vector<Tally> as_issued(const exec::Code& code, std::span<const Tally> tally) {
  std::vector<Tally> issued(tally.begin(), tally.end());
  for (std::size_t i = 0; i < issued.size(); ++i) {
    if (code.instrs[i].flow != exec::Flow::Branch || issued[i].executed == 0) continue;
    std::size_t end = predicated_until(code, i);
    if (end == 0 && skips_little(code, i)) end = code.instrs[i].target;
    for (std::size_t k = i + 1; k < end; ++k) {
      const Instr& in = code.instrs[k];
      const bool computes = in.source && ptx::info(in.row).others == ptx::Others::Own;
      if (computes) issued[k].executed = std::max(issued[k].executed, issued[i].executed);
    }
  }
  return issued;
}

double parting_share(const exec::Code& code, std::span<const Tally> tally, std::size_t i) {
  if (code.instrs[i].flow != exec::Flow::Branch || tally[i].divergent == 0) return 0;
  if (predicated_until(code, i) || selects(code, i)) return 0;
  return static_cast<double>(tally[i].divergent) / static_cast<double>(tally[i].executed);
}

}  // namespace emu::observe

// SPDX-License-Identifier: MIT
#include "counters/branches.hpp"

#include <algorithm>

#include "counters/instruction_kinds.hpp"

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

std::size_t predicated_until(const exec::Code& code, std::size_t i) {
  constexpr std::size_t kFew = 7;
  const Instr& branch = code.instrs[i];
  std::size_t meet = branch.target;
  if (branch.flow != exec::Flow::Branch || meet <= i) return 0;
  for (std::size_t k = i + 1; k < meet; ++k) {
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
  return meet - i <= kFew + 1 ? meet : 0;
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

// SPDX-License-Identifier: MIT
#include "check/undefined.hpp"

#include <algorithm>
#include <bit>

#include "check/words.hpp"
#include "machine/kernel.hpp"
#include "shadow/operands.hpp"

namespace emu::check {

using ptx::Operand;
using ptx::Others;

void Undefined::begin() {
  warps_.clear();
  origins_.clear();
  concerns_.clear();
  told_.clear();
}

void Undefined::drop(const exec::Grid& grid) {
  std::erase_if(warps_, [&](const auto& kept) { return kept.first->block->grid == &grid; });
  if (warps_.empty()) origins_.clear();
}

void Undefined::end(const exec::Block& block) {
  for (const auto& warp : block.warps) warps_.erase(warp.get());
  if (warps_.empty()) origins_.clear();
}

bool Undefined::concerns(const exec::Code& code) {
  const auto [it, fresh] = concerns_.try_emplace(&code, false);
  if (fresh) {
    for (const exec::Instr& in : code.instrs) it->second |= in.row == ptx::Row::shfl;
  }
  return it->second;
}

const Undefined::Value* Undefined::find(const Values& values, const exec::Frame* frame,
                                        const Operand& op, LaneMask lanes) const {
  for (const Value& value : values) {
    if (value.frame == frame && (value.lanes & lanes) && names(op, value.reg)) return &value;
  }
  return nullptr;
}

void Undefined::set(Values& values, const exec::Frame* frame, const Operand& result, LaneMask lanes,
                    LaneMask undefined, std::size_t origin, bool copied) {
  each_register(result, [&](std::uint32_t reg) {
    for (Value& value : values) {
      if (value.frame != frame || value.reg != reg) continue;
      value.lanes = (value.lanes & ~lanes) | undefined;
      if (undefined) value.origin = origin;
      if (undefined) value.copied = copied;
      return;
    }
    if (undefined) values.push_back({frame, reg, undefined, origin, copied});
  });
  std::erase_if(values, [](const Value& value) { return value.lanes == 0; });
}

void Undefined::met(const exec::Warp& warp, const exec::Instr& in,
                    const observe::Meeting& meeting) {
  if (!meeting.from) return;
  const Operand& to = in.source->operands.front();
  const Operand& value = to.kind == Operand::Kind::Pair ? to.parts.front() : to;
  const auto known = warps_.find(&warp);
  const Operand& given = in.source->operands[1];
  LaneMask undefined = 0;
  std::size_t origin = origins_.size();
  for (LaneMask m = meeting.lanes; m; m &= m - 1) {
    const int lane = std::countr_zero(m), from = meeting.from[lane];
    const LaneMask source = LaneMask{1} << from;
    if (!(meeting.lanes & source)) {
      if (!shuffles_) continue;
      if (origin == origins_.size()) {
        origins_.push_back({&in, warp.frame->code, from, meeting.members, warp.live, {}});
      }
      undefined |= LaneMask{1} << lane;
    } else if (known != warps_.end()) {
      const Value* const passed = find(known->second, warp.frame, given, source);
      if (!passed) continue;
      if (!undefined) origin = passed->origin;
      undefined |= LaneMask{1} << lane;
    }
  }
  if (!undefined && known == warps_.end()) return;
  set(warps_[&warp], warp.frame, value, meeting.lanes, undefined, origin, false);
}

void Undefined::loads(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes, Tell tell) {
  Values& values = warps_[&warp];
  const auto same = std::find_if(values.begin(), values.end(), [&](const Value& value) {
    return value.frame == warp.frame && origins_[value.origin].in == &in;  // in a loop
  });
  const std::size_t origin = same == values.end() ? origins_.size() : same->origin;
  if (origin == origins_.size()) origins_.emplace_back();
  origins_[origin] = {&in, warp.frame->code, 0, 0, 0, std::move(tell)};
  set(values, warp.frame, in.source->operands.front(), lanes, lanes, origin, true);
}

void Undefined::instruction(const exec::Warp& warp, const exec::Instr& in, LaneMask active,
                            LaneMask on) {
  if (warps_.empty()) return;
  const auto it = warps_.find(&warp);
  if (it == warps_.end() || !in.source || in.row == ptx::Row::shfl) return;
  if (!uses(warp, in, it->second, active, on)) spread(warp, in, it->second, on);
  if (it->second.empty()) warps_.erase(it);
  if (warps_.empty()) origins_.clear();
}

// Whether it stores such a value or goes by it. Then it is told, and nothing more is said of the value.
bool Undefined::uses(const exec::Warp& warp, const exec::Instr& in, const Values& values,
                     LaneMask active, LaneMask on) {
  const ptx::Instruction& ins = *in.source;
  if (ins.guard != ptx::kNoIndex) {
    Operand guard;
    guard.reg = ins.guard;
    if (const Value* v = find(values, warp.frame, guard, active)) {
      found(warp, in, *v, active);
      return true;
    }
  }
  const bool seen =
      (ptx::is_access(ptx::info(ins.row).others) && !ins.has("param") && !ins.has("local")) ||
      in.flow == ptx::Flow::Sync;
  if (!seen || on == 0) return false;
  const bool stores = ptx::info(ins.row).others == Others::Store;
  for (std::size_t i = has_result(ins) ? 1 : 0; i < ins.operands.size(); ++i) {
    const Value* const v = find(values, warp.frame, ins.operands[i], on);
    if (!v || (stores && i == 1 && v->copied)) continue;
    found(warp, in, *v, on);
    return true;
  }
  return false;
}

// What is computed from such a value is one, too; a choice is what was chosen.
void Undefined::spread(const exec::Warp& warp, const exec::Instr& in, Values& values, LaneMask on) {
  const ptx::Instruction& ins = *in.source;
  if (!has_result(ins) || on == 0) return;
  LaneMask undefined = 0;
  std::size_t origin = 0;
  bool copied = ins.row == ptx::Row::mov || ins.row == ptx::Row::selp || ins.row == ptx::Row::cvt;
  const auto take = [&](const Operand& op, LaneMask lanes) {
    for (const Value& value : values) {
      if (value.frame != warp.frame || !(value.lanes & lanes) || !names(op, value.reg)) continue;
      undefined |= value.lanes & lanes;
      origin = value.origin;
      copied &= value.copied;
    }
  };
  const bool reads_memory = ptx::info(ins.row).others != Others::Own;
  if (ins.row == ptx::Row::selp) {
    const LaneMask first = warp.predicate(in.src[2]) ^ static_cast<LaneMask>(in.imm);
    take(ins.operands[1], on & first);
    take(ins.operands[2], on & ~first);
    take(ins.operands[3], on);
  } else if (!reads_memory) {
    for (std::size_t i = 1; i < ins.operands.size(); ++i) take(ins.operands[i], on);
  }
  set(values, warp.frame, ins.operands.front(), on, undefined, origin, copied);
}

void Undefined::found(const exec::Warp& warp, const exec::Instr& in, const Value& value,
                      LaneMask lanes) {
  const Origin& origin = origins_[value.origin];
  if (const auto it = told_.find(origin.in); it != told_.end()) return findings_.again(it->second);
  const int lane = std::countr_zero(value.lanes & lanes);
  if (origin.tell) {
    told_[origin.in] = findings_.add(origin.tell(lane));
    return;
  }
  const exec::Grid& grid = *warp.block->grid;
  const bool exited = origin.members >> origin.from & 1;
  Finding f;
  f.check = Check::Sync;
  f.id = "sync-shuffle";
  f.title = "shuffle from a lane that takes no part,";
  f.kernel = grid.kernel->pretty;
  f.what = "a value of lane " + std::to_string(origin.from) + ", " +
           (exited ? "which the mask " + mask_text(origin.members) + " names, but which has exited"
                   : "which the mask " + mask_text(origin.members) + " does not name");
  Party first, then;
  first.who = then.who = thread_text(grid, warp.block->linear, warp.id, lane);
  first.does = "gets it";
  then.does = "uses it";
  set_source(first, {.in = origin.in, .code = origin.code});
  set_source(then, {.in = &in, .code = warp.frame->code});
  f.parties = {std::move(first), std::move(then)};
  f.why =
      "a shuffle gives what lanes hold that take part in it; from any other the value is undefined";
  f.cure = exited
               ? "let all lanes come to the shuffle: put the check of the index around the load, "
                 "with no early return"
               : "name in the mask every lane that is read and let it take part, or use the value "
                 "only where its lane is inside";
  told_[origin.in] = findings_.add(std::move(f));
}

}  // namespace emu::check

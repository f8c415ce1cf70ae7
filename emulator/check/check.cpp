// SPDX-License-Identifier: MIT
#include "check/check.hpp"

#include <algorithm>

#include "control/meeting.hpp"

namespace emu::check {

std::optional<Wanted> parse_wanted(std::string_view text, std::string& wrong) {
  Wanted wanted;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    text.remove_prefix(comma == text.npos ? text.size() : comma + 1);
    const bool all = word == "1" || word == "all";
    if (all || word == "race") wanted.race = true;
    if (all || word == "init") wanted.init = true;
    if (all || word == "sync") wanted.sync = true;
    if (all || word == "api") wanted.api = true;
    if (all || word == "leak") wanted.leak = true;
    const auto names = {"race", "init", "sync", "api", "leak"};
    if (all || std::find(names.begin(), names.end(), word) != names.end()) continue;
    wrong = word;
    return std::nullopt;
  }
  return wanted;
}

Checker::Checker(Wanted wanted, Findings& findings) : wanted_(wanted) {
  if (wanted.race)
    races_ = std::make_unique<Races>(findings, wanted.records, wanted.several_devices);
  if (wanted.sync) syncs_ = std::make_unique<Syncs>(findings);
  if (wanted.sync || wanted.init) {
    undefined_ = std::make_unique<Undefined>(findings, wanted.sync);
  }
  if (wanted.init) written_ = std::make_unique<Written>(findings, *undefined_);
  name_devices(wanted.several_devices);
}

// Which nobody reads: with them the engine does not call for every instruction.
observe::Passes* Checker::passes(const exec::Code& code) {
  auto& passes = passes_[&code];
  passes.resize(code.instrs.size() + 1);
  return passes.data();
}

bool Checker::wants_each(const exec::Code& code) { return syncs_ && undefined_->concerns(code); }

void Checker::instruction(const exec::Warp& warp, const exec::Instr& in, LaneMask active,
                          LaneMask on) {
  if (!undefined_) return;
  undefined_->instruction(warp, in, active, on);
  follows = undefined_->any();
}

void Checker::kernel_begin(const exec::Grid& grid) {
  // What is kept for each launch is keyed by its code, warps and blocks: where another one runs, it stays.
  if (running_++ == 0) {
    passes_.clear();
    if (undefined_) undefined_->begin();
    follows = false;
    if (syncs_) syncs_->begin();
    if (written_) written_->begin();
  }
  if (races_) races_->begin(grid);
  if (written_) written_->begin(grid);
}

void Checker::kernel_end(const exec::Grid& grid) {
  --running_;
  if (races_) races_->end(grid);
}

void Checker::kernel_failed(const exec::Grid& grid) {
  if (syncs_) syncs_->drop(grid);
  if (undefined_) undefined_->drop(grid);
  if (written_) written_->drop(grid);
  kernel_end(grid);
}

void Checker::memory(const exec::Warp& warp, const exec::Instr& in,
                     const observe::MemoryAccess& access) {
  if (races_) races_->access(warp, in, access);
  if (syncs_) syncs_->memory(warp, in, access.mask);
  if (!written_) return;
  written_->access(warp, in, access);
  follows = undefined_->any();
}

void Checker::block_begin(const exec::Block& block) {
  if (races_) races_->start(block);
  if (written_) written_->start(block);
}

void Checker::block_end(const exec::Block& block) {
  if (races_) races_->end(block);
  if (syncs_) syncs_->end(block);
  if (undefined_) undefined_->end(block);
  if (written_) written_->end(block);
}

void Checker::met(const exec::Warp& warp, const exec::Instr& in, const observe::Meeting& meeting) {
  if (undefined_) undefined_->met(warp, in, meeting);
  if (syncs_) syncs_->met(warp, in, meeting);
  if (!races_) return;
  const Who me = races_->clocks.who(warp);
  if (me.block) races_->clocks.meet(me, meeting.lanes, warp.live);
}

void Checker::arrived(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes,
                      std::uint32_t id) {
  if (syncs_ && id != observe::kClusterBarrier) syncs_->arrived(warp, in, lanes, id);
  if (!races_) return;
  const Who me = races_->clocks.who(warp);
  if (!me.block) return;
  if (id == observe::kClusterBarrier) {
    if (!in.source->has("relaxed")) races_->clocks.arrive_cluster(me, lanes);
    return;
  }
  races_->clocks.arrive(me, lanes, id, static_cast<const exec::BarrierOp*>(in.extra)->waits);
}

void Checker::completed(const exec::Block& block, std::uint32_t id) {
  if (races_) races_->clocks.complete(block, id);
  if (syncs_) syncs_->completed(block, id);
}

void Checker::left(const exec::Warp& warp, LaneMask lanes, std::uint32_t id) {
  if (!races_) return;
  const Who me = races_->clocks.who(warp);
  if (!me.block) return;
  if (id == observe::kClusterBarrier) {
    races_->clocks.leave_cluster(me, lanes);
  } else {
    races_->clocks.leave(me, lanes, id);
  }
}

void Checker::written(std::uint64_t address, std::uint64_t bytes) {
  if (written_) written_->note({nullptr, address}, bytes);
}

void Checker::freed(std::uint64_t address, std::uint64_t bytes) {
  if (races_) races_->freed(address, bytes);
  if (written_) written_->freed(address, bytes);
}

void Checker::fenced(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes) {
  if (races_) races_->fence(warp, in, lanes);
}

void Checker::mbarrier(const exec::Warp& warp, const exec::Instr& in,
                       const observe::MbarrierUse& use) {
  if (races_) races_->mbarrier(warp, in, use);
  if (written_) written_->note({use.block, use.offset}, 8);
}

std::uint64_t Checker::copying(const exec::Warp& warp, const exec::Instr& in,
                               const observe::AsyncCopy& copy) {
  if (written_) written_->note(copy.to, copy.bytes);
  return races_ ? races_->copying(warp, in, copy) : 0;
}

void Checker::copy_waited(const exec::Warp& warp, std::uint64_t copy, bool read) {
  if (races_) races_->copy_waited(warp, copy, read);
}

void Checker::copy_counted(const exec::Block& block, std::uint32_t offset, bool phase,
                           std::uint64_t copy) {
  if (races_) races_->copy_counted(block, offset, phase, copy);
}

}  // namespace emu::check

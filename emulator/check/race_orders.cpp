// SPDX-License-Identifier: MIT
// What the instructions that order threads do to the clocks: fences, mbarriers, asynchronous copies.
#include <bit>

#include "check/races.hpp"

namespace emu::check {

void Races::fence(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes) {
  const Who me = clocks.who(warp);
  if (!me.block) return;
  const ptx::Instruction& ins = *in.source;
  bool acquires = ins.has("acquire") || ins.has("acq_rel");
  bool releases = ins.has("release") || ins.has("acq_rel");
  if (in.row == ptx::Row::fence_proxy && !acquires && !releases) return;
  if (!acquires && !releases) acquires = releases = true;
  const Scope scope = scope_of(ins, Scope::Gpu);
  for (LaneMask m = lanes; m; m &= m - 1) {
    clocks.fence(me, std::countr_zero(m), acquires, releases, scope);
  }
}

void Races::mbarrier(const exec::Warp& warp, const exec::Instr& in,
                     const observe::MbarrierUse& use_of) {
  const Who me = clocks.who(warp);
  const auto shared = shared_of(*use_of.block);
  if (!me.block || !shared) return;
  using enum observe::MbarrierStep;
  const bool made = use_of.step == Init || use_of.step == Invalidate;
  RunningLaunch& launch = running(*warp.block->grid);
  const std::uint32_t number = sites_.of(launch.sites, warp, in, !made, use_of.step != Wait, false);
  Context x{warp, me, number, !made, use_of.step != Wait, !made, 8, nullptr};
  use(x, use_of.lane, {use_of.offset, 8, use_of.block}, record(x, shared->records, 0),
      shared->shadow, shared->records);
  auto& phases = shared->phases[use_of.offset];
  View& phase = phases[use_of.phase];
  if (use_of.step == Arrive && !in.source->has("relaxed")) {
    clocks.release_into(me, use_of.lane, phase);
  } else if (use_of.step == Wait && !in.source->has("relaxed")) {
    clocks.acquire(me, use_of.lane, phase);
  }
}

// ---- asynchronous copies

std::uint32_t Races::copy_side(const exec::Warp& warp, const exec::Instr& in,
                               const observe::AsyncCopy& copy, bool writes, std::uint32_t agent,
                               std::shared_ptr<Shared>& shared) {
  const observe::CopyPlace& place = writes ? copy.to : copy.from;
  const std::uint32_t bytes = writes ? copy.bytes : copy.source_bytes;
  if (bytes == 0) return 0;
  const Who me = clocks.who(warp);
  const bool reads = !writes || copy.reduces;
  RunningLaunch& launch = running(*warp.block->grid);
  const std::uint32_t number = sites_.of(launch.sites, warp, in, reads, writes, true);
  Context x{warp, me, number, reads, writes, copy.reduces, bytes, nullptr};
  if (place.block) {
    shared = shared_of(*place.block);
    if (!shared) return 0;
    const std::uint32_t mine = record(x, shared->records, agent);
    use(x, copy.lane, {place.at, bytes, place.block}, mine, shared->shadow, shared->records);
    return mine;
  }
  const std::uint32_t mine = record(x, records_, agent);
  use_range(x, copy.lane, place.at, bytes, mine);
  return mine;
}

std::uint64_t Races::copying(const exec::Warp& warp, const exec::Instr& in,
                             const observe::AsyncCopy& copy) {
  if (!clocks.who(warp).block) return 0;
  if (records_.many()) forget_unused(nullptr);
  if (is_full(records_, running(*warp.block->grid))) return 0;
  KeptCopy c;
  c.agent = clocks.new_agent();
  c.from = copy_side(warp, in, copy, false, c.agent, c.from_shared);
  c.to = copy_side(warp, in, copy, true, c.agent, c.to_shared);
  copies_.push_back(std::move(c));
  return copies_.size();
}

void Races::copy_waited(const exec::Warp& warp, std::uint64_t number, bool read) {
  const Who me = clocks.who(warp);
  if (!me.block || number == 0 || number > copies_.size()) return;
  const KeptCopy& c = copies_[number - 1];
  const auto end = [&](const std::shared_ptr<Shared>& shared, std::uint32_t i) {
    if (i == 0) return;
    Record& r = (shared ? shared->records : records_)[i];
    r.agent = 0;
    r.time = me.since();
  };
  end(c.from_shared, c.from);
  if (!read) end(c.to_shared, c.to);
}

void Races::copy_counted(const exec::Block& block, std::uint32_t offset, bool phase,
                         std::uint64_t number) {
  const auto shared = shared_of(block);
  if (!shared || number == 0 || number > copies_.size()) return;
  clocks.mark(shared->phases[offset][phase], copies_[number - 1].agent);
}

}  // namespace emu::check

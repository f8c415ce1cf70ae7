// SPDX-License-Identifier: MIT
#include "check/syncs.hpp"

#include <algorithm>
#include <bit>

#include "check/words.hpp"
#include "control/meeting.hpp"
#include "machine/kernel.hpp"
#include "shadow/operands.hpp"

namespace emu::check {
namespace {

using exec::Instr;
using exec::Warp;

Party party_of(const Warp& warp, const Instr& in, const exec::Code& code, LaneMask lanes,
               std::string does) {
  Party party;
  party.who = lanes_text(warp, lanes);
  party.does = std::move(does);
  set_source(party, {.in = &in, .code = &code});
  return party;
}

// NVIDIA's groups of whoever is there are meant so.
bool in_groups(const Party& party) {
  for (const std::string& line : party.inlined) {
    if (line.find("coalesced") != line.npos || line.find("cooperative_groups") != line.npos ||
        line.find("cub") != line.npos)
      return true;
  }
  return false;
}

// Whether what lies behind `from` leads back to `to`: then lanes there may come to it again.
bool leads_back(const exec::Code& code, const Instr* from, const Instr* to) {
  const auto at = static_cast<std::uint32_t>(to - code.instrs.data());
  for (const Instr* in = from; in < code.instrs.data() + code.instrs.size(); ++in) {
    if (in->back_edge && in->target <= at) return true;
  }
  return false;
}

LaneMask lanes_there(const Warp& warp) {
  const std::uint32_t n = warp.block->threads - warp.id * kLanes;
  return n >= kLanes ? exec::kAllLanes : (LaneMask{1} << n) - 1;
}

}  // namespace

void Syncs::begin() {
  rounds_.clear();
  passings_.clear();
  masks_.clear();
  told_.clear();
}

void Syncs::drop(const exec::Grid& grid) {
  std::erase_if(rounds_, [&](const auto& kept) { return kept.first->grid == &grid; });
  std::erase_if(passings_, [&](const Passing& p) { return p.waits.warp->block->grid == &grid; });
}

void Syncs::end(const exec::Block& block) {
  rounds_.erase(&block);
  std::erase_if(passings_, [&](const Passing& p) { return p.waits.warp->block == &block; });
}

Finding Syncs::start(const Warp& warp, std::string id, std::string title) const {
  Finding f;
  f.check = Check::Sync;
  f.id = std::move(id);
  f.title = std::move(title);
  f.kernel = warp.block->grid->kernel->pretty;
  return f;
}

void Syncs::tell(const Instr& key, Finding finding) {
  const std::string name = finding.id + std::to_string(reinterpret_cast<std::uintptr_t>(&key));
  const auto it = told_.find(name);
  if (it != told_.end()) return findings_.again(it->second);
  told_[name] = findings_.add(std::move(finding));
}

// ---- lanes of a warp

void Syncs::met(const Warp& warp, const Instr& in, const observe::Meeting& meeting) {
  if (meeting.lanes == exec::kAllLanes) return;
  if (const LaneMask gone = meeting.members & lanes_there(warp) & ~warp.live) {
    exited(warp, in, meeting.lanes, gone, meeting.members);
  }
  if (meeting.from && !in.source->has("idx") && meeting.lanes != warp.live &&
      from_activemask(*warp.frame->code, in)) {
    branch_mask(warp, in, meeting.lanes);
  }
}

// CUDA asks for those only that have not exited; who wrote all lanes may have meant all, though.
void Syncs::exited(const Warp& warp, const Instr& in, LaneMask lanes, LaneMask gone,
                   LaneMask members) {
  if (const Passing* const p = passing(warp, &in)) {
    Finding f = start(warp, "sync-passed-by", "mask that names lanes which do not come,");
    f.what = "the mask " + mask_text(members) + " names " + lanes_word(gone) +
             " too, which took another way";
    f.parties = {party_of(warp, in, *p->waits.code, lanes, "wait for them"),
                 party_of(warp, *p->in, *p->waits.code, p->lanes, "go on behind it")};
    f.why =
        "a group that is made in a branch, or a mask of all lanes, holds only where all of them "
        "come";
    f.cure =
        "make the group before the branch and let all its lanes come, or make it of those that "
        "take "
        "the branch: cg::coalesced_threads(), or __ballot_sync() in front of the branch";
    return tell(in, std::move(f));
  }
  if (ptx::info(in.row).counted == ptx::Counted::Shuffle) return;  // what is read is followed
  Finding f = start(warp, "sync-exited-lanes", "mask that names lanes which have exited,");
  f.parties = {party_of(warp, in, *warp.frame->code, lanes, "are there")};
  if (in_groups(f.parties.front())) return;
  f.remark = true;
  f.what =
      "the mask " + mask_text(members) + " names " + lanes_word(gone) + " too, which ended before";
  f.why = "nobody waits for lanes that have exited, and what they held is lost to the others";
  f.cure = "if it shall count them too: let all lanes come here, with no early return";
  tell(in, std::move(f));
}

bool Syncs::from_activemask(const exec::Code& code, const Instr& in) {
  const auto [it, fresh] = masks_.try_emplace(&in, false);
  if (!fresh) return it->second;
  std::vector<std::uint32_t> registers;
  each_register(in.source->operands.back(), [&](std::uint32_t reg) { registers.push_back(reg); });
  for (std::size_t i = 0; i < registers.size() && i < 16; ++i) {
    for (const ptx::Instruction& ins : code.function->code) {
      if (!has_result(ins) || !names(ins.operands.front(), registers[i])) continue;
      if (ins.row == ptx::Row::activemask) return masks_[&in] = true;
      if (ins.row != ptx::Row::mov) continue;
      each_register(ins.operands[1], [&](std::uint32_t reg) { registers.push_back(reg); });
    }
  }
  return false;
}

void Syncs::branch_mask(const Warp& warp, const Instr& in, LaneMask lanes) {
  Finding f = start(warp, "sync-activemask", "mask of __activemask() taken for that of a branch,");
  f.parties = {party_of(warp, in, *warp.frame->code, lanes, "are there this time")};
  if (in_groups(f.parties.front())) return;
  f.what =
      "a shuffle by a distance among the lanes that ran together when __activemask() was asked";
  f.why =
      "lanes that take the same branch need not run together: on a GPU it may be any of them, and "
      "a "
      "lane that is read may be missing";
  f.cure =
      "make the mask before the branch, where all lanes are: unsigned mask = "
      "__ballot_sync(0xffffffff, condition)";
  tell(in, std::move(f));
}

// ---- warps of a block

void Syncs::arrived(const Warp& warp, const Instr& in, LaneMask lanes, std::uint32_t id) {
  const auto& op = *static_cast<const exec::BarrierOp*>(in.extra);
  const exec::Code& code = *warp.frame->code;
  const std::uint32_t count =
      op.counted ? warp.lanes<std::uint32_t>(in.src[1])[std::countr_zero(lanes)] : 0;
  Arrival& first = rounds_[warp.block][id];
  const Arrival now{&warp, &in, &code, lanes, count};
  if (!first.in) {
    first = now;
    return;
  }
  if (first.in == &in) return;
  const auto threads = [](std::uint32_t n) {
    return n ? "for " + std::to_string(n) + " threads" : std::string("for all threads");
  };
  const std::string barrier = "barrier " + std::to_string(id);
  if (first.count != count) {
    Finding f = start(warp, "sync-barrier-count", "barrier with two numbers of threads,");
    f.what = barrier;
    f.parties = {
        party_of(*first.warp, *first.in, *first.code, first.lanes, "come " + threads(first.count)),
        party_of(warp, in, code, lanes, "come " + threads(count))};
    f.why = "all that meet at a barrier must say the same number, or it opens too early or never";
    f.cure = "the same number at both places, that of all threads that wait and arrive";
    return tell(in, std::move(f));
  }
  if (count != 0) return;  // places of their own for producers and consumers are usual
  Finding f = start(warp, "sync-two-places", "__syncthreads() at two places at once,");
  f.remark = true;
  f.what = barrier;
  f.parties = {party_of(*first.warp, *first.in, *first.code, first.lanes, "wait"),
               party_of(warp, in, code, lanes, "come to it")};
  if (f.parties[0].where == f.parties[1].where) return;
  f.why =
      "warps of one block took different branches; CUDA allows __syncthreads() in a branch only if "
      "all threads of the block take it";
  f.cure = "one __syncthreads() behind the branch";
  tell(in, std::move(f));
}

void Syncs::completed(const exec::Block& block, std::uint32_t id) {
  if (const auto it = rounds_.find(&block); it != rounds_.end()) it->second[id] = {};
  if (passings_.empty()) return;
  for (const auto& warp : block.warps) {
    for (const exec::Split& s : warp->splits) {
      if (s.state != exec::Split::State::Barrier || s.wait_id != id) continue;
      if (const Passing* const p = passing(*warp, s.waits_at)) barrier_passed(*p);
    }
  }
}

// ---- lanes that go round a place at which others of their warp wait for them

// Perhaps: they may come to such a place of their own. Told when they have ended.
void Syncs::note_passing(const Warp& warp, const Instr& in, LaneMask lanes) {
  for (const exec::Split& s : warp.splits) {
    const bool meets = s.state == exec::Split::State::WarpSync && (s.wait_id & lanes);
    const bool waits = s.state == exec::Split::State::Barrier && !s.counted &&
                       static_cast<const exec::BarrierOp*>(s.waits_at->extra)->aligned;
    if ((!meets && !waits) || s.frame != warp.frame || &in <= s.waits_at) continue;
    const exec::Code& code = *warp.frame->code;
    if (leads_back(code, &in, s.waits_at)) continue;
    const auto same = [&](const Passing& p) {
      return p.waits.warp == &warp && p.waits.in == s.waits_at;
    };
    if (std::any_of(passings_.begin(), passings_.end(), same)) continue;
    passings_.push_back({{&warp, s.waits_at, &code, s.mask, 0}, &in, lanes});
  }
}

const Syncs::Passing* Syncs::passing(const Warp& warp, const Instr* at) const {
  for (const Passing& p : passings_) {
    if (p.waits.warp == &warp && p.waits.in == at && (p.lanes & ~warp.live)) return &p;
  }
  return nullptr;
}

void Syncs::barrier_passed(const Passing& p) {
  const Warp& warp = *p.waits.warp;
  Finding f = start(warp, "sync-divergent-barrier", "divergent barrier,");
  f.what = "some lanes of a warp wait at __syncthreads(), and others go round it";
  f.parties = {party_of(warp, *p.waits.in, *p.waits.code, p.waits.lanes, "wait"),
               party_of(warp, *p.in, *p.waits.code, p.lanes, "go on behind it")};
  f.why = "__syncthreads() is for all threads of the block: all must come to it";
  f.cure = "move __syncthreads() out of the branch, so that all threads reach it";
  tell(*p.waits.in, std::move(f));
}

}  // namespace emu::check

// SPDX-License-Identifier: MIT
// What is said of a race: who, where, why nothing orders it, what would.
#include <cstring>
#include <utility>

#include "access/access.hpp"
#include "check/races.hpp"
#include "machine/kernel.hpp"

namespace emu::check {
namespace {

std::string does(const Site& site, const std::string& value) {
  const std::string of = value.empty() ? "" : " " + value;
  if (site.copies)
    return site.writes ? "copies to it asynchronously" : "copies from it asynchronously";
  if (site.mbarrier) {
    return site.in->row == ptx::Row::mbarrier_init ? "makes an mbarrier of it"
                                                   : "uses the mbarrier";
  }
  if (site.reads && site.writes) return "changes it atomically";
  if (site.writes) return "writes" + of;
  return "reads" + of;
}

struct Reason {
  std::string why, cure;
};

std::string between(const Party& a, const Party& b, const std::string& what) {
  if (a.where == b.where) {
    return "an atomic function if it adds to what is there; else read into a register, then " +
           what + ", then write";
  }
  if (a.file == b.file && a.line > b.line) return between(b, a, what);
  return what + " between " + a.where + " and " + b.where;
}

Reason of_copy(const Party& a, const Party& b) {
  return {"an asynchronous copy is under way until somebody waits for it",
          between(a, b,
                  "wait for the copy (cp.async.wait_group, or the barrier that counts it), "
                  "then synchronise the block,")};
}

Reason of_volatile(const Site& a, const Site& b) {
  return {std::string(
              "volatile keeps an access whole, but it orders nothing, and nothing else does: ") +
              (a.writes && b.writes ? "either value may stay" : "what is read may be old or new"),
          "an atomic function; or order them, by a barrier, or by a lock or a flag with "
          "__threadfence() "
          "before it is passed on and after it was taken"};
}

Reason of_blocks(const Site& a, const Site& b, bool one_cluster, const Party& pa, const Party& pb) {
  if (a.strong && b.strong) {
    const Scope scope = std::min(a.order.scope, b.order.scope);
    return {"the threads are of two blocks, and the scope of one access is the " +
                scope_name(scope) + ": it is atomic there only",
            "the scope of the device: atomicAdd() instead of atomicAdd_block(), "
            "cuda::thread_scope_device"};
  }
  if (a.strong || b.strong) {
    return {
        "the threads are of two blocks, and only one of the two accesses is atomic",
        "make both accesses atomic (atomicAdd(), cuda::atomic_ref), or put them into two kernels"};
  }
  if (one_cluster) {
    return {
        "the threads are of two blocks of one cluster, and no barrier of the cluster lies between",
        between(pa, pb, "cluster.sync()")};
  }
  // One line that reads and writes is most often a sum.
  const std::string both = pa.where == pb.where   ? "an atomic function (atomicAdd())"
                           : a.writes && b.writes ? "an atomic (atomicAdd(), atomicExch())"
                                                  : "";
  return {"the threads are of two blocks, which run in any order and at the same time",
          (both.empty() ? "" : both + ", or ") +
              "two kernels, grid.sync() in a cooperative launch, or a flag that is set after "
              "__threadfence() and followed by one where it is read"};
}

Reason of_warp(const Site& a, const Site& b, const Party& pa, const Party& pb) {
  if (a.writes && b.writes && a.in == b.in) {
    return {"lanes of one warp store different values at once, and any of them may stay",
            "one lane that writes, or an atomic"};
  }
  if (a.is_volatile && b.is_volatile) {
    return {
        "volatile orders nothing: the threads are lanes of one warp, which need not run together, "
        "and no __syncwarp() lies between",
        between(pa, pb, "__syncwarp()")};
  }
  if (a.strong != b.strong) {
    return {"the threads are lanes of one warp, and only one of the two accesses is atomic",
            "make both accesses atomic (a volatile read is), or put __syncwarp() between them"};
  }
  return {
      "the threads are lanes of one warp, which need not run together, and no __syncwarp() lies "
      "between",
      between(pa, pb, "__syncwarp()")};
}

Reason of_block(const Site& a, const Site& b, const Party& pa, const Party& pb) {
  if (a.strong != b.strong) {
    return {
        "the threads are of one block, only one of the two accesses is atomic, and no "
        "__syncthreads() lies between",
        "make both accesses atomic, or " + between(pa, pb, "__syncthreads()")};
  }
  return {"the threads are of two warps of one block, and no __syncthreads() lies between",
          between(pa, pb, "__syncthreads()")};
}

}  // namespace

// Whether both store the same bits here. Lanes of one instruction store at the same time, so that
// memory does not tell yet what the other one stores.
bool Races::writes_the_same(const Context& x, int lane, Slot before, const Records& records,
                            const Place& place) const {
  const Site& now = sites_[x.site];
  if (!x.access || !now.in->access || x.reads || !before.writes()) return false;
  const Record& r = records[before.record()];
  if (sites_[r.site].reads || sites_[r.site].copies) return false;
  const std::string mine = stored_value(x.warp, now, lane, x.access->addresses[lane], place);
  const bool together = r.warp == x.me.warp->number && r.site == x.site &&
                        (x.access->mask >> before.lane() & 1) && before.lane() < lane &&
                        x.access->addresses[before.lane()] == x.access->addresses[lane];
  if (together) {
    return stored_value(x.warp, now, before.lane(), x.access->addresses[lane], place) == mine;
  }
  return memory_value(place, now) == mine;
}

void Races::found(Context& x, int lane, Slot before, const Records& records, const Place& place) {
  const Record& r = records[before.record()];
  const bool same = writes_the_same(x, lane, before, records, place);
  if (same && r.warp == x.me.warp->number && r.site == x.site) return;
  const bool other = is_other(x, r);
  const bool two_blocks = other || clocks.block_of(r.warp) != x.me.block->number;
  const Reach reach = two_blocks                    ? Reach::Blocks
                      : r.warp != x.me.warp->number ? Reach::Block
                                                    : Reach::Warp;
  // What orders lanes of one warp may not be enough: the same two lines are told for the widest reach
  // that the launch has shown.
  const bool remark = same || in_step(x, r, place);
  const std::uint64_t pair = std::uint64_t{r.site} << 32 | x.site << 1 | remark;
  if (!remark && strong_together(x, r)) {
    return doubts_.add(pair, place, reach, [&] {
      return other ? describe_other(x, lane, before, place, same)
                   : describe(x, lane, before, records, place);
    });
  }
  const auto it = told_.find(pair);
  if (it != told_.end() && reach <= it->second.second) return findings_.again(it->second.first);
  Finding f = other ? describe_other(x, lane, before, place, same)
                    : describe(x, lane, before, records, place);
  f.reach = reach;
  const bool widest = reach == (place.block ? Reach::Block : Reach::Blocks);
  const auto tell = widest || remark ? Findings::Tell::Now : Findings::Tell::Later;
  told_[pair] = {findings_.add(std::move(f), tell), reach};
}

bool Races::is_full(const Records& records, RunningLaunch& launch) {
  if (!records.full()) return false;
  say_limit(launch, "more than " + std::to_string(most_) +
                        " accesses are to be told apart: those that came after were not looked at");
  return true;
}

void Races::say_limit(RunningLaunch& launch, const std::string& what) {
  if (!std::exchange(launch.limited, true)) say_limit(launch.launch.kernel, what);
}

void Races::say_limit(const std::string& kernel, const std::string& what) {
  Finding f;
  f.check = Check::Race;
  f.id = "race-not-all";
  f.remark = true;
  f.title = "races may be missed,";
  f.kernel = kernel;
  f.what = what;
  f.why = "the checks take at most four times the memory of the program";
  f.cure = "a smaller input: a race shows in a small one, too";
  findings_.add(std::move(f));
}

Finding Races::describe(Context& x, int lane, Slot before, const Records& records,
                        const Place& place) {
  const Record& r = records[before.record()];
  const bool same = writes_the_same(x, lane, before, records, place);
  const exec::Grid& grid = *x.warp.block->grid;
  const Site &a = sites_[r.site], &b = sites_[x.site];
  const KeptLaunch& launch = x.launch();
  const std::uint64_t block = launch.block_of(r.warp), mine = x.me.block->number;
  const auto who = [&](std::uint64_t of, std::uint32_t warp, int i) {
    return thread_text(grid, of - launch.first_block,
                       (warp - launch.first_warp) % launch.warps_per_block, i);
  };
  Finding f;
  f.check = Check::Race;
  const bool step = in_step(x, r, place);
  f.remark = same || step;
  f.kernel = grid.kernel->pretty;
  const bool shared = place.block != nullptr;
  f.id = std::string("race-") + (shared ? "shared" : "global") +
         (same   ? "-same-value"
          : step ? "-in-step"
                 : "");
  f.title = std::string(same   ? "two stores of the same value"
                        : step ? "volatile accesses that count on lanes in step"
                               : "race") +
            " in " + (shared ? "shared" : "global") + " memory,";
  f.what = place_text(grid, place, b);
  Party first, then;
  first.who = who(block, r.warp, before.lane());
  first.does = does(a, a.copies || (a.reads && a.writes) ? "" : memory_value(place, a));
  set_source(first, a);
  then.who = who(mine, x.me.warp->number, lane);
  then.does = does(b, b.reads    ? (b.writes ? "" : memory_value(place, b))
                      : x.access ? stored_value(x.warp, b, lane, x.access->addresses[lane], place)
                                 : "");
  set_source(then, b);
  Reason reason;
  if (a.copies || b.copies) {
    reason = of_copy(first, then);
  } else if (!step && strong_together(x, r)) {
    reason = of_volatile(a, b);
  } else if (block != mine) {
    const bool cluster = x.warp.block->cluster.size() > 1 &&
                         launch.cluster_of(block) == x.me.block->cluster && shared;
    reason = of_blocks(a, b, cluster, first, then);
  } else if (r.warp == x.me.warp->number) {
    reason = of_warp(a, b, first, then);
  } else {
    reason = of_block(a, b, first, then);
  }
  f.why = reason.why;
  f.cure = reason.cure;
  f.parties = {std::move(first), std::move(then)};
  return f;
}

}  // namespace emu::check

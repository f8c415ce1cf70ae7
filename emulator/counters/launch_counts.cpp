// SPDX-License-Identifier: MIT
// The end of a launch: what follows from what was counted, by line and in all.
#include <algorithm>
#include <map>

#include "counters/caches/level2.hpp"
#include "counters/counting.hpp"
#include "counters/ptxas/instruction_kinds.hpp"
#include "machine/grid.hpp"
#include "machine/kernel.hpp"
#include "machine/source_place.hpp"

namespace emu::observe {

using u64 = std::uint64_t;
using exec::Instr;
using ptx::Row;

void Counting::kernel_end(const exec::Grid& grid) { finish(grid, false); }
void Counting::kernel_failed(const exec::Grid& grid) { finish(grid, true); }

void Counting::finish(const exec::Grid& grid, bool failed) {
  last_ = {};
  last_.kernel = grid.kernel->pretty;
  last_.mangled = grid.kernel->name;
  last_.grid = {grid.grid.x, grid.grid.y, grid.grid.z};
  last_.block = {grid.block.x, grid.block.y, grid.block.z};
  last_.cluster = {grid.cluster.x, grid.cluster.y, grid.cluster.z};
  last_.failed = failed;
  footprint_.end_launch();
  add_up();
  fill_figures(grid);
  found_ = level1_.play(next_number_);
  fill_caches();
  for (const Sink& sink : sinks_) sink(last_);
}

namespace {

double share(u64 part, u64 whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}
constexpr u64 kMostLanes = 20;

// The share of an instruction's loads that others have asked for just before: the more where most lanes make a request and its
// words lie together.
double with_others(const Counts& c, const Tally& tally, const L2Asked& asked, InStep blocks) {
  if (asked.of_l2 == 0) return 0;
  const u64 loaded = c[Counter::GlobalLdSectors] + c[Counter::LocalLdSectors];
  const u64 requests = c[Counter::GlobalLdRequests];
  const bool together =
      2 * loaded <= 3 * c[Counter::GlobalIdeal] && tally.on >= kMostLanes * tally.executed;
  if (2 * loaded < 3 * requests) {
    blocks.words = InStep::Words::One;
    blocks.bytes = share(c[Counter::GlobalLdBytes], requests);
  } else if (!together) {
    blocks.words = InStep::Words::Scattered;
  }
  return asked_with_others(share(asked.by_blocks, asked.of_l2), blocks);
}

u64 in_hundredths(double part, double whole) {
  return whole > 0 ? static_cast<u64>(100 * kHundredths * part / whole + 0.5) : 0;
}

// How the stores of a launch come.
struct Storing {
  double piled_up;  // the share that comes faster than it can leave
  bool one_wave, reads;

  Storing(const LaunchCounts& launch, double piled_up)
      : piled_up(piled_up),
        one_wave(launch.figures[LaunchCounter::Blocks] <=
                 launch.figures[LaunchCounter::ResidentBlocks]),
        reads(launch.counts[Counter::GlobalLdRequests] > 0) {}
};

// Stores of one warp to the same sectors, one right after the other, go to L2 together, unless each of them is for so many lines
// that the one before has left, or they come faster than they can leave, the more so if no load keeps the warps apart; to what was
// read before fewer do, and of those that have predicates of their own less than half. So do those of warps of a block that come at the same time. The shares: tests/timing_set, the
// structures of `fields` and what blocks put into lists.
double merged_in(const Level1::Found& found, const Counts& c, const Storing& how) {
  constexpr double kInTime = 0.97, kFewLines = 6.5, kPiledUp = 0.36, kInPlace = 0.7, kInWaves = 0.9,
                   kOfOthers = 0.75, kGuarded = 0.45;
  const double lines = share(c[Counter::GlobalTags], c[Counter::GlobalStRequests]);
  double in_time = kInTime;
  if (lines > kFewLines) {
    const double in_place = share(found.in_place, found.sectors);
    const double usual = std::clamp(0.98 - 0.08 * (lines - 8), 0.0, 0.98) *
                         (how.one_wave ? 1 : kInWaves) * (1 - in_place * (1 - kInPlace));
    const double least = how.reads ? std::clamp(kPiledUp * (16 - lines) / 8, 0.0, kPiledUp) : 0;
    in_time = usual + how.piled_up * (least - usual);
  }
  const double together = share(found.again - found.guarded, found.sectors) * in_time +
                          share(found.guarded, found.sectors) * std::min(in_time, kGuarded);
  return 1 / (1 - together) / (1 - kOfOthers * share(found.beside, found.sectors));
}

// One after the other: warps of blocks that run at once come to theirs at the same time.
double fences_of(const Counts& c, const LaunchFigures& f) {
  using enum LaunchCounter;
  const u64 fences = c[Counter::Fences] + c[Counter::Releases];
  const u64 warps = f[Blocks] * ((f[BlockThreads] + kWarpLanes - 1) / kWarpLanes);
  return fences ? static_cast<double>(f[Waves]) * std::max(1.0, share(fences, warps)) : 0;
}

void left_for_dram(const Footprint& footprint, L2Traffic& l2) {
  l2.filled = static_cast<double>(footprint.filled());
  l2.filled_early = static_cast<double>(footprint.filled_early());
  l2.written_back = static_cast<double>(footprint.written_back());
}

}  // namespace

// What the caches did: of L1 the share of the multiprocessors that were watched, of L2 and DRAM all.
void Counting::fill_caches() {
  using enum LaunchCounter;
  LaunchFigures& f = last_.figures;
  double hits = 0, seen = 0, of_loads = 0;
  stored_lines_ = 0;
  L2Traffic l2;
  const Storing how(last_, piled_up_);
  const double cold = 1 - share(f[ReadInL2], f[ReadFootprint]);
  for (const OfCode* of : in_order_) {
    for (std::size_t i = 0; i < of->counts.size(); ++i) {
      const Counts& c = of->counts[i];
      const u64 loaded = c[Counter::GlobalLdSectors] + c[Counter::LocalLdSectors];
      // Where the compiler adds the lanes of a warp up first, one of them asks.
      const u64 atomics = of->sites[i].aggregated
                              ? c[Counter::GlobalAtomRequests] + c[Counter::GlobalRedRequests]
                              : c[Counter::GlobalAtomSectors] + c[Counter::GlobalRedSectors];
      const auto sectors = static_cast<double>(loaded + atomics + c[Counter::GlobalStSectors] +
                                               c[Counter::LocalStSectors]);
      if (sectors == 0) continue;
      const Level1::Found& l1 = found_[of->number + i];
      const double in_l1 = share(l1.hits, l1.sectors);
      seen += sectors;
      hits += sectors * in_l1;
      of_loads += static_cast<double>(c[Counter::GlobalLdSectors]) * in_l1;
      (loaded ? l2.loads : l2.stores) +=
          loaded ? sectors * (1 - in_l1) : sectors / merged_in(l1, c, how);
      if (c[Counter::GlobalStRequests])
        stored_lines_ += static_cast<double>(c[Counter::GlobalTags]);
      l2.with_others += sectors * (1 - in_l1) *
                        with_others(c, of->tally[i], of->sites[i].lines.asked,
                                    {share(f[Blocks], multiprocessors_), how.one_wave, cold});
    }
  }
  l2.loads += static_cast<double>(last_.counts[Counter::BulkGlobalBytes]) / kSectorBytes;
  l2.missed = static_cast<double>(footprint_.missed());
  l2.on_their_way = static_cast<double>(footprint_.on_their_way());
  l2.loads = std::max(l2.loads, l2.missed - l2.stores);  // L1 was watched in part only
  l2.asked_again = static_cast<double>(footprint_.asked_again());
  l2.came_along = static_cast<double>(footprint_.came_along());
  l2.multiprocessors = static_cast<double>(std::min<u64>(f[Blocks], multiprocessors_));
  l2.slices = level1_.slices();
  l2.fences = fences_of(last_.counts, f);
  left_for_dram(footprint_, l2);
  l2.waiting = waited_;
  const L2Lookups found = l2_lookups(l2);
  waiting_ = found.waiting;
  last_.filled = static_cast<u64>(found.filled + 0.5);
  last_.written_back = footprint_.written_back();
  last_.lines_written_back = footprint_.lines_written_back();
  last_.rows_opened = footprint_.rows_opened();
  const u64 at_once = std::min(f[Blocks], f[ResidentBlocks]);
  last_.constant_bytes = constants_.bytes(std::max(1.0, share(at_once, multiprocessors_)));
  f[L1HitRate] = in_hundredths(hits, seen);
  f[L1LoadHits] = static_cast<u64>(of_loads + 0.5);
  f[L2Sectors] = static_cast<u64>(found.asked + 0.5);
  f[L2HitRate] = in_hundredths(std::max(0.0, found.all - found.missed), found.all);
  f[DramRead] = (footprint_.from_dram() + last_.filled) * kSectorBytes;
  f[DramWritten] = static_cast<u64>(found.written + 0.5) * kSectorBytes;
  f[L1Bytes] = level1_.bytes();
}

std::vector<CodeCounts> Counting::by_code() const {
  const Storing how(last_, piled_up_);
  std::vector<CodeCounts> all;
  for (const OfCode* of : in_order_) {
    CodeCounts& one = all.emplace_back(CodeCounts{of->code, of->tally, of->counts, {}});
    one.found.resize(of->counts.size());
    for (std::size_t i = 0; i < one.found.size(); ++i) {
      const Counts& c = of->counts[i];
      const u64 loads = c[Counter::GlobalLdRequests];
      if (c[Counter::GlobalStRequests] && of->number + i < found_.size())
        one.found[i].merged = merged_in(found_[of->number + i], c, how);
      if (loads == 0 && c[Counter::LocalLdRequests] + c[Counter::LocalStRequests] == 0) continue;
      WhereFound& found = one.found[i];
      found.from_dram = share(of->sites[i].lines.from_dram, loads);
      found.missed = share(of->sites[i].lines.missed, of->sites[i].lines.from_dram);
      constexpr std::uint32_t kFewWatched = 8;
      const L2Asked& asked = of->sites[i].lines.asked;
      if (asked.by_blocks >= kFewWatched) found.in_step = share(asked.in_step, asked.by_blocks);
      if (of->number + i >= found_.size()) continue;
      const Level1::Found& l1 = found_[of->number + i];
      found.in_l1 = std::min(share(l1.whole, l1.requests), 1 - found.from_dram);
      found.late = std::min(share(l1.late, l1.requests), found.in_l1);
      found.sectors_in_l1 = share(l1.hits, l1.sectors);
    }
  }
  return all;
}

void Counting::fill_figures(const exec::Grid& grid) {
  using enum LaunchCounter;
  LaunchFigures& f = last_.figures;
  f[Blocks] = grid.grid.count();
  f[BlockThreads] = grid.block.count();
  f[Registers] = grid.kernel->registers;
  f[SharedBytes] = u64{grid.static_shared} + grid.dynamic_shared;
  f[ResidentBlocks] = grid.resident_blocks;
  f[Waves] = (f[Blocks] + grid.resident_blocks - 1) / std::max(1u, grid.resident_blocks);
  f[ReadFootprint] = footprint_.count(Footprint::Read);
  f[ReadInL2] = f[ReadFootprint] -
                std::min(f[ReadFootprint], footprint_.missed() + footprint_.on_their_way());
  f[WriteFootprint] = footprint_.count(Footprint::Write);
  f[Footprint] = footprint_.count(Footprint::Read | Footprint::Write);
  const AddressTally::Totals atomics = atomics_.totals();
  f[AtomicAddresses] = atomics.addresses;
  f[AtomicsMost] = atomics.most_lanes;
  f[AtomicRequestsMost] = atomics.most_requests;
  f[AtomicSectorMost] = atomics.sector_passes;
  f[AtomicSliceMost] = atomics.slice_passes;
  f[AtomicsAgain] = atomics.again;
  last_.atomic_passes = atomics.passes;
  last_.atomics_missed = footprint_.atomics_missed();
  last_.looks = atomics.looks;
  last_.swaps = atomics.swaps;
  const Handovers::Counts handed = handovers_.most();
  f[ExchangesMost] = handed.exchanges;
  f[ReleasesMost] = handed.releases;
}

namespace {

// The counters that follow from others, for one instruction.
void derive(Counts& c, const Tally& tally, const Instr& in) {
  using enum Counter;
  const Row row = in.row;
  c[Inst] = tally.executed;
  c[ThreadInst] = tally.active;
  c[ThreadInstOn] = tally.on;
  if (in.flow == exec::Flow::Branch || in.flow == exec::Flow::BranchTable) {
    c[Branch] = tally.executed;
    c[BranchDivergent] = tally.divergent;
    c[BranchUniform] = tally.executed - tally.divergent;
  }
  c[GlobalExcess] = c[GlobalSectors] - c[GlobalIdeal];
  c[SharedWavefronts] =
      c[SharedLdWavefronts] + c[SharedStWavefronts] + c[SharedAtomWavefronts] + c[CopyWavefronts];
  c[SharedConflicts] = c[SharedWavefronts] - c[SharedIdeal];
  if (const Counter of = class_of(row); of != Counter::Count) c[of] = c[Inst];
  if (is_bulk(row)) c[BulkRequests] = c[ThreadInstOn];
  if (!in.source) return;
  if (releases(*in.source)) c[Releases] = c[Inst];
  if (in.source->has("sys")) c[SystemScope] = c[Inst];
}

}  // namespace

void Counting::add_up() {
  std::map<std::pair<std::string, std::uint32_t>, Counts> lines;
  for (OfCode* of : in_order_) {
    const exec::Code* code = of->code;
    of->tally = observe::add_up(of->passes);
    for (std::size_t i = 0; i < of->counts.size(); ++i) {
      if (of->tally[i].executed == 0) continue;
      Counts& c = of->counts[i];
      if (of->sites[i].lines.accesses) add_lines(c, of->sites[i].lines);
      const Instr& in = code->instrs[i];
      derive(c, of->tally[i], in);
      last_.counts += c;
      if (!lines_wanted_) continue;
      exec::SourceLine where;
      if (in.source) where = exec::line_of(*code, *in.source);
      lines[{std::string(where.file), where.line}] += c;
    }
  }
  last_.lines.reserve(lines.size());
  for (auto& [where, counts] : lines) {
    last_.lines.push_back({where.first, where.second, counts});
  }
}

}  // namespace emu::observe

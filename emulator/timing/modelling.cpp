// SPDX-License-Identifier: MIT
// Counts, and models at the end of each launch.
#include "timing/modelling.hpp"

#include <algorithm>

#include "counters/ptxas/instruction_kinds.hpp"
#include "counters/ptxas/joined_loads.hpp"
#include "counters/ptxas/local_arrays.hpp"
#include "machine/grid.hpp"

namespace emu::observe {
namespace {

// Lines of local memory that a request names: one for each word of a place, where lanes are at different places of their arrays.
double places_of_lanes(const Counts& c) {
  constexpr double kWord = 4;
  const double requests = number(c[Counter::LocalLdRequests] + c[Counter::LocalStRequests]);
  const double bytes = number(c[Counter::LocalLdBytes] + c[Counter::LocalStBytes]);
  return requests > 0 ? std::max(1.0, bytes / (kWord * requests)) : 1;
}

}  // namespace

Modelling::Modelling() {
  counting_.set_lines(false);
  counting_.add_sink([this](const LaunchCounts& launch) { finish(launch); });
}

void Modelling::kernel_begin(const exec::Grid& grid) {
  gpu_ = grid.profile;
  counting_.kernel_begin(grid);
}

void Modelling::kernel_end(const exec::Grid& grid) { counting_.kernel_end(grid); }
void Modelling::kernel_failed(const exec::Grid& grid) { counting_.kernel_failed(grid); }

void Modelling::finish(const LaunchCounts& launch) {
  work_out(launch);
  // Lines to which a multiprocessor stores in a cycle, where L2 does not hold it back.
  constexpr double kFlows = 0.36, kPilesUp = 0.4;
  const double busy =
      std::min(number(launch.figures[LaunchCounter::Blocks]), number(gpu_->multiprocessors));
  const double cycles = last_.besides_l2 * gpu_->sm_clock_khz / 1e6;
  const double lines = cycles > 0 ? counting_.stored_lines() / (busy * cycles) : 0;
  const double piled_up = std::clamp((lines - kFlows) / (kPilesUp - kFlows), 0.0, 1.0);
  if (piled_up > 0) {
    counting_.pile_up(piled_up);
    work_out(launch);
  }
  for (const Sink& sink : sinks_) sink(launch, last_);
}

namespace {

// Of a launch: the share of what it reads that is not in L2 before, and of its blocks that begin with it.
struct Beginning {
  double cold = 0, first = 1;

  explicit Beginning(const LaunchFigures& f) {
    using L = LaunchCounter;
    const double all = number(f[L::ReadFootprint]);
    cold = all > 0 ? 1 - number(f[L::ReadInL2]) / all : 0;
    first = std::min(1.0, number(f[L::ResidentBlocks]) / std::max(1.0, number(f[L::Blocks])));
  }
};

// Where the loads of an instruction find their data. Blocks that run together ask for the same data at about the same time: what
// one brings from DRAM the others wait for as well. That is so where a warp's words lie together, in the first round of blocks,
// and as far as their warps come to them in step.
Source source_of(const Counts& c, const WhereFound& found, const Beginning& begin) {
  constexpr double kTogether = 6;    // sectors
  constexpr double kWait = 0.7;      // of the whole time, for one that comes later than another
  constexpr double kSideBySide = 4;  // lines
  Source from;
  // Warps that begin together come to a line together, and wait for what the first of them has asked for; later they are
  // all over the place.
  from.in_l1 = found.in_l1 - kWait * begin.first * found.late;
  from.from_dram = found.from_dram;
  from.merged = found.merged;
  if (c[Counter::ClusterLdRequests]) from.place = Source::Place::Cluster;
  if (c[Counter::SharedLdRequests]) from.place = Source::Place::Shared;
  from.tags = places_of_lanes(c);
  const double loads = number(c[Counter::GlobalLdRequests]);
  if (const double all = loads + number(c[Counter::GlobalStRequests]); all > 0)
    from.lines = number(c[Counter::GlobalTags]) / all;
  if (loads == 0) return from;
  from.tags = number(c[Counter::GlobalTags]) / loads;
  // Lines that lie side by side come together.
  const double per_line = number(c[Counter::GlobalSectors]) / number(c[Counter::GlobalTags]);
  const double apart = found.missed / (per_line < 2 ? per_line : kSideBySide * per_line);
  from.far_lines = std::clamp(apart, 1.0, std::max(1.0, from.tags));
  if (from.from_dram > 0 && number(c[Counter::GlobalLdSectors]) <= kTogether * loads)
    from.from_dram =
        std::max(from.from_dram, begin.first * begin.cold * (1 - from.in_l1) * found.in_step);
  return from;
}

}  // namespace

void Modelling::work_out(const LaunchCounts& launch) {
  const std::vector<CodeCounts> codes = counting_.by_code();
  struct Places {
    std::vector<Source> sources;
    std::vector<double> in_l1;
  };
  std::vector<Places> places(codes.size());
  std::vector<Executed> executed;
  const Beginning begin(launch.figures);
  for (std::size_t k = 0; k < codes.size(); ++k) {
    const CodeCounts& one = codes[k];
    Places& place = places[k];
    const LocalArrays arrays = local_arrays(*one.code);
    for (std::size_t i = 0; i < one.counts.size(); ++i) {
      Source& from = place.sources.emplace_back(source_of(one.counts[i], one.found[i], begin));
      place.in_l1.push_back(one.found[i].sectors_in_l1);
      if (const std::uint64_t values = one.counts[i][Counter::MatchedValues])
        from.matched = number(values) / number(one.tally[i].executed);
      from.spared = arrays.spared[i];
      from.chosen = arrays.chosen[i];
      from.in_registers = arrays.in_registers;
    }
    const std::vector<std::uint32_t> joined = joined_loads(*one.code);
    for (std::size_t i = 0; i < joined.size(); ++i) {
      if (joined[i] == kOnItsOwn) continue;
      place.sources[i] = place.sources[joined[i]];
      place.sources[i].joined = true;
    }
    executed.push_back({one.code, one.tally, place.sources, one.counts, place.in_l1});
  }
  last_ = model(launch, executed, counting_.workload().blocks(), *gpu_, explained_);
}

}  // namespace emu::observe

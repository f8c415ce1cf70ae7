// SPDX-License-Identifier: MIT
// Counts, and models at the end of each launch.
#include "timing/modelling.hpp"

#include "machine/grid.hpp"

namespace emu::observe {
namespace {

bool is_streaming(const exec::Instr& in) {
  const ptx::Instruction& ins = *in.source;
  return ins.has("cs") || ins.has("L1::no_allocate") || ins.has("L2::evict_first");
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
  const std::vector<Counting::CodeCounts> codes = counting_.by_code();
  std::vector<std::vector<Source>> sources;
  std::vector<Executed> executed;
  double loads = 0, streaming = 0;
  for (const Counting::CodeCounts& one : codes) {
    std::vector<Source>& from = sources.emplace_back(one.counts.size());
    for (std::size_t i = 0; i < one.counts.size(); ++i) {
      const Counts& c = one.counts[i];
      from[i].in_l2 = one.in_l2[i];
      if (c[Counter::ClusterLdRequests]) from[i].place = Source::Place::Cluster;
      if (c[Counter::SharedLdRequests]) from[i].place = Source::Place::Shared;
      const auto here = static_cast<double>(c[Counter::GlobalLdRequests]);
      if (here == 0 || c[Counter::CopySectors]) continue;
      loads += here;
      if (is_streaming(one.code->instrs[i])) streaming += here;
    }
    executed.push_back({one.code, one.tally, from});
  }
  last_ = model(launch, executed, loads > 0 ? streaming / loads : 0, *gpu_);
  for (const Sink& sink : sinks_) sink(launch, last_);
}

}  // namespace emu::observe

// SPDX-License-Identifier: MIT
// The terms of the model, and how they are put together.
#include "observe/model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "observe/access_rules.hpp"

namespace emu::observe {
namespace {

constexpr double kSharpness = 2;

struct LimitInfo {
  std::string_view id, text;
};
constexpr LimitInfo kInfo[] = {
    {"path", "the way through one block"},
    {"issue", "instructions"},
    {"shared", "shared memory and shuffles"},
    {"barriers", "barriers"},
    {"dram", "DRAM bandwidth"},
    {"l2", "L2 bandwidth"},
    {"atomics", "atomics on one address"},
    {"shared_atomics", "float atomics on shared memory"},
};
static_assert(std::size(kInfo) == kLimits);

double number(std::uint64_t value) { return static_cast<double>(value); }

bool is_float_atomic(const exec::Instr& in) {
  if (in.row != ptx::Row::atom && in.row != ptx::Row::red) return false;
  const ptx::Type type = in.source->type();
  return type == ptx::Type::F32 || type == ptx::Type::F64;
}

// Sums over the instructions of all functions.
struct Sums {
  double whole = 0;   // cycles of a warp that goes every way that was gone
  double usual = 0;   // cycles of a block that is like the others
  double once = 0;    // ... if every loop ended after its first round
  double code = 0;    // machine instructions that were executed at all
  double issue = 0;   // machine instructions of the launch
  double passes = 0;  // shuffles and the like
  bool float_atomics = false;
};

Sums add_up(std::span<const Executed> codes, const WalkInput& base, double blocks) {
  Sums sums;
  for (const Executed& executed : codes) {
    WalkInput in = base;
    in.in_l2 = executed.in_l2;
    const std::vector<Step> steps = walk(*executed.code, executed.tally, in);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      const Tally& tally = executed.tally[i];
      if (tally.executed == 0) continue;
      const double times = number(tally.executed) * step.once;
      sums.whole += step.cycles * step.trips;
      sums.usual += step.cycles * std::min(step.trips, times / blocks);
      sums.once += step.cycles * std::min(1.0, times / blocks);
      sums.code += step.issue;
      sums.issue += step.issue * times;
      sums.passes += step.passes * times;
      sums.float_atomics |= is_float_atomic(executed.code->instrs[i]);
    }
  }
  return sums;
}

// `serial`: the part of the path that nothing overlaps with, ns.
void put_together(Modelled& m, double serial) {
  const auto path = static_cast<std::size_t>(Limit::Path);
  std::array<double, kLimits> power;
  double sum = 0;
  for (std::size_t i = 0; i < kLimits; ++i) {
    const double overlapped = i == path ? std::max(0.0, m.alone[i] - serial) : m.alone[i];
    sum += power[i] = std::pow(overlapped, kSharpness);
  }
  const double together = std::pow(sum, 1 / kSharpness);
  m.ns = serial + together;
  for (std::size_t i = 0; i < kLimits; ++i) {
    const double part = (i == path ? serial : 0) + (sum > 0 ? together * power[i] / sum : 0);
    if (part <= m.share * m.ns) continue;
    m.share = part / m.ns;
    m.limit = static_cast<Limit>(i);
  }
}

}  // namespace

std::string_view id_of(Limit limit) { return kInfo[static_cast<std::size_t>(limit)].id; }
std::string_view text_of(Limit limit) { return kInfo[static_cast<std::size_t>(limit)].text; }

Modelled model(const LaunchCounts& launch, std::span<const Executed> codes, double streaming,
               const devices::Profile& gpu) {
  using enum Counter;
  using L = LaunchCounter;
  const devices::Timing& t = devices::timing(gpu);
  const Counts& c = launch.counts;
  const LaunchFigures& f = launch.figures;
  const double blocks = std::max(1.0, number(f[L::Blocks]));
  const double block_warps = std::ceil(number(f[L::BlockThreads]) / kWarpLanes);
  const double fills = std::max(1.0, blocks / std::max(1.0, number(f[L::ResidentBlocks])));
  const double busy = std::min(blocks, number(gpu.multiprocessors));
  const double ns_per_cycle = 1e6 / gpu.sm_clock_khz;

  WalkInput in;
  in.timing = &t;
  in.block_warps = static_cast<std::uint32_t>(block_warps);
  if (c[SharedIdeal]) in.shared_passes = number(c[SharedWavefronts]) / number(c[SharedIdeal]);
  Sums sums = add_up(codes, in, blocks);
  if (c[BulkRequests] || c[CopyRequests]) {  // what is copied while others work is waited for once
    sums.whole += t.dram_latency;
    sums.usual += t.dram_latency;
    sums.once += t.dram_latency;
  }

  Modelled m;
  const auto alone = [&](Limit limit) -> double& {
    return m.alone[static_cast<std::size_t>(limit)];
  };
  const double cas = sums.float_atomics ? number(c[SharedAtomicSerial]) : 0;
  alone(Limit::Path) =
      ns_per_cycle * (sums.whole + (fills - 1) * sums.usual + sums.code * t.fetch_cycles);
  alone(Limit::Issue) = ns_per_cycle * sums.issue / busy / t.issue_per_cycle;
  alone(Limit::Shared) =
      ns_per_cycle * (number(c[SharedWavefronts]) + sums.passes) / busy / t.shared_per_cycle;
  alone(Limit::Barriers) = ns_per_cycle * number(c[Barriers]) * t.barrier_cycles / busy;
  const double touched = number(f[L::Footprint]) * kSectorBytes;
  const double replaced = std::min(touched, number(gpu.l2_bytes)) * (1 - streaming);
  alone(Limit::Dram) = (touched + replaced * t.dirty_share) / t.dram_gbps;
  const double moved = number(c[GlobalSectors]) * kSectorBytes + number(c[BulkGlobalBytes]);
  alone(Limit::L2) = std::max(0.0, moved - touched) / t.l2_gbps;
  const double integer_ns = c[GlobalAtomRequests] ? t.integer_result_ns : t.integer_atomic_ns;
  alone(Limit::Atomics) = sums.float_atomics ? number(f[L::AtomicsMost]) * t.float_atomic_ns
                                             : number(f[L::AtomicRequestsMost]) * integer_ns;
  alone(Limit::SharedAtomics) = ns_per_cycle * std::max(cas / blocks * t.shared_cas_latency * fills,
                                                        cas / busy * t.shared_cas_cycles);

  // What only some blocks do comes when the others have ended; and the GPU must be filled and
  // emptied once, whatever is done in between.
  const double alone_in_time =
      ns_per_cycle * (sums.once + (sums.whole - sums.usual) + sums.code * t.fetch_cycles);
  put_together(m, alone_in_time);
  return m;
}

}  // namespace emu::observe

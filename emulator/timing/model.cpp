// SPDX-License-Identifier: MIT
// The terms of the model, and how they are put together.
#include "timing/model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/register_estimate.hpp"
#include "counters/access_rules.hpp"

namespace emu::observe {
namespace {

constexpr double kSharpness = 3;

struct LimitInfo {
  std::string_view id, text;
};
constexpr LimitInfo kInfo[] = {
    {"path", "the way through one block"},
    {"blocks", "starting blocks"},
    {"issue", "instructions"},
    {"shared", "shared memory and shuffles"},
    {"barriers", "barriers"},
    {"dram", "DRAM bandwidth"},
    {"l2", "L2 bandwidth"},
    {"atomics", "atomics on one address"},
    {"handovers", "handing one word on"},
    {"shared_atomics", "float atomics on shared memory"},
};
static_assert(std::size(kInfo) == kLimits);

double number(std::uint64_t value) { return static_cast<double>(value); }

bool is_float_atomic(const exec::Instr& in) {
  const ptx::Type type = in.source->type();
  return type == ptx::Type::F32 || type == ptx::Type::F64;
}

// Sums over the instructions of all functions.
struct Sums {
  double whole = 0;   // cycles of a warp that goes every way that was gone
  double usual = 0;   // cycles of a block that is like the others
  double once = 0;    // ... if every loop ended after its first round
  double issue = 0;   // machine instructions of the launch
  double passes = 0;  // shuffles and the like
  bool awaits_blocks = false;
  bool float_atomics = false;
  bool lane_atomics = false;  // integer ones that the compiler cannot make one of for a warp
};

// Whether the lanes of an integer atomic are added up before it is made: the compiler must see that
// they mean one address, and have an instruction for it.
bool is_for_a_warp(const exec::Instr& in, const exec::Bits& uniform) {
  const ptx::Instruction& ins = *in.source;
  for (const std::string_view op : {"exch", "cas", "inc", "dec"})
    if (ins.has(op)) return false;
  const ptx::Operand& address = ins.operands[in.row == ptx::Row::atom ? 1 : 0];
  return ptx::size_of(ins.type()) == 4 &&
         (address.reg == ptx::kNoIndex || exec::test(uniform, address.reg));
}

Sums add_up(std::span<const Executed> codes, const WalkInput& base, double blocks) {
  Sums sums;
  for (const Executed& executed : codes) {
    WalkInput in = base;
    in.sources = executed.sources;
    const exec::Bits uniform = exec::find_uniform(*executed.code->function);
    const std::vector<Step> steps = walk(*executed.code, executed.tally, in);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      const Tally& tally = executed.tally[i];
      if (tally.executed == 0) continue;
      const double times = number(tally.executed) * step.once;
      sums.whole += step.cycles * step.trips;
      sums.usual += step.cycles * std::min(step.trips, times / blocks);
      sums.once += step.cycles * std::min(1.0, times / blocks);
      sums.issue += step.issue * times;
      sums.passes += step.passes * times;
      sums.awaits_blocks |= step.awaits_blocks;
      const exec::Instr& at = executed.code->instrs[i];
      if (at.row != ptx::Row::atom && at.row != ptx::Row::red) continue;
      const bool floats = is_float_atomic(at);
      sums.float_atomics |= floats;
      sums.lane_atomics |= !floats && !is_for_a_warp(at, uniform);
    }
  }
  return sums;
}

// How large a launch is, for the GPU it runs on.
struct Size {
  double blocks, fills, busy;  // fills: how often the GPU is filled with blocks; busy: SMs
  double at_once;              // blocks that run together
  std::uint32_t block_warps;
  double ns_per_cycle;
  double read, from_dram;  // bytes that come from beyond L2

  Size(const LaunchCounts& launch, const devices::Profile& gpu) {
    using L = LaunchCounter;
    const LaunchFigures& f = launch.figures;
    blocks = std::max(1.0, number(f[L::Blocks]));
    block_warps = static_cast<std::uint32_t>(std::ceil(number(f[L::BlockThreads]) / kWarpLanes));
    fills = std::max(1.0, blocks / std::max(1.0, number(f[L::ResidentBlocks])));
    busy = std::min(blocks, number(gpu.multiprocessors));
    at_once = blocks / fills;
    ns_per_cycle = 1e6 / gpu.sm_clock_khz;
    const double near = number(f[L::ReadInL2]) * kSectorBytes;
    read = number(f[L::ReadFootprint]) * kSectorBytes - near;
    from_dram = number(f[L::Footprint]) * kSectorBytes - near;
  }
};

// The time that each resource would need if it were the only one.
std::array<double, kLimits> times_alone(const LaunchCounts& launch, const Size& size,
                                        const Sums& sums, double streaming,
                                        const devices::Profile& gpu) {
  using enum Counter;
  using L = LaunchCounter;
  const devices::Timing& t = devices::timing(gpu);
  const Counts& c = launch.counts;
  const LaunchFigures& f = launch.figures;
  const double ns_per_cycle = size.ns_per_cycle, blocks = size.blocks, fills = size.fills,
               busy = size.busy;
  std::array<double, kLimits> times{};
  const auto alone = [&](Limit limit) -> double& { return times[static_cast<std::size_t>(limit)]; };
  const double cas = sums.float_atomics ? number(c[SharedAtomicSerial]) : 0;
  alone(Limit::Path) = ns_per_cycle * (sums.whole + (fills - 1) * sums.usual);
  alone(Limit::Blocks) = (blocks - size.at_once) * t.block_ns;
  alone(Limit::Issue) = ns_per_cycle * sums.issue / busy / t.issue_per_cycle;
  alone(Limit::Shared) =
      ns_per_cycle * (number(c[SharedWavefronts]) + sums.passes) / busy / t.shared_per_cycle;
  alone(Limit::Barriers) = ns_per_cycle * number(c[Barriers]) * t.barrier_cycles / busy;
  const double dirty = t.dirty_share * (1 - streaming) + t.dirty_share_streaming * streaming;
  alone(Limit::Dram) =
      (size.from_dram + std::min(size.read, number(gpu.l2_bytes)) * dirty) / t.dram_gbps;
  const double moved = number(c[GlobalSectors]) * kSectorBytes + number(c[BulkGlobalBytes]);
  alone(Limit::L2) = std::max(0.0, moved - size.from_dram) / t.l2_gbps;
  const auto queue = sums.lane_atomics ? f[L::AtomicsMost] : f[L::AtomicRequestsMost];
  alone(Limit::Atomics) = sums.float_atomics ? number(f[L::AtomicsMost]) * t.float_atomic_ns
                                             : number(queue) * t.integer_atomic_ns;
  alone(Limit::Handovers) =
      ns_per_cycle * (number(f[L::ExchangesMost]) * t.atomic_latency +
                      number(f[L::ReleasesMost]) * (t.fence_latency + t.l2_latency));
  alone(Limit::SharedAtomics) = ns_per_cycle * std::max(cas / blocks * t.shared_cas_latency * fills,
                                                        cas / busy * t.shared_cas_cycles);
  return times;
}

// What nothing overlaps with, ns: a part of the path, and what comes before and after all else.
struct Serial {
  double path = 0, besides = 0;
};

void put_together(Modelled& m, const Serial& serial, double memory_sharpness) {
  constexpr auto kPath = static_cast<std::size_t>(Limit::Path);
  constexpr auto kDram = static_cast<std::size_t>(Limit::Dram);
  std::array<double, kLimits> time = m.alone;
  time[kPath] = std::max(0.0, time[kPath] - serial.path);
  const double path = std::pow(time[kPath], memory_sharpness);
  const double dram = std::pow(time[kDram], memory_sharpness);
  const double memory = std::pow(path + dram, kSharpness / memory_sharpness);
  double sum = memory;
  for (std::size_t i = 0; i < kLimits; ++i)
    if (i != kPath && i != kDram) sum += std::pow(time[i], kSharpness);
  const double together = std::pow(sum, 1 / kSharpness);
  m.ns = serial.path + serial.besides + together;
  for (std::size_t i = 0; i < kLimits; ++i) {
    double power = std::pow(time[i], kSharpness);
    if (i == kPath || i == kDram)
      power = path + dram > 0 ? memory * (i == kPath ? path : dram) / (path + dram) : 0;
    const double part =
        (i == kPath ? serial.path + serial.besides : 0) + (sum > 0 ? together * power / sum : 0);
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
  const devices::Timing& t = devices::timing(gpu);
  const Counts& c = launch.counts;
  const Size size(launch, gpu);
  WalkInput in;
  in.timing = &t;
  in.block_warps = size.block_warps;
  if (c[SharedIdeal]) in.shared_passes = number(c[SharedWavefronts]) / number(c[SharedIdeal]);
  Sums sums = add_up(codes, in, size.blocks);
  if (c[BulkRequests] || c[CopyRequests]) {  // what is copied while others work is waited for once
    sums.whole += t.dram_latency;
    sums.usual += t.dram_latency;
    sums.once += t.dram_latency;
  }
  Modelled m;
  m.alone = times_alone(launch, size, sums, streaming, gpu);

  // What only some blocks do comes when the others have ended, the GPU must be filled and emptied
  // once, whatever is done in between, and where it is not filled the last time, the few blocks that
  // are left go through their loops alone; the more often it was filled, the less they end together.
  const double rounds = std::floor(size.fills), missing = std::ceil(size.fills) - size.fills;
  const double last_loops = size.fills > 1 ? (sums.usual - sums.once) * missing / rounds : 0;
  double cold = 0;
  if (launch.figures[LaunchCounter::Footprint])
    cold = size.read > 0 ? t.first_read_latency : t.first_access_latency;
  Serial serial = {size.ns_per_cycle * (sums.once + (sums.whole - sums.usual)),
                   size.ns_per_cycle * (cold + last_loops) + size.at_once * t.block_ns};
  if (sums.awaits_blocks) {  // all come to the grid's barrier, and nobody has anything else to do
    serial.besides += m.alone[static_cast<std::size_t>(Limit::Atomics)];
  }
  put_together(m, serial, t.memory_sharpness);
  return m;
}

}  // namespace emu::observe

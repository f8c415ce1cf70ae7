// SPDX-License-Identifier: MIT
// The terms of the model, and how they are put together.
#include "timing/model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "counters/access_rules.hpp"
#include "counters/ptxas/branches.hpp"
#include "counters/ptxas/instruction_kinds.hpp"
#include "timing/loops.hpp"
#include "timing/memory_side.hpp"
#include "timing/tail.hpp"
#include "timing/what_if.hpp"

namespace emu::observe {
namespace {

constexpr double kSharpness = 3;
constexpr double kLeastSharpness = 2.3;
constexpr double kSharpnessOfFew = 1.8, kAlone = 4, kMany = 32;  // warps of a multiprocessor
constexpr double kStartSharpness = 6;
// Those who wait for a lock by exchanging again and again keep its word busy (lesson 06).
constexpr double kHammering = 3, kManyHammer = 64;

struct LimitInfo {
  std::string_view id, text;
};
constexpr LimitInfo kInfo[] = {
    {"path", "the way through one block"},
    {"blocks", "starting blocks"},
    {"issue", "instructions"},
    {"units", "units narrower than a warp"},
    {"shared", "shared memory and shuffles"},
    {"barriers", "barriers"},
    {"l1", "lines looked up in L1"},
    {"l2", "L2 bandwidth"},
    {"dram", "DRAM bandwidth"},
    {"atomics", "atomics in one place"},
    {"handovers", "handing one word on"},
    {"shared_atomics", "float atomics on shared memory"},
};
static_assert(std::size(kInfo) == kLimits);

// Sums over the instructions of all functions.
struct Sums {
  double whole = 0;                    // cycles of a warp that goes every way that was gone
  double usual = 0;                    // cycles of a block that is like the others
  double once = 0;                     // ... if every loop ended after its first round
  double steps = 0;                    // instructions of the PTX on the way of such a block
  double steps_once = 0;               // ... if every loop ended after its first round
  double rare_steps = 0;               // ... that only some blocks execute
  double issue = 0;                    // machine instructions of the launch
  std::array<double, kUnits> units{};  // cycles of a scheduler's part of each
  double passes = 0;                   // shuffles and the like
  bool awaits_blocks = false, hammers = false, tickets = false;
  double attempts = 0, attempting = 0;  // compare-and-swaps of global memory, and their lanes
  double held = 0, given = 0;  // cycles for which locks were held, and how often one was given back
  double shared_cas = 0;       // rounds of float atomics on shared memory
};

Sums add_up(std::span<const Executed> codes, const WalkInput& base, double blocks) {
  Sums sums;
  for (const Executed& executed : codes) sums.tickets |= takes_tickets(*executed.code);
  for (const Executed& executed : codes) {
    WalkInput in = base;
    in.sources = executed.sources;
    const std::vector<Tally> tallies = as_issued(*executed.code, executed.tally);
    const std::vector<Step> steps = walk(*executed.code, tallies, in);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      const Tally& tally = tallies[i];
      if (tally.executed == 0) continue;
      const double times = number(tally.executed) * step.once;
      // Those that take what there is have equal shares of it.
      const double trips =
          sums.tickets ? std::min(step.trips, times / (blocks * base.block_warps)) : step.trips;
      sums.whole += step.cycles * trips;
      sums.usual += step.cycles * std::min(trips, times / blocks);
      sums.once += step.cycles * std::min(1.0, times / blocks);
      sums.steps += std::min(trips, times / blocks);
      sums.steps_once += std::min(1.0, times / blocks);
      sums.rare_steps += std::max(0.0, trips - times / blocks);
      sums.issue += step.issue * times;
      sums.units[static_cast<std::size_t>(step.unit)] += step.unit_cycles * times;
      sums.passes += step.passes * times;
      sums.awaits_blocks |= step.awaits_blocks;
      sums.hammers |= step.hammers;
      if (step.held) sums.held += step.cycles * times;
      if (step.gives) sums.given += number(tally.on);
      const ptx::Instruction* ins = executed.code->instrs[i].source;
      if (ins && ins->has("cas") && !in_space(*ins, "shared")) {
        sums.attempts += number(tally.executed);
        sums.attempting += number(tally.on);
      }
      if (ins && (ins->type() == ptx::Type::F32 || ins->type() == ptx::Type::F64))
        sums.shared_cas += number(executed.counts[i][Counter::SharedAtomicSerial]);
    }
  }
  return sums;
}

// How often a warp comes to a loop in which it fills places that are free, like a hash table's, at least once. Whoever comes last
// here finds them full each time, on a GPU only the last time.
double turns_at_places(std::span<const Executed> codes, double warps) {
  double turns = 1;
  for (const Executed& executed : codes)
    if (const auto head = tries_places(*executed.code))
      turns = std::max(turns, find_loops(*executed.code, executed.tally)[*head].entered / warps);
  return turns;
}

// How large a launch is, for the GPU it runs on.
struct Size {
  double blocks, fills, busy;  // fills: how often the GPU is filled with blocks; busy: SMs
  double at_once;              // blocks that run together
  std::uint32_t block_warps;
  double ns_per_cycle;

  Size(const LaunchCounts& launch, const devices::Profile& gpu) {
    using L = LaunchCounter;
    const LaunchFigures& f = launch.figures;
    blocks = std::max(1.0, number(f[L::Blocks]));
    block_warps = static_cast<std::uint32_t>(std::ceil(number(f[L::BlockThreads]) / kWarpLanes));
    fills = std::max(1.0, blocks / std::max(1.0, number(f[L::ResidentBlocks])));
    busy = std::min(blocks, number(gpu.multiprocessors));
    at_once = blocks / fills;
    ns_per_cycle = 1e6 / gpu.sm_clock_khz;
  }
};

// Cycles for which the lock that is handed on most is held: its part of those of all locks.
double held(const Sums& sums, const LaunchFigures& f) {
  using L = LaunchCounter;
  const double most = number(std::max(f[L::ReleasesMost], f[L::ExchangesMost]));
  return sums.given > 0 ? sums.held * std::min(1.0, most / sums.given) : 0;
}

// The time that each resource would need if it were the only one.
std::array<double, kLimits> times_alone(const LaunchCounts& launch, const Size& size,
                                        const Sums& sums, const MemorySide& memory,
                                        const Tail& tail, const devices::Timing& t) {
  using enum Counter;
  using L = LaunchCounter;
  const Counts& c = launch.counts;
  const LaunchFigures& f = launch.figures;
  std::array<double, kLimits> times{};
  const auto alone = [&](Limit limit) -> double& { return times[static_cast<std::size_t>(limit)]; };
  // Nanoseconds of one thing that a multiprocessor does in a cycle, if all of them do the same.
  const double each = size.ns_per_cycle * tail.work / size.busy;
  alone(Limit::Path) =
      size.ns_per_cycle * (tail.path * (sums.whole + (size.fills - 1) * sums.usual) +
                           (size.fills - 1) * t.block_turnover);
  alone(Limit::Blocks) = size.blocks * t.block_ns;
  alone(Limit::Issue) = each * sums.issue / t.issue_per_cycle;
  alone(Limit::Units) =
      each * *std::max_element(sums.units.begin() + 1, sums.units.end()) / t.issue_per_cycle;
  const double wavefronts = number(c[SharedWavefronts]) - memory.shared_passes_less;
  alone(Limit::Shared) = each * (wavefronts + sums.passes) / t.shared_per_cycle;
  alone(Limit::Barriers) = each * number(c[Barriers]) * t.barrier_cycles;
  alone(Limit::L1) = size.ns_per_cycle * tail.work * memory.l1;
  alone(Limit::L2) = memory.l2;
  alone(Limit::Dram) = memory.dram;
  alone(Limit::Atomics) = memory.atomics;
  // All who wait ask again and again, and whoever is to have the word next queues with them.
  // Not more than have it after each other can wait for it.
  const double turns = number(f[L::ExchangesMost] + f[L::ReleasesMost]);
  const double warps = std::clamp(turns, 1.0, std::max(1.0, size.at_once * size.block_warps));
  const double hammering =
      sums.hammers ? 1 + (kHammering - 1) * std::min(1.0, turns / kManyHammer) : 1;
  const double asking = hammering * (1 + t.contention * std::log2(warps));
  const double handed = asking * (number(f[L::ExchangesMost]) * t.atomic_latency +
                                  number(f[L::ReleasesMost]) * (t.fence_latency + t.l2_latency));
  // Of those who try to swap one succeeds, and the attempts of the others stand in the queue at the word all the same. At a
  // lock they look first, or hammer.
  const bool lock = f[L::ReleasesMost] > 0 || sums.attempts == 0;
  const double lanes = lock ? 0 : warps * sums.attempting / sums.attempts;
  alone(Limit::Handovers) = size.ns_per_cycle * (handed + held(sums, f)) +
                            number(f[L::ExchangesMost]) * lanes * t.attempt_ns;
  alone(Limit::SharedAtomics) =
      size.ns_per_cycle *
      std::max(sums.shared_cas / size.blocks * t.shared_cas_latency * size.fills,
               sums.shared_cas / size.busy * t.shared_cas_cycles);
  return times;
}

// What a block that has more to do than others does more often is rounds of loops: how long an instruction takes there,
// beside one of the whole way.
double cost_of_rounds(const Sums& sums) {
  constexpr double kMost = 4;
  const double rounds = sums.steps - sums.steps_once;
  if (rounds < 1 || sums.usual <= 0) return 1;
  const double each = (sums.usual - sums.once) / rounds;
  return std::clamp(each * sums.steps / sums.usual, 1.0, kMost);
}

// The exponent that puts the times together: lower where warps often wait for each other, because then what one of them does is not
// hidden behind what others do, and lower yet where those are few: eight warps that multiply tiles of two matrices take an H200 1.5
// times as long as the longest of their way, their instructions and their shared memory. Where each scheduler has one nobody is in
// its way.
double sharpness(const Parts& parts) {
  const double most = *std::max_element(parts.alone.begin(), parts.alone.end());
  const double barriers = parts[Limit::Barriers];
  if (most <= 0 || barriers <= 0) return kSharpness;
  const double often =
      kSharpness - (kSharpness - kLeastSharpness) * std::min(1.0, 2 * barriers / most);
  const double more = std::log2(parts.warps / kAlone), fewer = std::log2(kMany / parts.warps) / 2;
  const double few = std::clamp(std::min(more, fewer), 0.0, 1.0);
  return std::min(often, kSharpness - (kSharpness - kSharpnessOfFew) * few);
}

// How far the blocks of a multiprocessor go in step: those that began together load together, meet at a barrier, and then share
// the banks of shared memory for as long as it takes. What a block wants of them behind its barrier must be long for that, and more
// than what it wants of others. After some barriers they have come apart.
double in_step(const LaunchCounts& launch, const Size& size, const Parts& parts) {
  constexpr double kShort = 256, kLong = 512;         // passes
  constexpr double kFew = 2, kSome = 3;               // barriers
  constexpr double kSmallPart = 0.5, kMostOf = 0.75;  // of the longest of the other resources
  const Counts& c = launch.counts;
  if (c[Counter::Barriers] == 0) return 0;
  const double warps = size.blocks * size.block_warps;
  const double phases = std::max(1.0, number(c[Counter::Barriers]) / warps);
  const double passes = number(c[Counter::SharedWavefronts]) / size.blocks / phases;
  const double shared = parts[Limit::Shared];
  const double other = std::max({parts[Limit::Issue], parts[Limit::Units], parts[Limit::L2], 1e-9});
  return std::clamp((passes - kShort) / (kLong - kShort), 0.0, 1.0) *
         std::clamp((kSome - phases) / (kSome - kFew), 0.0, 1.0) *
         std::clamp(size.fills - 1, 0.0, 1.0) *
         std::clamp((shared / other - kSmallPart) / (kMostOf - kSmallPart), 0.0, 1.0);
}

// The exponent for the way and what is shared, of so many blocks of a multiprocessor: two that go in step hide nothing of each
// other's way (tiles of 32 x 32 that are transposed by 1024 threads, all of a column in one bank, take an H200 as long as their
// loads and all their passes together), eight come apart.
double in_step_sharpness(double blocks) {
  constexpr double kOfTwo = 1.1, kMore = 0.95;  // for each time twice as many
  return std::clamp(kOfTwo + kMore * std::log2(std::max(blocks, 2.0) / 2), kOfTwo, kSharpness);
}

}  // namespace

std::string_view id_of(Limit limit) { return kInfo[static_cast<std::size_t>(limit)].id; }
std::string_view text_of(Limit limit) { return kInfo[static_cast<std::size_t>(limit)].text; }

void put_together(Modelled& m, const Parts& parts) {
  const double memory_sharpness = parts.memory_sharpness, sharp = sharpness(parts);
  m.alone = parts.alone;
  constexpr auto kPath = static_cast<std::size_t>(Limit::Path);
  constexpr auto kDram = static_cast<std::size_t>(Limit::Dram);
  constexpr auto kBlocks = static_cast<std::size_t>(Limit::Blocks);
  std::array<double, kLimits> time = parts.alone;
  // These go on side by side: the longer one hides the other.
  const auto keep_longer = [&](Limit a, Limit b) {
    double &x = time[static_cast<std::size_t>(a)], &y = time[static_cast<std::size_t>(b)];
    (x < y ? x : y) = 0;
  };
  keep_longer(Limit::Dram, Limit::L2);
  keep_longer(Limit::Issue, Limit::Units);
  // One pipe of a multiprocessor hands out what is in shared memory and what is in L1: what the one needs is added to the other.
  double &shared = time[static_cast<std::size_t>(Limit::Shared)],
         &l1 = time[static_cast<std::size_t>(Limit::L1)];
  const double both = shared + l1;
  keep_longer(Limit::Shared, Limit::L1);
  (shared > 0 ? shared : l1) = both;
  time[kPath] = std::max(0.0, time[kPath] - parts.serial_path);
  const double path = std::pow(time[kPath], memory_sharpness);
  const double dram = std::pow(time[kDram], memory_sharpness);
  std::array<double, kLimits> powers{};
  double others = 0;
  for (std::size_t i = 0; i < kLimits; ++i) {
    if (i == kPath || i == kDram || i == kBlocks || time[i] == 0) continue;
    powers[i] = std::pow(time[i], sharp);
    others += powers[i];
  }
  const double apart = sharp - parts.in_step * (sharp - in_step_sharpness(parts.blocks));
  const double memory = std::pow(path + dram, apart / memory_sharpness);
  const double rest = std::pow(others, apart / sharp), sum = memory + rest;
  for (double& power : powers) power *= others > 0 ? rest / others : 0;
  // Blocks are handed out by another unit, which waits for no barrier.
  const double inside = std::pow(sum, kStartSharpness / apart);
  const double started = std::pow(time[kBlocks], kStartSharpness);
  const double together = std::pow(inside + started, 1 / kStartSharpness);
  m.ns = parts.serial_path + parts.serial_besides + together;
  for (std::size_t i = 0; i < kLimits; ++i) {
    double power = powers[i];
    if (i == kPath || i == kDram)
      power = path + dram > 0 ? memory * (i == kPath ? path : dram) / (path + dram) : 0;
    const double of_inside = sum > 0 ? power / sum * inside : 0, all = inside + started;
    const double part = (i == kPath ? parts.serial_path + parts.serial_besides : 0) +
                        (all > 0 ? together * (i == kBlocks ? started : of_inside) / all : 0);
    if (part <= m.share * m.ns) continue;
    m.share = part / m.ns;
    m.limit = static_cast<Limit>(i);
  }
}

namespace {

double without_l2(Parts parts) {
  parts.alone[static_cast<std::size_t>(Limit::L2)] = 0;
  Modelled m;
  put_together(m, parts);
  return m.ns;
}

// Blocks and warps that have more to do than others.
Tail tail_of(const Sums& sums, std::span<const Executed> codes,
             std::span<const Workload::Block> blocks, const Size& size,
             const devices::Profile& gpu) {
  const Places places = {static_cast<std::size_t>(size.at_once + 0.5), gpu.multiprocessors};
  Tail tail;
  // Of blocks that wait for others, instructions do not say how much they have to do, nor of those that take what there is.
  if (sums.tickets)
    tail.longest = mean_of_warps(blocks, size.block_warps);
  else if (!sums.awaits_blocks)
    tail = find_tail(blocks, places, sums.steps, sums.rare_steps);
  // A block ends with its longest warp, which has more to do than one whose loops go round as often as
  // most do.
  if (sums.steps > 0) tail.path *= std::max(1.0, tail.longest / sums.steps);
  tail.path = 1 + (tail.path - 1) * cost_of_rounds(sums);
  if (size.fills <= 1)
    tail.path = 1 + (tail.path - 1) / turns_at_places(codes, size.blocks * size.block_warps);
  return tail;
}

}  // namespace

Modelled model(const LaunchCounts& launch, std::span<const Executed> codes,
               std::span<const Workload::Block> blocks, const devices::Profile& gpu,
               bool explained) {
  using enum Counter;
  const devices::Timing& t = devices::timing(gpu);
  const Counts& c = launch.counts;
  const Size size(launch, gpu);
  WalkInput in{&t, size.block_warps, 1, constants_near(launch), c[Barriers] > 0, {}};
  if (c[SharedIdeal]) in.shared_passes = number(c[SharedWavefronts]) / number(c[SharedIdeal]);
  Sums sums = add_up(codes, in, size.blocks);
  if (c[BulkRequests] || c[CopyRequests]) {  // what is copied while others work is waited for once
    sums.whole += t.dram_latency;
    sums.usual += t.dram_latency;
    sums.once += t.dram_latency;
  }
  const MemorySide memory = memory_side(launch, codes, gpu, size.busy, sums.awaits_blocks);
  const Tail tail = tail_of(sums, codes, blocks, size, gpu);
  Parts parts;
  parts.alone = times_alone(launch, size, sums, memory, tail, t);
  parts.memory_sharpness = t.memory_sharpness;
  parts.blocks = size.at_once / size.busy;
  parts.warps = parts.blocks * size.block_warps;
  parts.in_step = in_step(launch, size, parts);

  // What only some blocks do comes when the others have ended, the GPU must be filled and emptied
  // once, whatever is done in between, and where it is not filled the last time, the few blocks that
  // are left go through their loops alone; the more often it was filled, the less they end together.
  const double rounds = std::floor(size.fills), missing = std::ceil(size.fills) - size.fills;
  const double last_loops = size.fills > 1 ? (sums.usual - sums.once) * missing / rounds : 0;
  double cold = 0;
  if (launch.figures[LaunchCounter::Footprint])
    cold = memory.read > 0 ? t.first_read_latency : t.first_access_latency;
  parts.serial_path = size.ns_per_cycle * (sums.once + (sums.whole - sums.usual));
  parts.serial_besides = size.ns_per_cycle * (cold + last_loops);
  // All come to the grid's barrier, and nobody has anything else to do. Those that wait there read its word again and again, so
  // that who comes takes twice as long (lesson 05's grid_sync was 1.9 ns too fast for each of 256 blocks, 1.4 for each of 1024).
  constexpr double kWatchedWord = 2;
  if (sums.awaits_blocks) parts.serial_besides += kWatchedWord * parts[Limit::Atomics];
  Modelled m;
  m.besides_l2 = without_l2(parts);
  put_together(m, parts);
  if (!explained) return m;

  in.shared_passes = 1;
  const Sums smooth = c[SharedConflicts] ? add_up(codes, in, size.blocks) : sums;
  const double path = parts[Limit::Path] * (sums.whole > 0 ? smooth.whole / sums.whole : 1);
  m.what_if = what_if(launch, parts, tail, std::min(path, parts[Limit::Path]));
  m.because = because(launch, m.limit);
  return m;
}

}  // namespace emu::observe

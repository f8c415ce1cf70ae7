// SPDX-License-Identifier: MIT
// How long a launch would take: a bottleneck model over what was counted.
//
// Each resource of the GPU gets the time it would need alone. The slowest one decides; those near
// it add to it, because they do not overlap perfectly (a power mean, exponent kSharpness). Latency
// and bandwidth of DRAM nearly add up, since a busy DRAM answers late (memory_sharpness):
//
//   path      what one block must do one thing after the other (critical_path.hpp), times how often the
//             GPU has to be filled, with a pause in between. That is Little's law: resident warps x loads in flight. Where loads find
//             their data is played (counters/caches/level1.hpp, footprint.hpp). Blocks that have more to do than
//             others make it longer (tail.hpp).
//   blocks    that begin / one per block_ns: the first ones have their data while the last ones begin
//   issue     machine instructions / 4 per cycle and multiprocessor
//   units     the busiest of the units that take a warp in several cycles: integers, products, special
//             functions, doubles
//   shared    wavefronts, shuffles and votes / 1 per cycle and multiprocessor
//   barriers  warps that come to one
//   l1        lines that are looked up / 1 per cycle and multiprocessor; goes through the same pipe as shared
//   l2        sectors that L1 does not have, and all that is stored / bandwidth
//   dram      bytes that L2 does not have, 64 at a time, and what is written / bandwidth
//   atomics   the longest queue on one global address, one sector, one slice of L2
//   handovers the word that threads hand on most (handovers.hpp): a way to the L2 cache and back each
//   shared_atomics  float atomics on shared memory: compare-and-swap, lane after lane
//
// Not in it: the machine code that the compiler really makes, clocks that change, attempts that fail
// because another thread was faster.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "counters/counters.hpp"
#include "counters/workload.hpp"
#include "devices/timing.hpp"
#include "machine/warp.hpp"
#include "timing/critical_path.hpp"

namespace emu::observe {

enum class Limit : std::uint8_t {
  Path,
  Blocks,
  Issue,
  Units,
  Shared,
  Barriers,
  L1,
  L2,
  Dram,
  Atomics,
  Handovers,
  SharedAtomics,
  Count
};
inline constexpr std::size_t kLimits = static_cast<std::size_t>(Limit::Count);
std::string_view id_of(Limit limit);    // "dram"
std::string_view text_of(Limit limit);  // "DRAM bandwidth"

inline double number(std::uint64_t count) { return static_cast<double>(count); }

// The time if one cost were gone.
struct WhatIf {
  std::string_view without;
  double ns = 0;
  std::string file;  // the line that has most of it; empty: none is known
  std::uint32_t line = 0;
};

struct Modelled {
  double ns = 0;                        // of the kernel itself, without its launch
  double besides_l2 = 0;                // ... if L2 took no time
  std::array<double, kLimits> alone{};  // what each would need alone, ns
  Limit limit = Limit::Path;            // the slowest
  double share = 0;                     // its part of the sum under the mean, 0 to 1
  std::string because;                  // why, in a sentence
  std::vector<WhatIf> what_if;          // the dearest cost first
};

// One function of the kernel, as it was executed.
struct Executed {
  const exec::Code* code = nullptr;
  std::span<const Tally> tally;
  // An entry per instruction:
  std::span<const Source> sources;
  std::span<const Counts> counts;
  std::span<const double> sectors_in_l1;  // the share, of its loads from global memory
};

// `blocks`: what each of them had to do; empty where that is not known. `explained`: with `because` and `what_if`.
Modelled model(const LaunchCounts& launch, std::span<const Executed> codes,
               std::span<const Workload::Block> blocks, const devices::Profile& gpu,
               bool explained = true);

}  // namespace emu::observe

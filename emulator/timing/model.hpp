// SPDX-License-Identifier: MIT
// How long a launch would take: a bottleneck model over what was counted.
//
// Each resource of the GPU gets the time it would need alone. The slowest one decides; those near
// it add to it, because they do not overlap perfectly (a power mean, exponent kSharpness). Latency
// and bandwidth of DRAM nearly add up, since a busy DRAM answers late (memory_sharpness):
//
//   path      what one block must do one thing after the other (critical_path.hpp), times how often the
//             GPU has to be filled. That is Little's law: resident warps x loads in flight.
//   blocks    those that begin when others have ended / one per block_ns
//   issue     machine instructions / 4 per cycle and multiprocessor
//   shared    wavefronts, shuffles and votes / 1 per cycle and multiprocessor
//   barriers  warps that come to one
//   dram      bytes of the sectors touched / bandwidth. A launch finds the L2 as the course's flush
//             leaves it: nothing of use in it but what the launch before wrote, and a part of it to
//             be written back (dirty_share) before something that is read takes its place.
//   l2        bytes of all further accesses / bandwidth
//   atomics   the longest queue on one global address
//   handovers the word that threads hand on most (handovers.hpp): a way to the L2 cache and back each
//   shared_atomics  float atomics on shared memory: compare-and-swap, lane after lane
//
// Not in it: caches other than "what this or the last launch wrote is in L2", the machine code
// that the compiler really makes, clocks that change, blocks that are unlike each other, attempts
// that fail because another thread was faster.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "counters/counters.hpp"
#include "devices/timing.hpp"
#include "machine/warp.hpp"
#include "timing/critical_path.hpp"

namespace emu::observe {

enum class Limit : std::uint8_t {
  Path,
  Blocks,
  Issue,
  Shared,
  Barriers,
  Dram,
  L2,
  Atomics,
  Handovers,
  SharedAtomics,
  Count
};
inline constexpr std::size_t kLimits = static_cast<std::size_t>(Limit::Count);
std::string_view id_of(Limit limit);    // "dram"
std::string_view text_of(Limit limit);  // "DRAM bandwidth"

struct Modelled {
  double ns = 0;                        // of the kernel itself, without its launch
  std::array<double, kLimits> alone{};  // what each would need alone, ns
  Limit limit = Limit::Path;            // the slowest
  double share = 0;                     // its part of the sum under the mean, 0 to 1
};

// One function of the kernel, as it was executed.
struct Executed {
  const exec::Code* code = nullptr;
  std::span<const Tally> tally;
  std::span<const Source> sources;  // an entry per instruction
};

// `streaming`: the share of global loads that say they will not be needed again (ld.global.cs).
Modelled model(const LaunchCounts& launch, std::span<const Executed> codes, double streaming,
               const devices::Profile& gpu);

}  // namespace emu::observe

// SPDX-License-Identifier: MIT
// How often instructions are executed, for observers that need no more than sums.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace emu::observe {

// Sums of one instruction.
struct Tally {
  std::uint64_t executed = 0;   // warp instructions
  std::uint64_t active = 0;     // lanes that were there, added up
  std::uint64_t on = 0;         // ... and whose guard held
  std::uint64_t divergent = 0;  // branches at which lanes parted
};

// Where warps come into a function and leave it, for an observer that needs no more than those sums. Most instructions follow
// each other: only where a warp begins to do so and where it ends is written down, and add_up() makes the sums of it.
struct Passes {
  // Warps and lanes that begin here, less those that came to an end just before; off: lanes that were there and whose guard did not
  // hold. The first two are not side by side: compilers would make vectors of two, which take longer to put together.
  std::uint64_t warps = 0, off = 0, lanes = 0, divergent = 0;
  // A warp goes from here as far as, and without, `end`.
  void begin(Passes& end, std::uint64_t lanes_of_it) {
    ++warps;
    lanes += lanes_of_it;
    --end.warps;
    end.lanes -= lanes_of_it;
  }
};
// An entry for each instruction; `passes` has one more.
inline std::vector<Tally> add_up(std::span<const Passes> passes) {
  std::vector<Tally> sums;
  Tally now;
  for (const Passes& p : passes.first(passes.size() - 1)) {
    now.executed += p.warps;
    now.active += p.lanes;
    now.on = now.active - p.off;
    now.divergent = p.divergent;
    sums.push_back(now);
  }
  return sums;
}

}  // namespace emu::observe

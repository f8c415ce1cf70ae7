// SPDX-License-Identifier: MIT
// In which order the compiler behind the PTX puts the instructions of a block. What waits for nothing goes in front of what
// waits for a result, as long as there are registers for what it makes: the compiler tries to need no more than 32, with
// which a multiprocessor can hold as many threads as it ever does. (Of 212 kernels of tests/timing_set nvcc gives 38 just
// that many, and 8 more.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/observer.hpp"
#include "machine/warp.hpp"
#include "timing/costs.hpp"
#include "timing/loops.hpp"

namespace emu::observe {

// Instructions that stay behind those of the part before.
struct Part {
  std::size_t first = 0, end = 0;
  bool goes_on = false;            // what computes may be moved to where the part before ended
  std::vector<std::size_t> order;  // those that were executed
};

class Schedule {
 public:
  Schedule(const exec::Code& code, std::span<const Tally> tally, std::span<const Loop> loops);
  // `costs`: of all instructions of the code.
  std::vector<Part> parts(std::span<const Cost> costs) const;

 private:
  friend class PartOrder;
  void find_short();
  void find_uniform(std::span<const Loop> loops);
  void find_ranges(std::span<const Loop> loops);
  std::vector<Part> cut(std::span<const Loop> loops) const;
  std::size_t live_at(std::size_t i) const;
  bool runs(std::size_t i) const { return tally_[i].executed && code_.instrs[i].source; }
  bool ends_part(std::size_t i) const;

  const exec::Code& code_;
  std::span<const Tally> tally_;
  std::vector<Part> parts_;
  // Of each register of the PTX: registers of the machine, where it is written first, and until where it is needed.
  std::vector<std::uint8_t> words_;
  std::vector<std::size_t> written_, needed_;
  std::size_t live_ = 0;  // registers of the machine that are in use for long
};

}  // namespace emu::observe

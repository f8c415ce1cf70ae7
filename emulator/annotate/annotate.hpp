// SPDX-License-Identifier: MIT
// The source of the kernels that ran, with what was counted at each line beside it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "counters/counters.hpp"
#include "timing/model.hpp"

namespace emu::observe {

class Annotation {
 public:
  // Adds a launch to those of the same kernel.
  void add(const LaunchCounts& launch, const Modelled* modelled = nullptr);
  // One table per kernel, in the order of their first launch. Reads the source files.
  std::string text() const;

 private:
  struct OfKernel {
    std::string name;
    std::uint64_t launches = 0;
    Modelled longest;  // of its launches; ns 0: none was modelled
    Counts counts;
    std::map<std::string, std::map<std::uint32_t, Counts>> lines;  // by file and line
  };
  std::vector<OfKernel> kernels_;
};

}  // namespace emu::observe

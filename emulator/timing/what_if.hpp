// SPDX-License-Identifier: MIT
// What a launch would take if one cost were gone, and what its limit means in plain words.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "timing/model.hpp"
#include "timing/tail.hpp"

namespace emu::observe {

// The times that are put together (model.cpp), ns. Serial: what nothing overlaps with, a part of the path
// and what comes before and after all else.
struct Parts {
  std::array<double, kLimits> alone{};
  double serial_path = 0, serial_besides = 0;
  double memory_sharpness = 1;
  double warps = 64, blocks = 8;  // side by side on a multiprocessor
  double in_step = 0;             // 1: those blocks do the same at the same time

  double& operator[](Limit limit) { return alone[static_cast<std::size_t>(limit)]; }
  double operator[](Limit limit) const { return alone[static_cast<std::size_t>(limit)]; }
};
// Fills in the time, what limits it and by how much.
void put_together(Modelled& m, const Parts& parts);

// The costs that this launch has, the dearest first. `path_without_conflicts`: alone, ns.
std::vector<WhatIf> what_if(const LaunchCounts& launch, const Parts& parts, const Tail& tail,
                            double path_without_conflicts);

// Why this limit: the counters that show it, in a sentence.
std::string because(const LaunchCounts& launch, Limit limit);

}  // namespace emu::observe

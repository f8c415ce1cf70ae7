// SPDX-License-Identifier: MIT
// The families of the set `patterns`: each is one thing that varies, so that the cost of that one thing shows.
#pragma once

#include <vector>

#include "../set.cuh"

namespace timing_set {

void add_streams(std::vector<Kernel>& kernels);
void add_places(std::vector<Kernel>& kernels);
void add_ways(std::vector<Kernel>& kernels);
void add_steps(std::vector<Kernel>& kernels);
void add_fields(std::vector<Kernel>& kernels);
void add_windows(std::vector<Kernel>& kernels);

}  // namespace timing_set

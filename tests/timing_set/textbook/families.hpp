// SPDX-License-Identifier: MIT
// The families of the textbook's kernels, in four parts that are compiled beside each other, one by each who wrote them.
#pragma once
#include <vector>

namespace timing_set {

struct Kernel;
void add_movement(std::vector<Kernel>& kernels);
void add_algebra(std::vector<Kernel>& kernels);
void add_structures(std::vector<Kernel>& kernels);
void add_numerics(std::vector<Kernel>& kernels);

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// The families of what is asked in exams, in four parts that are compiled beside each other, one by each who wrote them.
#pragma once
#include <vector>

namespace timing_set {

struct Kernel;
void add_arrays(std::vector<Kernel>& kernels);
void add_linear(std::vector<Kernel>& kernels);
void add_searching(std::vector<Kernel>& kernels);
void add_grids(std::vector<Kernel>& kernels);

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// The families of the classroom's kernels, in four parts that are compiled beside each other, one by each who wrote them.
#pragma once
#include <vector>

namespace timing_set {

struct Kernel;
void add_arrays(std::vector<Kernel>& kernels);
void add_matrices(std::vector<Kernel>& kernels);
void add_searching(std::vector<Kernel>& kernels);
void add_fields(std::vector<Kernel>& kernels);

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// The families of the seminar's kernels, in four parts that are compiled beside each other, one by each who wrote them.
#pragma once
#include <vector>

namespace timing_set {

struct Kernel;
void add_views(std::vector<Kernel>& kernels);
void add_methods(std::vector<Kernel>& kernels);
void add_queries(std::vector<Kernel>& kernels);
void add_layers(std::vector<Kernel>& kernels);

}  // namespace timing_set

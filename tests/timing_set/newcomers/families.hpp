// SPDX-License-Identifier: MIT
// The families of the newcomers' kernels, in four parts that are compiled beside each other, one by each who wrote them.
#pragma once
#include <vector>

namespace timing_set {

struct Kernel;
void add_sensing(std::vector<Kernel>& kernels);
void add_records(std::vector<Kernel>& kernels);
void add_nature(std::vector<Kernel>& kernels);
void add_scenes(std::vector<Kernel>& kernels);

}  // namespace timing_set

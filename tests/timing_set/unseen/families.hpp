// SPDX-License-Identifier: MIT
// The families of the unseen kernels, in four parts that are compiled beside each other.
#pragma once
#include <vector>

namespace timing_set {

struct Kernel;
void add_pictures(std::vector<Kernel>& kernels);
void add_networks(std::vector<Kernel>& kernels);
void add_systems(std::vector<Kernel>& kernels);
void add_rows(std::vector<Kernel>& kernels);

}  // namespace timing_set

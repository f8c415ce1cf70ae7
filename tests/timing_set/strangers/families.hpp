// SPDX-License-Identifier: MIT
// The families of the strangers' kernels, in four parts that are compiled beside each other, one by each who wrote them.
#pragma once
#include <vector>

namespace timing_set {

struct Kernel;
void add_learning(std::vector<Kernel>& kernels);
void add_signals(std::vector<Kernel>& kernels);
void add_tables(std::vector<Kernel>& kernels);
void add_motion(std::vector<Kernel>& kernels);

}  // namespace timing_set

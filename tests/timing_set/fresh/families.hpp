// SPDX-License-Identifier: MIT
// The families of the fresh kernels, in three parts that are compiled beside each other.
#pragma once
#include <vector>

namespace timing_set {

struct Kernel;
void add_images(std::vector<Kernel>& kernels);
void add_lists_and_words(std::vector<Kernel>& kernels);
void add_matrices(std::vector<Kernel>& kernels);

}  // namespace timing_set

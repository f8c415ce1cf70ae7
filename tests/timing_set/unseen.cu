// SPDX-License-Identifier: MIT
// Kernels written without a look at the model. Half of them judge it, and are never fitted to (scripts/timing_set.py).
#include "program.cuh"
#include "unseen/families.hpp"

int main(int argc, char** argv) {
  std::vector<timing_set::Kernel> kernels;
  timing_set::add_pictures(kernels);
  timing_set::add_networks(kernels);
  timing_set::add_systems(kernels);
  timing_set::add_rows(kernels);
  return timing_set::program(kernels, argc, argv);
}

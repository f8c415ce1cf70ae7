// SPDX-License-Identifier: MIT
// Kernels that are one access or one step again and again: what the model learns single costs from (scripts/timing_set.py).
#include "patterns/families.hpp"
#include "program.cuh"

int main(int argc, char** argv) {
  std::vector<timing_set::Kernel> kernels;
  timing_set::add_streams(kernels);
  timing_set::add_places(kernels);
  timing_set::add_ways(kernels);
  timing_set::add_steps(kernels);
  timing_set::add_fields(kernels);
  timing_set::add_windows(kernels);
  return timing_set::program(kernels, argc, argv);
}

// SPDX-License-Identifier: MIT
// The kernels that the modelled time is judged by, and never fitted to (scripts/timing_set.py).
#include "fresh/families.hpp"
#include "program.cuh"

int main(int argc, char** argv) {
  std::vector<timing_set::Kernel> kernels;
  timing_set::add_images(kernels);
  timing_set::add_lists_and_words(kernels);
  timing_set::add_matrices(kernels);
  return timing_set::program(kernels, argc, argv);
}

// SPDX-License-Identifier: MIT
// Kernels written by four who had seen neither the model nor any other set (scripts/timing_set.py).
#include "program.cuh"
#include "strangers/families.hpp"

int main(int argc, char** argv) {
  std::vector<timing_set::Kernel> kernels;
  timing_set::add_learning(kernels);
  timing_set::add_signals(kernels);
  timing_set::add_tables(kernels);
  timing_set::add_motion(kernels);
  return timing_set::program(kernels, argc, argv);
}

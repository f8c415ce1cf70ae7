// SPDX-License-Identifier: MIT
// What every textbook has, as four others write it who had seen neither the model nor any other set; half of it was judged
// (scripts/timing_set.py).
#include "program.cuh"
#include "textbook/families.hpp"

int main(int argc, char** argv) {
  std::vector<timing_set::Kernel> kernels;
  timing_set::add_movement(kernels);
  timing_set::add_algebra(kernels);
  timing_set::add_structures(kernels);
  timing_set::add_numerics(kernels);
  return timing_set::program(kernels, argc, argv);
}

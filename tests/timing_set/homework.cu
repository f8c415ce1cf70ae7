// SPDX-License-Identifier: MIT
// What students hand in who have read a book on CUDA, by four others who had seen neither the model nor any other set; half of
// it is judged (scripts/timing_set.py).
#include "homework/families.hpp"
#include "program.cuh"

int main(int argc, char** argv) {
  std::vector<timing_set::Kernel> kernels;
  timing_set::add_moving(kernels);
  timing_set::add_algebra(kernels);
  timing_set::add_counting(kernels);
  timing_set::add_simulating(kernels);
  return timing_set::program(kernels, argc, argv);
}

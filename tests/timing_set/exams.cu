// SPDX-License-Identifier: MIT
// What is asked in an exam on CUDA, and answered: six kernels for each problem, by four others who had seen neither the model nor
// any other set; half of it is judged (scripts/timing_set.py).
#include "exams/families.hpp"
#include "program.cuh"

int main(int argc, char** argv) {
  std::vector<timing_set::Kernel> kernels;
  timing_set::add_arrays(kernels);
  timing_set::add_linear(kernels);
  timing_set::add_searching(kernels);
  timing_set::add_grids(kernels);
  return timing_set::program(kernels, argc, argv);
}

// SPDX-License-Identifier: MIT
// What a student meets in a first course, as four others write it who had seen neither the model nor any other set; half of it
// was judged (scripts/timing_set.py).
#include "classroom/families.hpp"
#include "program.cuh"

int main(int argc, char** argv) {
  std::vector<timing_set::Kernel> kernels;
  timing_set::add_arrays(kernels);
  timing_set::add_matrices(kernels);
  timing_set::add_searching(kernels);
  timing_set::add_fields(kernels);
  return timing_set::program(kernels, argc, argv);
}

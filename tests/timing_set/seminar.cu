// SPDX-License-Identifier: MIT
// What people write who come to CUDA from a field of their own, by four others who had seen neither the model nor any other
// set; all of it is learned from (scripts/timing_set.py).
#include "program.cuh"
#include "seminar/families.hpp"

int main(int argc, char** argv) {
  std::vector<timing_set::Kernel> kernels;
  timing_set::add_views(kernels);
  timing_set::add_methods(kernels);
  timing_set::add_queries(kernels);
  timing_set::add_layers(kernels);
  return timing_set::program(kernels, argc, argv);
}

// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "batches.cuh"
#include "dots.cuh"
#include "families.hpp"
#include "matvecs.cuh"
#include "products.cuh"
#include "sparses.cuh"

void timing_set::add_matrices(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(products);
  TIMING_SET_FAMILY(matvecs);
  TIMING_SET_FAMILY(batches);
  TIMING_SET_FAMILY(sparses);
  TIMING_SET_FAMILY(dots);
}

// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "convolve.cuh"
#include "families.hpp"
#include "grids.cuh"
#include "rowwise.cuh"
#include "totals.cuh"
#include "worlds.cuh"

void timing_set::add_numerics(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(convolve);
  TIMING_SET_FAMILY(grids);
  TIMING_SET_FAMILY(rowwise);
  TIMING_SET_FAMILY(totals);
  TIMING_SET_FAMILY(worlds);
}

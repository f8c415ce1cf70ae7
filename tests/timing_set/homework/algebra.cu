// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "convs.cuh"
#include "dotting.cuh"
#include "families.hpp"
#include "matmuls.cuh"
#include "rowcols.cuh"
#include "stencilled.cuh"

void timing_set::add_algebra(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(convs);
  TIMING_SET_FAMILY(dotting);
  TIMING_SET_FAMILY(matmuls);
  TIMING_SET_FAMILY(rowcols);
  TIMING_SET_FAMILY(stencilled);
}

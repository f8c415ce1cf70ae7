// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "draws.cuh"
#include "families.hpp"
#include "graphs.cuh"
#include "softmaxes.cuh"
#include "stencils.cuh"
#include "sums.cuh"

void timing_set::add_fields(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(sums);
  TIMING_SET_FAMILY(stencils);
  TIMING_SET_FAMILY(graphs);
  TIMING_SET_FAMILY(softmaxes);
  TIMING_SET_FAMILY(draws);
}

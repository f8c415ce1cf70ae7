// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "families.hpp"
#include "smallbatch.cuh"
#include "sparsemats.cuh"
#include "tileprods.cuh"
#include "vecprods.cuh"

void timing_set::add_linear(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(smallbatch);
  TIMING_SET_FAMILY(sparsemats);
  TIMING_SET_FAMILY(tileprods);
  TIMING_SET_FAMILY(vecprods);
}

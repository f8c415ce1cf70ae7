// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "bins.cuh"
#include "families.hpp"
#include "flips.cuh"
#include "hops.cuh"
#include "indirect.cuh"
#include "vectors.cuh"

void timing_set::add_movement(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(bins);
  TIMING_SET_FAMILY(flips);
  TIMING_SET_FAMILY(hops);
  TIMING_SET_FAMILY(indirect);
  TIMING_SET_FAMILY(vectors);
}

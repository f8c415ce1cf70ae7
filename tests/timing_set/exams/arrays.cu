// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "families.hpp"
#include "flipped.cuh"
#include "movers.cuh"
#include "reduced.cuh"
#include "updates.cuh"

void timing_set::add_arrays(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(flipped);
  TIMING_SET_FAMILY(movers);
  TIMING_SET_FAMILY(reduced);
  TIMING_SET_FAMILY(updates);
}

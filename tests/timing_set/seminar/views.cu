// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "equalise.cuh"
#include "erosions.cuh"
#include "families.hpp"
#include "gradients.cuh"
#include "pyramids.cuh"
#include "rotations.cuh"

void timing_set::add_views(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(erosions);
  TIMING_SET_FAMILY(gradients);
  TIMING_SET_FAMILY(pyramids);
  TIMING_SET_FAMILY(rotations);
  TIMING_SET_FAMILY(equalise);
}

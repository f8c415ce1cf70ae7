// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "copies.cuh"
#include "families.hpp"
#include "images.cuh"
#include "layouts.cuh"
#include "picks.cuh"
#include "turns.cuh"

void timing_set::add_arrays(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(copies);
  TIMING_SET_FAMILY(turns);
  TIMING_SET_FAMILY(picks);
  TIMING_SET_FAMILY(layouts);
  TIMING_SET_FAMILY(images);
}

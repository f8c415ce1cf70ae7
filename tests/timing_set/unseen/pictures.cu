// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "channels.cuh"
#include "families.hpp"
#include "grey.cuh"
#include "median.cuh"
#include "rays.cuh"
#include "widen.cuh"

void timing_set::add_pictures(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(channels);
  TIMING_SET_FAMILY(median);
  TIMING_SET_FAMILY(widen);
  TIMING_SET_FAMILY(grey);
  TIMING_SET_FAMILY(rays);
}

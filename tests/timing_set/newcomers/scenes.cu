// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "families.hpp"
#include "implied.cuh"
#include "lidar.cuh"
#include "queens.cuh"
#include "raster.cuh"
#include "skinning.cuh"

void timing_set::add_scenes(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(implied);
  TIMING_SET_FAMILY(lidar);
  TIMING_SET_FAMILY(queens);
  TIMING_SET_FAMILY(raster);
  TIMING_SET_FAMILY(skinning);
}

// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "blurs.cuh"
#include "brutes.cuh"
#include "crawls.cuh"
#include "families.hpp"
#include "meshes.cuh"
#include "rownorms.cuh"

void timing_set::add_grids(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(blurs);
  TIMING_SET_FAMILY(brutes);
  TIMING_SET_FAMILY(crawls);
  TIMING_SET_FAMILY(meshes);
  TIMING_SET_FAMILY(rownorms);
}

// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "blocked.cuh"
#include "checksum.cuh"
#include "components.cuh"
#include "encode.cuh"
#include "families.hpp"
#include "ranks.cuh"
#include "triangles.cuh"

void timing_set::add_networks(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(blocked);
  TIMING_SET_FAMILY(ranks);
  TIMING_SET_FAMILY(triangles);
  TIMING_SET_FAMILY(components);
  TIMING_SET_FAMILY(checksum);
  TIMING_SET_FAMILY(encode);
}

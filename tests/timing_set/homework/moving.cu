// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "axpys.cuh"
#include "families.hpp"
#include "gathering.cuh"
#include "records.cuh"
#include "strides.cuh"
#include "transposing.cuh"

void timing_set::add_moving(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(axpys);
  TIMING_SET_FAMILY(gathering);
  TIMING_SET_FAMILY(records);
  TIMING_SET_FAMILY(strides);
  TIMING_SET_FAMILY(transposing);
}

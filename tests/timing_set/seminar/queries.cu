// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "bitmaps.cuh"
#include "families.hpp"
#include "groupings.cuh"
#include "tokens.cuh"
#include "unions.cuh"
#include "uniques.cuh"

void timing_set::add_queries(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(groupings);
  TIMING_SET_FAMILY(uniques);
  TIMING_SET_FAMILY(unions);
  TIMING_SET_FAMILY(bitmaps);
  TIMING_SET_FAMILY(tokens);
}

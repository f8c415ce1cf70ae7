// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "bitonics.cuh"
#include "compacts.cuh"
#include "families.hpp"
#include "histos.cuh"
#include "scanning.cuh"
#include "tables.cuh"

void timing_set::add_counting(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(bitonics);
  TIMING_SET_FAMILY(compacts);
  TIMING_SET_FAMILY(histos);
  TIMING_SET_FAMILY(scanning);
  TIMING_SET_FAMILY(tables);
}

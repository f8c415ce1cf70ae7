// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "bincounts.cuh"
#include "families.hpp"
#include "hashfills.cuh"
#include "runsums.cuh"
#include "sorters.cuh"

void timing_set::add_searching(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(bincounts);
  TIMING_SET_FAMILY(hashfills);
  TIMING_SET_FAMILY(runsums);
  TIMING_SET_FAMILY(sorters);
}

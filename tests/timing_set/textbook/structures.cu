// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "families.hpp"
#include "hashes.cuh"
#include "scans.cuh"
#include "sieves.cuh"
#include "sorting.cuh"
#include "walks.cuh"

void timing_set::add_structures(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(hashes);
  TIMING_SET_FAMILY(scans);
  TIMING_SET_FAMILY(sieves);
  TIMING_SET_FAMILY(sorting);
  TIMING_SET_FAMILY(walks);
}

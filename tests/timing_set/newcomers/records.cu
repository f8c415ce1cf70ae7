// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "aes.cuh"
#include "families.hpp"
#include "lempel.cuh"
#include "minimiser.cuh"
#include "routes.cuh"
#include "scoring.cuh"

void timing_set::add_records(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(aes);
  TIMING_SET_FAMILY(lempel);
  TIMING_SET_FAMILY(minimiser);
  TIMING_SET_FAMILY(routes);
  TIMING_SET_FAMILY(scoring);
}

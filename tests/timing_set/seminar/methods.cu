// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "eigens.cuh"
#include "families.hpp"
#include "jacobis.cuh"
#include "pendulums.cuh"
#include "splines.cuh"
#include "spmms.cuh"

void timing_set::add_methods(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(jacobis);
  TIMING_SET_FAMILY(spmms);
  TIMING_SET_FAMILY(eigens);
  TIMING_SET_FAMILY(splines);
  TIMING_SET_FAMILY(pendulums);
}

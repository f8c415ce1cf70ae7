// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "convnets.cuh"
#include "families.hpp"
#include "forces.cuh"
#include "gemms.cuh"
#include "norms.cuh"
#include "traversals.cuh"

void timing_set::add_layers(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(norms);
  TIMING_SET_FAMILY(convnets);
  TIMING_SET_FAMILY(gemms);
  TIMING_SET_FAMILY(traversals);
  TIMING_SET_FAMILY(forces);
}

// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "boltzmann.cuh"
#include "cyclic.cuh"
#include "deposit.cuh"
#include "families.hpp"
#include "orbit.cuh"
#include "polygon.cuh"

void timing_set::add_motion(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(boltzmann);
  TIMING_SET_FAMILY(cyclic);
  TIMING_SET_FAMILY(deposit);
  TIMING_SET_FAMILY(orbit);
  TIMING_SET_FAMILY(polygon);
}

// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "breadth.cuh"
#include "families.hpp"
#include "fractals.cuh"
#include "montecarlos.cuh"
#include "nbodies.cuh"
#include "rowsparse.cuh"

void timing_set::add_simulating(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(breadth);
  TIMING_SET_FAMILY(fractals);
  TIMING_SET_FAMILY(montecarlos);
  TIMING_SET_FAMILY(nbodies);
  TIMING_SET_FAMILY(rowsparse);
}

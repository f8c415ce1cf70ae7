// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "dispersion.cuh"
#include "elements.cuh"
#include "families.hpp"
#include "flux.cuh"
#include "kinetics.cuh"
#include "spectrum.cuh"

void timing_set::add_nature(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(dispersion);
  TIMING_SET_FAMILY(elements);
  TIMING_SET_FAMILY(flux);
  TIMING_SET_FAMILY(kinetics);
  TIMING_SET_FAMILY(spectrum);
}

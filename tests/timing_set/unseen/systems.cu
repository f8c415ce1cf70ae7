// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "binomial.cuh"
#include "families.hpp"
#include "molecules.cuh"
#include "particles.cuh"
#include "small.cuh"
#include "thomas.cuh"
#include "triangular.cuh"
#include "wave.cuh"

void timing_set::add_systems(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(thomas);
  TIMING_SET_FAMILY(triangular);
  TIMING_SET_FAMILY(small);
  TIMING_SET_FAMILY(wave);
  TIMING_SET_FAMILY(particles);
  TIMING_SET_FAMILY(molecules);
  TIMING_SET_FAMILY(binomial);
}

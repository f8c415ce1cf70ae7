// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "attention.cuh"
#include "factor.cuh"
#include "families.hpp"
#include "fourier.cuh"
#include "halves.cuh"
#include "layer.cuh"
#include "means.cuh"
#include "numbers.cuh"
#include "octets.cuh"
#include "paths.cuh"
#include "prefix.cuh"
#include "triplets.cuh"

void timing_set::add_matrices(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(factor);
  TIMING_SET_FAMILY(paths);
  TIMING_SET_FAMILY(prefix);
  TIMING_SET_FAMILY(means);
  TIMING_SET_FAMILY(fourier);
  TIMING_SET_FAMILY(halves);
  TIMING_SET_FAMILY(octets);
  TIMING_SET_FAMILY(triplets);
  TIMING_SET_FAMILY(attention);
  TIMING_SET_FAMILY(layer);
  TIMING_SET_FAMILY(numbers);
}

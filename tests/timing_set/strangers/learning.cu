// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "adam.cuh"
#include "embedding.cuh"
#include "families.hpp"
#include "householder.cuh"
#include "pooling.cuh"
#include "quantised.cuh"

void timing_set::add_learning(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(adam);
  TIMING_SET_FAMILY(embedding);
  TIMING_SET_FAMILY(householder);
  TIMING_SET_FAMILY(pooling);
  TIMING_SET_FAMILY(quantised);
}

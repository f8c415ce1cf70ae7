// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "beamform.cuh"
#include "boxes.cuh"
#include "families.hpp"
#include "forest.cuh"
#include "radio.cuh"
#include "viterbi.cuh"

void timing_set::add_sensing(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(beamform);
  TIMING_SET_FAMILY(boxes);
  TIMING_SET_FAMILY(forest);
  TIMING_SET_FAMILY(radio);
  TIMING_SET_FAMILY(viterbi);
}

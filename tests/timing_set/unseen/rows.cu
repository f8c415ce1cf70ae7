// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "families.hpp"
#include "hamming.cuh"
#include "loss.cuh"
#include "moments.cuh"
#include "order.cuh"
#include "recursive.cuh"
#include "topmost.cuh"
#include "winner.cuh"

void timing_set::add_rows(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(winner);
  TIMING_SET_FAMILY(topmost);
  TIMING_SET_FAMILY(loss);
  TIMING_SET_FAMILY(moments);
  TIMING_SET_FAMILY(recursive);
  TIMING_SET_FAMILY(hamming);
  TIMING_SET_FAMILY(order);
}

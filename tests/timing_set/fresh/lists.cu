// SPDX-License-Identifier: MIT
#include "lists.cuh"

#include "../program.cuh"
#include "align.cuh"
#include "contend.cuh"
#include "extreme.cuh"
#include "families.hpp"
#include "frontier.cuh"
#include "merge.cuh"
#include "noise.cuh"
#include "radix.cuh"
#include "segments.cuh"

void timing_set::add_lists_and_words(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(radix);
  TIMING_SET_FAMILY(merge);
  TIMING_SET_FAMILY(extreme);
  TIMING_SET_FAMILY(lists);
  TIMING_SET_FAMILY(contend);
  TIMING_SET_FAMILY(segments);
  TIMING_SET_FAMILY(frontier);
  TIMING_SET_FAMILY(align);
  TIMING_SET_FAMILY(noise);
}

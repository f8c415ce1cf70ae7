// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "families.hpp"
#include "filters.cuh"
#include "lookups.cuh"
#include "orders.cuh"
#include "prefixes.cuh"
#include "tallies.cuh"

void timing_set::add_searching(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(tallies);
  TIMING_SET_FAMILY(prefixes);
  TIMING_SET_FAMILY(orders);
  TIMING_SET_FAMILY(filters);
  TIMING_SET_FAMILY(lookups);
}

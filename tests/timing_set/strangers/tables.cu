// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "bloom.cuh"
#include "families.hpp"
#include "groups.cuh"
#include "joins.cuh"
#include "kdtree.cuh"
#include "shell.cuh"

void timing_set::add_tables(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(bloom);
  TIMING_SET_FAMILY(groups);
  TIMING_SET_FAMILY(joins);
  TIMING_SET_FAMILY(kdtree);
  TIMING_SET_FAMILY(shell);
}

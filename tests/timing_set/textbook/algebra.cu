// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "families.hpp"
#include "gemm.cuh"
#include "gemv.cuh"
#include "inner.cuh"
#include "packs.cuh"
#include "spmv.cuh"

void timing_set::add_algebra(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(gemm);
  TIMING_SET_FAMILY(gemv);
  TIMING_SET_FAMILY(inner);
  TIMING_SET_FAMILY(packs);
  TIMING_SET_FAMILY(spmv);
}

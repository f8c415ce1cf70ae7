// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "cosine.cuh"
#include "dilation.cuh"
#include "dither.cuh"
#include "families.hpp"
#include "march.cuh"
#include "wavelet.cuh"

void timing_set::add_signals(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(cosine);
  TIMING_SET_FAMILY(dilation);
  TIMING_SET_FAMILY(dither);
  TIMING_SET_FAMILY(march);
  TIMING_SET_FAMILY(wavelet);
}

// SPDX-License-Identifier: MIT
#include "../program.cuh"
#include "bits.cuh"
#include "blur.cuh"
#include "families.hpp"
#include "layout.cuh"
#include "life.cuh"
#include "relax.cuh"
#include "sample.cuh"
#include "text.cuh"
#include "tone.cuh"

void timing_set::add_images(std::vector<Kernel>& kernels) {
  TIMING_SET_FAMILY(relax);
  TIMING_SET_FAMILY(sample);
  TIMING_SET_FAMILY(blur);
  TIMING_SET_FAMILY(tone);
  TIMING_SET_FAMILY(life);
  TIMING_SET_FAMILY(text);
  TIMING_SET_FAMILY(bits);
  TIMING_SET_FAMILY(layout);
}

// SPDX-License-Identifier: MIT
// Exercise warp_max: brings x to the device, launches one warp, takes the largest back.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  auto largest = run.output<int>("largest", 1);
  warp_max<<<1, 32>>>(x.data(), x.size(), largest.data());
}

EXERCISE_MAIN(run_case)

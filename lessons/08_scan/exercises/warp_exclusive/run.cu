// SPDX-License-Identifier: MIT
// Exercise warp_exclusive: brings x to the device, launches one warp, takes the sums back.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  auto out = run.output<int>("out", x.size());
  warp_exclusive<<<1, 32>>>(x.data(), x.size(), out.data());
}

EXERCISE_MAIN(run_case)

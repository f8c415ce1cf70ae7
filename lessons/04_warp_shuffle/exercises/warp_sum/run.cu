// SPDX-License-Identifier: MIT
// Exercise warp_sum: brings x to the device, launches one warp, takes the sum back.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  auto sum = run.output<int>("sum", 1);
  warp_sum<<<1, 32>>>(x.data(), x.size(), sum.data());
}

EXERCISE_MAIN(run_case)

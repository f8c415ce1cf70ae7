// SPDX-License-Identifier: MIT
// Exercise warp_argmax: brings x to the device, launches one warp, takes the index back.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  auto where = run.output<unsigned>("where", 1);
  warp_argmax<<<1, 32>>>(x.data(), x.size(), where.data());
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise warp_compact: one warp.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  auto kept = run.output<int>("kept", x.size());
  auto count = run.output_zero<unsigned>("count", 1);
  warp_compact<<<1, 32>>>(x.data(), x.size(), kept.data(), count.data());
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise predict_error: one warp.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<float>("x");
  auto bound = run.output<float>("bound", 2);
  predict_error<<<1, 32>>>(x.data(), x.size(), bound.data());
}

EXERCISE_MAIN(run_case)

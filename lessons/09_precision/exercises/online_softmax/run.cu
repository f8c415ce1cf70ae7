// SPDX-License-Identifier: MIT
// Exercise online_softmax: one warp, one row.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<float>("x");
  auto y = run.output<float>("y", x.size());
  online_softmax<<<1, 32>>>(x.data(), static_cast<unsigned>(x.size()), y.data());
}

EXERCISE_MAIN(run_case)

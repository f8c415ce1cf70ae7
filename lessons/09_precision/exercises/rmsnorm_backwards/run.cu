// SPDX-License-Identifier: MIT
// Exercise rmsnorm_backwards: one warp, one row.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<float>("x");
  auto w = run.input<float>("w");
  auto dy = run.input<float>("dy");
  auto dx = run.output<float>("dx", x.size());
  rmsnorm_backwards<<<1, 32>>>(x.data(), w.data(), dy.data(), static_cast<unsigned>(x.size()),
                               run.one<float>("epsilon"), dx.data());
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise warp_find: one warp.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  auto where = run.output<unsigned>("where", 1);
  warp_find<<<1, 32>>>(x.data(), x.size(), run.one<int>("wanted"), where.data());
}

EXERCISE_MAIN(run_case)

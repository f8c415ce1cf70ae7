// SPDX-License-Identifier: MIT
// Exercise fix_the_launch: calls the student's host function.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.output_from<int>("x", "x");
  launch_triple(x.data(), x.size());
}

EXERCISE_MAIN(run_case)

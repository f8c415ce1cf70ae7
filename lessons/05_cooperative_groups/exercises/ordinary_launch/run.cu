// SPDX-License-Identifier: MIT
// Exercise ordinary_launch: the student's host function launches the kernel, which gets room for as
// many partial sums as blocks are wanted.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  const unsigned wanted = run.one<unsigned>("wanted");
  auto partial = run.scratch<int>(wanted);
  auto sum = run.output<int>("sum", 1);
  launch_grid_sum(x.data(), x.size(), partial.data(), sum.data(), wanted);
}

EXERCISE_MAIN(run_case)

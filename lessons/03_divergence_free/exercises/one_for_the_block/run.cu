// SPDX-License-Identifier: MIT
// Exercise one_for_the_block: calls the student's host function.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  const auto most = run.one<unsigned>("most");
  auto sum = run.output<int>("sum", 1);
  auto blocks = run.output<unsigned>("blocks", 1);
  sum_of_squares(x.data(), x.size(), most, sum.data(), blocks.data());
}

EXERCISE_MAIN(run_case)

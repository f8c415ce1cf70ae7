// SPDX-License-Identifier: MIT
// Exercise private_sum: a grid of the case's shape adds up into a sum that starts at 0.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  auto sum = run.output_zero<int>("sum", 1);
  sum_all<<<run.one<unsigned>("blocks"), run.one<unsigned>("threads")>>>(x.data(), x.size(),
                                                                         sum.data());
}

EXERCISE_MAIN(run_case)

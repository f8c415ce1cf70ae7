// SPDX-License-Identifier: MIT
// Exercise last_ticket: one launch; the ticket starts at 0 and goes to the judge with the sum.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  const unsigned blocks = run.one<unsigned>("blocks");
  auto partial = run.scratch<int>(blocks);
  auto ticket = run.output_zero<unsigned>("ticket", 1);
  auto sum = run.output<int>("sum", 1);
  sum_in_one_launch<<<blocks, 64>>>(x.data(), x.size(), partial.data(), ticket.data(), sum.data());
}

EXERCISE_MAIN(run_case)

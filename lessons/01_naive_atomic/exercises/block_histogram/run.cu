// SPDX-License-Identifier: MIT
// Exercise block_histogram: a grid of the case's shape counts into counters that start at 0.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  auto counts = run.output_zero<int>("counts", 100);
  histogram<<<run.one<unsigned>("blocks"), run.one<unsigned>("threads")>>>(x.data(), x.size(),
                                                                           counts.data());
}

EXERCISE_MAIN(run_case)

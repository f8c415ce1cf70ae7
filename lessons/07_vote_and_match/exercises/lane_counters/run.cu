// SPDX-License-Identifier: MIT
// Exercise lane_counters: one block of two warps; the counts start at 0.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<unsigned char>("x");
  auto counts = run.output_zero<unsigned>("counts", 16);
  lane_counters<<<1, 64>>>(x.data(), x.size(), counts.data());
}

EXERCISE_MAIN(run_case)

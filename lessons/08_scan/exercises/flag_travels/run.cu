// SPDX-License-Identifier: MIT
// Exercise flag_travels: one warp for each 32 elements.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  auto flags = run.input<int>("flags");
  auto out = run.output<int>("out", x.size());
  segmented<<<static_cast<unsigned>(x.size() / 32), 32>>>(x.data(), flags.data(), out.data());
}

EXERCISE_MAIN(run_case)

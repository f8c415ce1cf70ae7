// SPDX-License-Identifier: MIT
// Exercise near_count: a thread per point.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto xyz = run.input<float>("xyz");
  const auto n = static_cast<unsigned>(xyz.size() / 3);
  auto counts = run.output<unsigned>("counts", n);
  near_count<<<n / 64 + 1, 64>>>(xyz.data(), n, run.one<float>("eps"), run.one<unsigned>("enough"),
                                 counts.data());
}

EXERCISE_MAIN(run_case)

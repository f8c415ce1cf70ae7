// SPDX-License-Identifier: MIT
// Exercise lost_union: all edges of a graph at the same time.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto edges = run.input<unsigned>("edges");
  auto start = run.host<unsigned>("start");
  auto parents = run.output_from<unsigned>("parents", "start");
  auto roots = run.output<unsigned>("roots", start.size());
  const auto n = static_cast<unsigned>(edges.size() / 2);
  unite_all<<<n / 32 + 1, 32>>>(parents.data(), edges.data(), n);
  roots_of_all<<<1, 32>>>(parents.data(), static_cast<unsigned>(start.size()), roots.data());
}

EXERCISE_MAIN(run_case)

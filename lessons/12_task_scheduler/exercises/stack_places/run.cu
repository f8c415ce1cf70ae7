// SPDX-License-Identifier: MIT
// Exercise stack_places: one warp.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto first = run.input<unsigned>("first");
  auto kids = run.input<unsigned>("kids");
  auto room = run.scratch<unsigned>(first.size());
  auto visits = run.output_zero<unsigned>("visits", first.size());
  const auto nodes = static_cast<unsigned>(first.size());
  visit_all<<<1, 32>>>(first.data(), kids.data(), nodes, room.data(), visits.data());
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise copy_back: an array on the host, which the student's function changes.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  static int numbers[4096];
  const auto x = run.host<int>("x");
  for (std::size_t i = 0; i < x.size(); ++i) numbers[i] = x[i];
  auto room = run.scratch<int>(x.size());
  triple_there_and_back(numbers, x.size(), room.data());
  run.output_host("x", numbers, x.size());
}

EXERCISE_MAIN(run_case)

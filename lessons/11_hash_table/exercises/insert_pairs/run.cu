// SPDX-License-Identifier: MIT
// Exercise insert_pairs: blocks of 64 threads, all slots empty before.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto keys = run.input<unsigned>("keys");
  auto values = run.input<unsigned>("values");
  auto slots = run.output_from<unsigned long long>("slots", "empty");
  auto outcomes = run.output<unsigned>("outcomes", keys.size());
  const auto n = static_cast<unsigned>(keys.size());
  if (n > 0)
    insert_pairs<<<(n + 63) / 64, 64>>>(slots.data(), static_cast<unsigned>(slots.size()),
                                        keys.data(), values.data(), n, outcomes.data());
}

EXERCISE_MAIN(run_case)

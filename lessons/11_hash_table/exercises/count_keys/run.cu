// SPDX-License-Identifier: MIT
// Exercise count_keys: blocks of 64 threads, all slots empty before.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto keys = run.input<unsigned>("keys");
  auto slots = run.output_from<unsigned long long>("slots", "empty");
  const auto n = static_cast<unsigned>(keys.size());
  if (n > 0)
    count_keys<<<(n + 63) / 64, 64>>>(slots.data(), static_cast<unsigned>(slots.size()),
                                      keys.data(), n);
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise sector_find: blocks of 64 threads.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto slots = run.input<unsigned long long>("slots");
  auto keys = run.input<unsigned>("keys");
  auto found = run.output<unsigned>("found", keys.size());
  const auto n = static_cast<unsigned>(keys.size());
  sector_find<<<(n + 63) / 64, 64>>>(slots.data(), static_cast<unsigned>(slots.size() / 4),
                                     keys.data(), n, found.data());
}

EXERCISE_MAIN(run_case)

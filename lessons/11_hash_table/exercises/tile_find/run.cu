// SPDX-License-Identifier: MIT
// Exercise tile_find: one block of 64 threads, eight tiles.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto slots = run.input<unsigned long long>("slots");
  auto keys = run.input<unsigned>("keys");
  auto found = run.output<unsigned>("found", keys.size());
  tile_find<<<1, 64>>>(slots.data(), static_cast<unsigned>(slots.size() / 8), keys.data(),
                       static_cast<unsigned>(keys.size()), found.data());
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise block_places: blocks of 256.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  const auto blocks = static_cast<unsigned>(x.size() / 256);
  auto place = run.output<unsigned>("place", x.size());
  auto total = run.output<unsigned>("total", blocks);
  block_places<<<blocks, 256>>>(x.data(), place.data(), total.data());
}

EXERCISE_MAIN(run_case)

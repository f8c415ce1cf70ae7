// SPDX-License-Identifier: MIT
// Exercise one_atomic_per_warp: one thread per element, blocks of 128; the count starts at 0.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  auto kept = run.output<int>("kept", x.size());
  auto count = run.output_zero<unsigned>("count", 1);
  const auto blocks = static_cast<unsigned>(x.size() > 0 ? (x.size() + 127) / 128 : 1);
  keep_positive<<<blocks, 128>>>(x.data(), x.size(), kept.data(), count.data());
}

EXERCISE_MAIN(run_case)

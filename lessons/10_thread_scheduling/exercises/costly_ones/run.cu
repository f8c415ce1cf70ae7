// SPDX-License-Identifier: MIT
// Exercise costly_ones: one thread per element, blocks of 256.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<unsigned>("x");
  auto out = run.output<unsigned>("out", x.size());
  const auto n = static_cast<unsigned>(x.size());
  treat<<<(n + 255) / 256, 256>>>(x.data(), out.data(), n);
}

EXERCISE_MAIN(run_case)

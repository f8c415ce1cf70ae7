// SPDX-License-Identifier: MIT
// Exercise scope_between_gpus: the first GPU sends, the second one receives; both kernels run at the same time.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  run.on(0);
  auto x = run.input<int>("x");
  run.on(1);
  auto letters = run.scratch<int>(x.size());
  auto word = run.output_zero<unsigned>("word", 1);
  auto out = run.output<int>("out", x.size());
  const auto n = static_cast<unsigned>(x.size());
  receive<<<1, 32>>>(letters.data(), word.data(), out.data(), n);
  run.on(0);
  send<<<1, 32>>>(x.data(), letters.data(), word.data(), n);
}

EXERCISE_MAIN(run_case)

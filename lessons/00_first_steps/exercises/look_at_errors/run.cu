// SPDX-License-Identifier: MIT
// Exercise look_at_errors: what the student's host function returns, and whether it has left an error
// behind.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.output_from<int>("x", "x");
  const cudaError_t error = launch_triple(x.data(), x.size(), run.one<unsigned>("threads"));
  const int told[] = {error != cudaSuccess, cudaGetLastError() != cudaSuccess};
  run.output_host("failed", &told[0], 1);
  run.output_host("left", &told[1], 1);
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise how_many_fit: what was predicted. A kernel runs, too, so that the device is asked for
// something.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static __global__ void touch(unsigned* out) { *out = threadIdx.x; }

static void run_case(Run& run) {
  const auto threads = run.host<unsigned>("threads"), registers = run.host<unsigned>("registers"),
             shared = run.host<unsigned>("shared");
  auto out = run.scratch<unsigned>(1);
  touch<<<1, 1>>>(out.data());
  static unsigned warps[64];
  for (std::size_t k = 0; k < threads.size(); ++k)
    warps[k] = warps_that_fit(threads[k], registers[k], shared[k]);
  run.output_host("warps", warps, threads.size());
}

EXERCISE_MAIN(run_case)

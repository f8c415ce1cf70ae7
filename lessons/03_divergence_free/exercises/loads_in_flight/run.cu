// SPDX-License-Identifier: MIT
// Exercise loads_in_flight: what was worked out. A kernel runs, too, so that the device is asked for
// something.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static __global__ void touch(unsigned* out) { *out = threadIdx.x; }

static void run_case(Run& run) {
  const auto bandwidth = run.host<unsigned>("bandwidth"), latency = run.host<unsigned>("latency"),
             threads = run.host<unsigned>("threads"), bytes = run.host<unsigned>("bytes");
  auto out = run.scratch<unsigned>(1);
  touch<<<1, 1>>>(out.data());
  static unsigned loads[64];
  for (std::size_t k = 0; k < bandwidth.size(); ++k)
    loads[k] = loads_in_flight(bandwidth[k], latency[k], threads[k], bytes[k]);
  run.output_host("loads", loads, bandwidth.size());
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise predict_sectors: the load that is asked about, and what was predicted of it.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static __global__ void read_apart(const float* x, unsigned apart, float* out) {
  out[threadIdx.x] = x[apart * threadIdx.x];
}

static void run_case(Run& run) {
  auto x = run.input<float>("x");
  const auto apart = run.one<unsigned>("apart");
  auto out = run.scratch<float>(32);
  read_apart<<<1, 32>>>(x.data(), apart, out.data());
  const unsigned predicted = sectors(apart);
  run.output_host("sectors", &predicted, 1);
}

EXERCISE_MAIN(run_case)

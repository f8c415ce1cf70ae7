// SPDX-License-Identifier: MIT
// Exercise block_max: one block per `block` elements, and one where there is none.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  const auto block = run.one<unsigned>("block");
  const auto blocks = x.size() == 0 ? 1u : static_cast<unsigned>((x.size() + block - 1) / block);
  auto maxima = run.output<int>("maxima", blocks);
  block_max<<<blocks, block, block * sizeof(int)>>>(x.data(), x.size(), maxima.data());
}

EXERCISE_MAIN(run_case)

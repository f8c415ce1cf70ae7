// SPDX-License-Identifier: MIT
// Exercise group_in_a_branch: one thread per element, blocks of 128, one sum per block.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  const auto blocks = static_cast<unsigned>(x.size() > 0 ? (x.size() + 127) / 128 : 1);
  auto sums = run.output<int>("sums", blocks);
  sums_above<<<blocks, 128>>>(x.data(), x.size(), run.one<int>("limit"), sums.data());
}

EXERCISE_MAIN(run_case)

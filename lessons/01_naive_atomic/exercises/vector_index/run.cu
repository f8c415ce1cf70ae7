// SPDX-License-Identifier: MIT
// Exercise vector_index: just enough blocks for n elements, of the size that the case names.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto a = run.input<int>("a");
  auto b = run.input<int>("b");
  auto c = run.output<int>("c", a.size());
  const auto block = run.one<unsigned>("block");
  const auto blocks = static_cast<unsigned>((a.size() + block - 1) / block);
  if (blocks > 0) add<<<blocks, block>>>(a.data(), b.data(), a.size(), c.data());
}

EXERCISE_MAIN(run_case)

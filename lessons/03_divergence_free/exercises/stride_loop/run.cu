// SPDX-License-Identifier: MIT
// Exercise stride_loop: a grid of the case's shape, and one share per thread.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto a = run.input<int>("a");
  auto b = run.input<int>("b");
  const auto blocks = run.one<unsigned>("blocks"), threads = run.one<unsigned>("threads");
  auto shares = run.output<int>("shares", std::size_t{blocks} * threads);
  dot_shares<<<blocks, threads>>>(a.data(), b.data(), a.size(), shares.data());
}

EXERCISE_MAIN(run_case)

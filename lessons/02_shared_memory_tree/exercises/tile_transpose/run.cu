// SPDX-License-Identifier: MIT
// Exercise tile_transpose: one block of 32 x 32 threads per tile of the matrix.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static void run_case(Run& run) {
  auto in = run.input<int>("in");
  auto out = run.output<int>("out", in.size());
  const auto n = run.one<unsigned>("n");
  const unsigned tiles = (n + 31) / 32;
  if (n > 0) transpose<<<dim3(tiles, tiles), dim3(32, 32)>>>(in.data(), n, out.data());
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise take_a_ticket: blocks are numbered from the end of the grid, because nothing promises that
// they begin from its front, and each takes a multiprocessor for itself.
#include "common/exercise/run.cuh"

static __device__ uint3 numbered_from_the_end() {
  return {gridDim.x - 1 - blockIdx.x, blockIdx.y, blockIdx.z};
}
#define blockIdx numbered_from_the_end()
#include STUDENT_FILE
#undef blockIdx

static __global__ void no_words(Word* words) { words[blockIdx.x] = 0; }

static void run_case(Run& run) {
  constexpr int kMost = 200 * 1024;
  auto x = run.input<int>("x");
  auto out = run.output<int>("out", x.size());
  auto ticket = run.output_zero<unsigned>("ticket", 1);
  const auto tiles = static_cast<unsigned>(x.size() / 32);
  auto words = run.scratch<Word>(tiles);
  no_words<<<tiles, 1>>>(words.data());
  cudaFuncSetAttribute(chained, cudaFuncAttributeMaxDynamicSharedMemorySize, kMost);
  chained<<<tiles, 32, kMost>>>(x.data(), out.data(), words.data(), ticket.data());
}

EXERCISE_MAIN(run_case)

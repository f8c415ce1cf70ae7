// SPDX-License-Identifier: MIT
// Exercise walk_back: one thread for each tile walks back; a last block tells what comes late.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static __device__ Word packed(int value, unsigned meaning) {
  return Word{static_cast<unsigned>(value)} << 32 | meaning;
}
static __global__ void tell(const int* value, const unsigned* meaning, const int* late, Word* words,
                            unsigned n) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) words[i] = late[i] != 0 ? 0 : packed(value[i], meaning[i]);
}
static __global__ void walk(const int* value, const unsigned* meaning, const int* late,
                            volatile Word* words, int* before, unsigned n) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  if (blockIdx.x + 1 < gridDim.x) {
    if (i < n) before[i] = sum_before(words, i);
    return;
  }
  for (unsigned k = threadIdx.x; k < n; k += 64)
    if (late[k] != 0) words[k] = packed(value[k], meaning[k]);
}

static void run_case(Run& run) {
  auto value = run.input<int>("value");
  auto meaning = run.input<unsigned>("meaning");
  auto late = run.input<int>("late");
  const auto n = static_cast<unsigned>(value.size());
  auto words = run.scratch<Word>(n);
  auto before = run.output<int>("before", n);
  const unsigned blocks = (n + 63) / 64;
  tell<<<blocks, 64>>>(value.data(), meaning.data(), late.data(), words.data(), n);
  walk<<<blocks + 1, 64>>>(value.data(), meaning.data(), late.data(), words.data(), before.data(),
                           n);
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise count_rounds: the three trees of the lesson, and what was predicted of them.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static __global__ void interleaved(const int* x, int* out) {
  __shared__ int s[1024];
  const unsigned t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    if (t % (2 * distance) == 0) s[t] += s[t + distance];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

static __global__ void strided(const int* x, int* out) {
  __shared__ int s[1024];
  const unsigned t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const unsigned i = 2 * distance * t;
    if (i < blockDim.x) s[i] += s[i + distance];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

static __global__ void sequential(const int* x, int* out) {
  __shared__ int s[1024];
  const unsigned t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  const auto block = static_cast<unsigned>(x.size());
  auto sum = run.scratch<int>(1);
  interleaved<<<1, block>>>(x.data(), sum.data());
  strided<<<1, block>>>(x.data(), sum.data());
  sequential<<<1, block>>>(x.data(), sum.data());
  const Rounds predicted = rounds_of(block);
  const unsigned rounds[] = {predicted.interleaved, predicted.strided, predicted.sequential};
  run.output_host("rounds", rounds, 3);
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise count_atomics: the three kernels, and what was predicted of them.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

static __global__ void global_atomic(const int* in, std::size_t n, int* total) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, in[i]);
}

static __global__ void shared_atomic(const int* in, std::size_t n, int* total) {
  __shared__ int block_total;
  if (threadIdx.x == 0) block_total = 0;
  __syncthreads();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&block_total, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, block_total);
}

static __global__ void per_thread(const int* in, std::size_t n, int* total) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  int mine = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads)
    mine += in[i];
  atomicAdd(total, mine);
}

static void run_case(Run& run) {
  auto in = run.input<int>("in");
  const auto n = static_cast<unsigned>(in.size());
  const auto block = run.one<unsigned>("block"), few = run.one<unsigned>("blocks");
  const unsigned blocks = (n + block - 1) / block;
  auto total = run.output_zero<int>("total", 1);
  global_atomic<<<blocks, block>>>(in.data(), n, total.data());
  shared_atomic<<<blocks, block>>>(in.data(), n, total.data());
  per_thread<<<few, block>>>(in.data(), n, total.data());
  const Queues q = queues_of(n, block, few);
  const unsigned queues[] = {q.global_atomic, q.shared_atomic, q.in_a_block, q.per_thread};
  run.output_host("queues", queues, 4);
}

EXERCISE_MAIN(run_case)

// SPDX-License-Identifier: MIT
// Exercise count_sectors: the two scans, and what was predicted of them.
#include "common/exercise/run.cuh"
#include STUDENT_FILE

constexpr unsigned kBlock = 256;

// Each thread has the sum up to its own element; room for kBlock ints.
static __device__ int block_scan(int mine) {
  __shared__ int row[1024];
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    row[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x >= distance) mine += row[threadIdx.x - distance];
    __syncthreads();
  }
  return mine;
}
static __global__ void scan_blocks(const int* x, int* out, int* sums) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  const int mine = block_scan(x[i]);
  if (out != nullptr) out[i] = mine;
  if (threadIdx.x == kBlock - 1) sums[blockIdx.x] = mine;
}
static __global__ void scan_sums(int* sums) {  // what comes before each
  const int own = sums[threadIdx.x];
  sums[threadIdx.x] = block_scan(own) - own;
}
static __global__ void add_prefix(int* out, const int* sums) {
  out[blockIdx.x * kBlock + threadIdx.x] += sums[blockIdx.x];
}
static __global__ void scan_from_prefix(const int* x, int* out, const int* sums) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  const int prefix = sums[blockIdx.x];
  out[i] = prefix + block_scan(x[i]);
}

static void run_case(Run& run) {
  auto x = run.input<int>("x");
  const auto n = static_cast<unsigned>(x.size()), blocks = n / kBlock;
  auto out = run.scratch<int>(n);
  auto sums = run.scratch<int>(blocks);
  scan_blocks<<<blocks, kBlock>>>(x.data(), out.data(), sums.data());
  scan_sums<<<1, blocks>>>(sums.data());
  add_prefix<<<blocks, kBlock>>>(out.data(), sums.data());
  scan_blocks<<<blocks, kBlock>>>(x.data(), nullptr, sums.data());
  scan_sums<<<1, blocks>>>(sums.data());
  scan_from_prefix<<<blocks, kBlock>>>(x.data(), out.data(), sums.data());
  const Sectors all[] = {of_three_kernels(n), of_reduce_first(n)};
  const unsigned read[] = {all[0].read, all[1].read}, written[] = {all[0].written, all[1].written};
  run.output_host("read", read, 2);
  run.output_host("written", written, 2);
}

EXERCISE_MAIN(run_case)

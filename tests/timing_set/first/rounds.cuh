// SPDX-License-Identifier: MIT
// Grids that wait for each other: rounds over a row of cells with a barrier of the whole grid, and a last block that
// adds up what the others wrote.
#pragma once
#include <cooperative_groups.h>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kCells = 132 * kBlock;

// Each round every cell becomes the sum of itself and its right neighbour.
__global__ void grid_rounds(unsigned* cells, unsigned* others, unsigned rounds) {
  const auto grid = cooperative_groups::this_grid();
  const unsigned i = thread_number(), next = (i + 1) % kCells;
  for (unsigned r = 0; r < rounds; ++r) {
    const unsigned* from = r % 2 ? others : cells;
    unsigned* to = r % 2 ? cells : others;
    to[i] = __ldcg(from + i) + __ldcg(from + next);
    grid.sync();
  }
}
__global__ void last_block(const float* in, float* partial, unsigned* ticket, float* total,
                           unsigned n) {
  __shared__ float of_warp[kBlock / 32];
  __shared__ bool last;
  const auto block_sum = [&](float x) {
    x = warp_sum(x);
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
    __syncthreads();
    float sum = 0;
    for (unsigned w = 0; w < kBlock / 32; ++w) sum += of_warp[w];
    return sum;
  };
  float sum = 0;
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += kBlock) sum += __ldcg(partial + i);
  sum = block_sum(sum);
  if (threadIdx.x == 0) *total = sum;
}

inline Problem rounds_problem(unsigned rounds) {
  auto cells = array<unsigned>(kCells, mixed), others = room<unsigned>(kCells);
  std::vector<unsigned> wanted = cells->host, before;
  for (unsigned r = 0; r < rounds; ++r) {
    before = wanted;
    for (unsigned i = 0; i < kCells; ++i) wanted[i] = before[i] + before[(i + 1) % kCells];
  }
  return {
      [=] {
        unsigned *a = cells->data(), *b = others->data(), count = rounds;
        void* arguments[] = {&a, &b, &count};
        COURSE_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(grid_rounds),
                                                 dim3(132), dim3(kBlock), arguments, 0, nullptr));
      },
      [=] { return (rounds % 2 ? others : cells)->device.download() == wanted; },
      [=] { cells->restore(); }};
}
inline Problem last_block_problem(unsigned n) {
  auto in = uniform(n, 1), partial = room<float>(528), total = room<float>(1);
  auto ticket = room<unsigned>(1);
  return {[=] {
            last_block<<<std::min(blocks_of(n), 528u), kBlock>>>(in->data(), partial->data(),
                                                                 ticket->data(), total->data(), n);
          },
          [=] {
            return agrees(total, [=](unsigned) {
              double sum = 0;
              for (const float x : in->host) sum += x;
              return sum;
            });
          },
          [=] { clear(ticket); }};
}

inline void add_rounds(Set& set) {
  set.add("grid_rounds", {2, 8, 64}, rounds_problem);
  set.add("last_block", {1 << 16, 1 << 20, 1 << 24}, last_block_problem);
}

}  // namespace timing_set

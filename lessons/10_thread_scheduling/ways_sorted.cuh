// SPDX-License-Identifier: MIT
// Elements that need different code: bring those together that need the same.
#pragma once

#include "lessons/10_thread_scheduling/ways.cuh"

namespace lesson10 {

constexpr int kSortedPerThread = 4, kMostSorted = 4 * 1024;

// Where the elements of a way begin, from how many each way has. By one warp, a lane for each way.
__device__ inline void starts_from_counts(const unsigned* counts, unsigned* starts) {
  static_assert(course::kMostWays == 32);
  const unsigned lane = threadIdx.x, mine = counts[lane];
  unsigned sum = mine;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffffu, sum, distance);
    if (lane >= distance) sum += left;
  }
  starts[lane] = sum - mine;
}

// Changed: a block sorts a tile by way, treats it in that order, and puts the results back.
// Why:     then the 32 lanes of a warp have the same way, but for warps on a seam between two.
// Cost:    counting, placing and putting back through shared memory, and three barriers for a tile. It
//          pays where a way is long.
static __global__ void way_sorted(Ways w) {
  __shared__ std::uint32_t value[kMostSorted];
  __shared__ unsigned short home[kMostSorted];
  __shared__ unsigned counts[course::kMostWays], starts[course::kMostWays];
  const unsigned tile = kSortedPerThread * blockDim.x;
  for (std::size_t first = std::size_t{blockIdx.x} * tile; first < w.n;
       first += std::size_t{gridDim.x} * tile) {
    const auto size = static_cast<unsigned>(w.n - first < tile ? w.n - first : tile);
    if (threadIdx.x < course::kMostWays) counts[threadIdx.x] = 0;
    __syncthreads();
    std::uint32_t mine[kSortedPerThread];
    unsigned rank[kSortedPerThread];
#pragma unroll
    for (int k = 0; k < kSortedPerThread; ++k) {
      const unsigned i = k * blockDim.x + threadIdx.x;
      if (i >= size) continue;
      mine[k] = w.in[first + i];
      rank[k] = atomicAdd(&counts[course::way_of(mine[k], w.ways)], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 32) starts_from_counts(counts, starts);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kSortedPerThread; ++k) {
      const unsigned i = k * blockDim.x + threadIdx.x;
      if (i >= size) continue;
      const unsigned place = starts[course::way_of(mine[k], w.ways)] + rank[k];
      value[place] = mine[k];
      home[place] = static_cast<unsigned short>(i);
    }
    __syncthreads();
    for (unsigned place = threadIdx.x; place < size; place += blockDim.x) {
      const std::uint32_t v = value[place];
      w.out[first + home[place]] = Branch::go(v, course::way_of(v, w.ways), w.ways, w.steps);
    }
    __syncthreads();  // the next tile takes the places
  }
}

inline void launch_way_sorted(const Ways& w) {
  if (w.n == 0) return;
  const std::size_t shares = (w.n + kSortedPerThread - 1) / kSortedPerThread;
  way_sorted<<<course::full_grid(*w.device, shares, w.block), w.block>>>(w);
  COURSE_CHECK(cudaGetLastError());
}

}  // namespace lesson10

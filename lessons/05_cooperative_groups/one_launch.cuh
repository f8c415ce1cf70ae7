// SPDX-License-Identifier: MIT
// Rungs last_block, grid_sync and cluster: three ways to finish inside the kernel that began. Each
// answers the same question: how does one block know that the others are done?
#pragma once

#include <utility>

#include "lessons/05_cooperative_groups/last_ticket.cuh"
#include "lessons/05_cooperative_groups/tiles.cuh"

namespace lesson05 {

// The partial sums of all blocks, added by one block. They were written by other blocks in this same
// launch, so the compiler must not take them for constants: T*, not const T* with __restrict__.
template <class T>
__device__ void add_partials(const cg::thread_block& block, T* partial, unsigned count, T* out) {
  T mine = 0;
  for (unsigned i = block.thread_rank(); i < count; i += block.size()) mine += partial[i];
  block.sync();  // block_sum's shared memory is still being read from the first time
  const T sum = block_sum(block, mine);
  if (block.thread_rank() == 0) *out = sum;
}

// Changed: one launch. Each block takes a ticket when its partial sum is written; the block with the
//          last ticket adds them all.
// Why:     a second launch costs microseconds, during which the GPU does nothing.
// Cost:    one atomic and its fence per block, and two more trips to the L2 cache for the last one.
template <class T>
__global__ void last_block(const T* in, std::size_t n, T* partial, unsigned* ticket, T* out) {
  __shared__ bool is_last;
  const auto block = cg::this_thread_block();
  const T sum = block_sum(block, my_share_in_flight(in, n));
  if (block.thread_rank() == 0) {
    partial[blockIdx.x] = sum;
    is_last = take_last_ticket(ticket, gridDim.x);
  }
  block.sync();
  if (is_last) add_partials(block, partial, gridDim.x, out);
}

template <class T>
void launch_last_block(const Sum<T>& s) {
  last_block<<<grid_for(s.n, s.block, *s.device), s.block>>>(s.in, s.n, s.partials, s.tickets,
                                                             s.out);
  COURSE_CHECK(cudaGetLastError());
}

// Changed: all blocks wait for all blocks, then the first one adds.
// Why:     it reads like what it means. After grid.sync() everything written before is visible to
//          every thread of the grid; no ticket, no order to think about.
// Cost:    blocks that wait must all be on the GPU at once, or those that wait would keep the others
//          out for ever. So the grid may not be larger than the GPU holds, and the launch must be a
//          cooperative one: it fails rather than hangs.
template <class T>
__global__ void grid_sync(const T* in, std::size_t n, T* partial, T* out) {
  const auto block = cg::this_thread_block();
  const T sum = block_sum(block, my_share_in_flight(in, n));
  if (block.thread_rank() == 0) partial[blockIdx.x] = sum;
  cg::this_grid().sync();
  if (blockIdx.x == 0) add_partials(block, partial, gridDim.x, out);
}

// How many blocks of this kernel the GPU holds at once: the kernel's registers and shared memory
// decide, and only the runtime knows them.
template <class Kernel>
unsigned resident_blocks(Kernel kernel, int block, const Device& device) {
  int per_multiprocessor = 0;
  COURSE_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, block, 0));
  return static_cast<unsigned>(per_multiprocessor * device.multiprocessors);
}

template <class T>
void launch_grid_sync(const Sum<T>& s) {
  const unsigned wanted = grid_for(s.n, s.block, *s.device);
  const unsigned most = resident_blocks(grid_sync<T>, s.block, *s.device);
  Sum<T> a = s;  // the launch takes the addresses of its arguments
  void* arguments[] = {&a.in, &a.n, &a.partials, &a.out};
  COURSE_CHECK(
      cudaLaunchCooperativeKernel(grid_sync<T>, wanted < most ? wanted : most, s.block, arguments));
}

// Fewer blocks than grid_for() says, if the GPU does not hold them all.
inline double depth_of_grid_sync(std::size_t n, int block, const Device& device) {
  return 2 * depth_in_two_levels(n, block, device);
}

// Changed: eight blocks form a cluster. They are on neighbouring multiprocessors, can write to each
//          other's shared memory and have a barrier of their own. One ticket per cluster.
// Why:     an eighth of the partial sums and tickets.
// Cost:    a barrier over eight blocks, and a GPU that has clusters (compute capability 9.0).
constexpr unsigned kCluster = 8;

template <class T>
__global__ void cluster(const T* in, std::size_t n, T* partial, unsigned* ticket, T* out) {
#if __CUDA_ARCH__ >= 900
  __shared__ T of_block[kCluster];
  __shared__ bool is_last;
  const auto block = cg::this_thread_block();
  const auto neighbours = cg::this_cluster();
  // Nobody may write into the shared memory of a block that has not begun. All say here that they
  // have; the wait comes later, when it is long over.
  auto begun = neighbours.barrier_arrive();
  const T sum = block_sum(block, my_share_in_flight(in, n));
  neighbours.barrier_wait(std::move(begun));
  // Every block writes its sum into the shared memory of the cluster's first block.
  if (block.thread_rank() == 0)
    neighbours.map_shared_rank(of_block, 0)[neighbours.block_rank()] = sum;
  neighbours.sync();  // all eight have written
  if (neighbours.block_rank() != 0) return;

  const unsigned clusters = gridDim.x / kCluster;
  if (block.thread_rank() == 0) {
    T all = 0;
    for (unsigned i = 0; i < kCluster; ++i) all += of_block[i];
    partial[blockIdx.x / kCluster] = all;
    is_last = take_last_ticket(ticket, clusters);
  }
  block.sync();
  if (is_last) add_partials(block, partial, clusters, out);
#endif
}

template <class T>
void launch_cluster(const Sum<T>& s) {
  const unsigned blocks = grid_for(s.n, s.block, *s.device);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {kCluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = (blocks + kCluster - 1) / kCluster * kCluster;  // whole clusters only
  config.blockDim = s.block;
  config.attrs = &attribute;
  config.numAttrs = 1;
  COURSE_CHECK(cudaLaunchKernelEx(&config, cluster<T>, s.in, s.n, s.partials, s.tickets, s.out));
}

inline double depth_of_cluster(std::size_t n, int block, const Device& device) {
  return depth_in_two_levels(n, block, device) + kCluster;
}

}  // namespace lesson05

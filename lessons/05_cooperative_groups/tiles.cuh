// SPDX-License-Identifier: MIT
// Rungs tile_reduce and coalesced: the block sum of lesson 04, with names for who takes part.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstddef>

#include "common/check.cuh"
#include "lessons/05_cooperative_groups/grid.cuh"

namespace lesson05 {

namespace cg = cooperative_groups;

// The sum of the block, two levels as in lesson 04. Thread 0 has it.
// A tile of 32 is a warp with a name: who takes part is in its type, no mask is written by hand, and
// cg::reduce picks the instructions: shuffles for floats, redux for integers where there is one.
template <class T>
__device__ T block_sum(const cg::thread_block& block, T mine) {
  __shared__ T of_warp[32];
  const auto warp = cg::tiled_partition<32>(block);
  mine = cg::reduce(warp, mine, cg::plus<T>());
  if (warp.thread_rank() == 0) of_warp[warp.meta_group_rank()] = mine;
  block.sync();
  if (warp.meta_group_rank() != 0) return mine;
  const bool is_warp = warp.thread_rank() < warp.meta_group_size();
  return cg::reduce(warp, is_warp ? of_warp[warp.thread_rank()] : T{0}, cg::plus<T>());
}

// Changed: groups instead of masks and index arithmetic.
// Why:     the code says who adds with whom. A group can be handed to a function, and the function
//          can check at compile time that it is a whole warp.
// Cost:    none: it compiles to the same instructions as shuffle_vector (integers: as redux).
template <class T>
__global__ void tile_reduce(const T* in, std::size_t n, T* partial) {
  const auto block = cg::this_thread_block();
  const T sum = block_sum(block, my_share_in_flight(in, n));
  if (block.thread_rank() == 0) partial[blockIdx.x] = sum;
}

template <class T>
void launch_tile_reduce(const Sum<T>& s) {
  const unsigned blocks = grid_for(s.n, s.block, *s.device);
  tile_reduce<<<blocks, s.block>>>(s.in, s.n, s.partials);
  COURSE_CHECK(cudaGetLastError());
  tile_reduce<<<1, s.block>>>(s.partials, blocks, s.out);
  COURSE_CHECK(cudaGetLastError());
}

// Changed: no second pass. The lanes that have something to add form a group; its leader adds the
//          group's sum to the block's total, and one thread adds that to the grand total.
// Why:     coalesced_threads() is a group of whoever is here. It may be any subset of a warp, and two
//          halves of a warp may come here one after the other: the sum is right in every case. That
//          is the only kind of use it is good for.
// Cost:    the total must be zero before (a memset), and the order of the additions is the order in
//          which the warps come: a float sum may differ in its last bits from run to run.
template <class T>
__global__ void coalesced(const T* in, std::size_t n, T* total) {
  __shared__ T block_total;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) block_total = 0;
  block.sync();
  const T mine = my_share_in_flight(in, n);
  if (mine != T{0}) {
    const auto here = cg::coalesced_threads();
    const T sum = cg::reduce(here, mine, cg::plus<T>());
    if (here.thread_rank() == 0) atomicAdd(&block_total, sum);
  }
  block.sync();
  if (block.thread_rank() == 0) atomicAdd(total, block_total);
}

template <class T>
void launch_coalesced(const Sum<T>& s) {
  COURSE_CHECK(cudaMemsetAsync(s.out, 0, sizeof(T)));
  coalesced<<<grid_for(s.n, s.block, *s.device), s.block>>>(s.in, s.n, s.out);
  COURSE_CHECK(cudaGetLastError());
}

}  // namespace lesson05

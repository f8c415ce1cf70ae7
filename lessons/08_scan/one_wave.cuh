// SPDX-License-Identifier: MIT
// For arrays that the GPU's registers hold whole: all blocks are there at the same time, so nobody has
// to look back step by step.
#pragma once

#include <cooperative_groups.h>

#include <utility>

#include "lessons/08_scan/scan_task.cuh"

namespace lesson08 {

// One block is enough: no words at all.
template <class Op, int kRows, int kThreads, bool kExclusive = false>
__global__ void __launch_bounds__(kThreads)
    one_block(const typename Op::Value* in, unsigned n, typename Op::Value* out) {
  __shared__ WarpSums<Op> sums;
  const Op op{};
  const bool quads = aligned_for_quads(in) && aligned_for_quads(out);
  Tile<Op, kRows> tile;
  tile.load(in, n, tile.size(kThreads), quads);
  const auto sum = tile.scan_in_warp(op);
  const unsigned warp = threadIdx.x / 32;
  if (lane_id() == 0) sums.of_warp[warp] = sum;
  __syncthreads();
  const auto scanned = sums.scan(kThreads / 32, op);  // every warp for itself: that saves a barrier
  const auto before = from_lane(scanned.before, warp);
  tile.template store<kExclusive>(out, n, tile.size(kThreads), quads, before);
}

// One cluster: the blocks write their sums into each other's shared memory.
constexpr unsigned kMostBlocksInCluster = 16;

template <class Op, int kRows, int kThreads, bool kExclusive = false>
__global__ void __launch_bounds__(kThreads)
    one_cluster(const typename Op::Value* in, unsigned n, typename Op::Value* out) {
#if __CUDA_ARCH__ >= 900
  using T = typename Op::Value;
  __shared__ WarpSums<Op> sums;
  __shared__ T of_block[kMostBlocksInCluster];
  namespace cg = cooperative_groups;
  const auto cluster = cg::this_cluster();
  auto begun = cluster.barrier_arrive();
  const Op op{};
  const bool quads = aligned_for_quads(in) && aligned_for_quads(out);
  Tile<Op, kRows> tile;
  const auto size = static_cast<unsigned>(tile.size(kThreads));
  const unsigned first = blockIdx.x * size < n ? blockIdx.x * size : n;
  tile.load(in + first, n - first, tile.size(kThreads), quads);
  const T sum = tile.scan_in_warp(op);
  const unsigned warp = threadIdx.x / 32;
  if (lane_id() == 0) sums.of_warp[warp] = sum;
  __syncthreads();
  const auto scanned = sums.scan(kThreads / 32, op);
  cluster.barrier_wait(std::move(begun));
  if (warp == 0 && lane_id() < gridDim.x)
    cluster.map_shared_rank(of_block, lane_id())[blockIdx.x] = scanned.total;
  cluster.sync();
  const T mine = lane_id() < blockIdx.x ? of_block[lane_id()] : Op::identity();
  const T before = op(warp_total(mine, op), from_lane(scanned.before, warp));
  tile.template store<kExclusive>(out + first, n - first, tile.size(kThreads), quads, before);
#endif
}

// Every block tells its sum, and reads those of all blocks before it: one exchange, however many there
// are. Blocks wait for each other, so all must be on the GPU at once: a cooperative launch. Then no
// tickets are needed, and the loads need not wait for one.
template <class Op, int kRows, int kThreads, int kBlocks, bool kExclusive = false>
__global__ void __launch_bounds__(kThreads, kBlocks)
    one_wave(const typename Op::Value* in, std::size_t n, typename Op::Value* out, Word* words) {
  using T = typename Op::Value;
  __shared__ WarpSums<Op> sums, of_blocks;
  __shared__ Ticket ticket;
  if (threadIdx.x == 0) ticket = {blockIdx.x, launch_number(words)};
  const Op op{};
  const bool quads = aligned_for_quads(in) && aligned_for_quads(out);
  Tile<Op, kRows> tile;
  const std::size_t first = blockIdx.x * tile.size(kThreads);
  tile.load(in + first, n - first, tile.size(kThreads), quads);
  const T sum = tile.scan_in_warp(op);
  const unsigned warp = threadIdx.x / 32;
  if (lane_id() == 0) sums.of_warp[warp] = sum;
  __syncthreads();
  const Ticket me = ticket;
  const auto scanned = sums.scan(kThreads / 32, op);
  if (threadIdx.x == 0) publish<T>(words, me, {Meaning::kSum, scanned.total});
  // Thread t takes the words from t * each on, so that the order is kept.
  const unsigned each = (me.tile + kThreads - 1) / kThreads;
  T mine = Op::identity();
  for (unsigned i = threadIdx.x * each; i < (threadIdx.x + 1) * each && i < me.tile; ++i) {
    Message<T> m;
    while ((m = look_at<T>(words, i, me.launch)).meaning == Meaning::kNothing) {
    }
    mine = op(mine, m.value);
  }
  mine = warp_total(mine, op);
  if (lane_id() == 0) of_blocks.of_warp[warp] = mine;
  __syncthreads();
  // The last block has heard of all others: every one has read this launch's number.
  if (me.tile == gridDim.x - 1 && threadIdx.x == 0) begin_next_launch(words, me.launch);
  const T before = op(of_blocks.scan(kThreads / 32, op).total, from_lane(scanned.before, warp));
  tile.template store<kExclusive>(out + first, n - first, tile.size(kThreads), quads, before);
}

}  // namespace lesson08

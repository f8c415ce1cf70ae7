// SPDX-License-Identifier: MIT
// The first rungs: a block scans what it has, and other launches bring the blocks together.
#pragma once

#include "lessons/08_scan/scan_task.cuh"

namespace lesson08 {

// One value per thread: the inclusive scan of the block, and the block's sum in `total`.
template <class Op>
__device__ typename Op::Value block_inclusive(typename Op::Value mine, typename Op::Value& total,
                                              Op op = {}) {
  __shared__ WarpSums<Op> sums;
  const unsigned warp = threadIdx.x / 32;
  const auto inclusive = warp_inclusive(mine, op);
  __syncthreads();  // of an earlier call, somebody may still read
  if (lane_id() == 31) sums.of_warp[warp] = inclusive;
  __syncthreads();
  const auto scanned = sums.scan(blockDim.x / 32, op);
  total = scanned.total;
  return op(from_lane(scanned.before, warp), inclusive);
}

// Changed: (the first rung) each block scans one element per thread and leaves its sum; the sums are
//          scanned the same way; a last launch adds to each block what comes before it.
// Why:     blocks cannot wait for each other yet; launches do.
// Cost:    every element is read twice and written twice, and each level of sums is two more launches.
template <class Op>
__global__ void scan_blocks(const typename Op::Value* in, std::size_t n, typename Op::Value* out,
                            typename Op::Value* sums) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  typename Op::Value total;
  const auto inclusive = block_inclusive<Op>(i < n ? in[i] : Op::identity(), total);
  if (i < n) out[i] = inclusive;
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

template <class Op>
__global__ void add_before(typename Op::Value* out, std::size_t n,
                           const typename Op::Value* inclusive) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] = Op{}(inclusive[blockIdx.x - 1], out[i]);
}

// Sums lie in `room`, those of the next level behind them.
template <class Op>
void scan_in_three(const typename Op::Value* in, std::size_t n, typename Op::Value* out,
                   unsigned block, typename Op::Value* room) {
  const unsigned blocks = tiles_of(n, block);
  if (blocks == 0) return;
  scan_blocks<Op><<<blocks, block>>>(in, n, out, room);
  COURSE_CHECK(cudaGetLastError());
  if (blocks == 1) return;
  scan_in_three<Op>(room, blocks, room, block, room + blocks);
  add_before<Op><<<blocks, block>>>(out, n, room);
  COURSE_CHECK(cudaGetLastError());
}

inline void launch_three_kernels(const Scan& s) {
  with_type(s, [](auto t) {
    scan_in_three<typename decltype(t)::Op>(t.in, t.n, t.out, t.block, t.partials);
  });
}

// A block's share of the array: a stretch of whole tiles, one element per thread each.
struct Stretch {
  std::size_t begin, end;
};
__device__ inline Stretch my_stretch(std::size_t n) {
  const std::size_t tiles = (n + blockDim.x - 1) / blockDim.x;
  const std::size_t share = (tiles + gridDim.x - 1) / gridDim.x * blockDim.x;
  const std::size_t begin = share * blockIdx.x;
  return {begin < n ? begin : n, begin + share < n ? begin + share : n};
}

template <class Op>
__global__ void sum_stretches(const typename Op::Value* in, std::size_t n,
                              typename Op::Value* sums) {
  const Stretch mine = my_stretch(n);
  auto carry = Op::identity();
  typename Op::Value total;
  for (std::size_t i = mine.begin; i < mine.end; i += blockDim.x) {
    const std::size_t at = i + threadIdx.x;
    block_inclusive<Op>(at < mine.end ? in[at] : Op::identity(), total);
    carry = Op{}(carry, total);
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = carry;
}

template <class Op>
__global__ void scan_stretches(const typename Op::Value* in, std::size_t n, typename Op::Value* out,
                               const typename Op::Value* inclusive) {
  const Stretch mine = my_stretch(n);
  auto carry = blockIdx.x == 0 ? Op::identity() : inclusive[blockIdx.x - 1];
  typename Op::Value total;
  for (std::size_t i = mine.begin; i < mine.end; i += blockDim.x) {
    const std::size_t at = i + threadIdx.x;
    const auto here = block_inclusive<Op>(at < mine.end ? in[at] : Op::identity(), total);
    if (at < mine.end) out[at] = Op{}(carry, here);
    carry = Op{}(carry, total);
  }
}

// Changed: the first launch only adds up; nothing is written until it is final. A fixed number of
//          blocks, so that one block can scan their sums.
// Why:     one write and one add per element less; three launches, however long the array.
// Cost:    the array is still read twice.
inline void launch_reduce_first(const Scan& s) {
  with_type(s, [](auto t) {
    using Op = typename decltype(t)::Op;
    if (t.n == 0) return;
    const unsigned room_for = 2048 / t.block * static_cast<unsigned>(t.device->multiprocessors);
    const unsigned tiles = tiles_of(t.n, t.block);
    const unsigned blocks = tiles < room_for ? tiles : room_for;
    sum_stretches<Op><<<blocks, t.block>>>(t.in, t.n, t.partials);
    scan_stretches<Op><<<1, 1024>>>(t.partials, blocks, t.partials, nullptr);
    scan_stretches<Op><<<blocks, t.block>>>(t.in, t.n, t.out, t.partials);
    COURSE_CHECK(cudaGetLastError());
  });
}

}  // namespace lesson08

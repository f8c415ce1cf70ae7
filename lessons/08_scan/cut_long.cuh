// SPDX-License-Identifier: MIT
// Rung cut_long: the segmented sum by a block for each segment; long segments are cut into pieces, and
// blocks that come later take these. Nobody waits for a sum.
#pragma once

#include <cstdint>
#include <cuda/atomic>

#include "lessons/08_scan/even_shares.cuh"

namespace lesson08 {

// Which segments are cut, and into what.
struct Cutting {
  unsigned limit;    // segments of more elements are cut
  unsigned piece;    // elements; not more than the limit
  unsigned helpers;  // blocks behind those of the segments: they take the pieces
};

// A piece's number says where its sum goes; those of a segment follow each other.
struct Piecework {
  unsigned segment, first;  // the number of the segment's first piece
};
constexpr unsigned kMostPieces = 16384;

// Sixteen thousand blocks that count in one word would have to queue for it, and take a tenth longer.
struct alignas(128) Tally {
  unsigned count;
};
constexpr unsigned kTallies = 64;

// In global memory. All counters are 0 before a launch and after it; nobody reads the rest before it is
// written.
struct PieceBoard {
  Tally looked[kTallies];  // blocks that have looked at their segment
  unsigned pieces;         // that they have put up
  unsigned left;           // helpers that need neither of the two any more
  unsigned
      arrived[kMostPieces];  // at a segment's first piece: how many of its pieces are summed up
  float sums[kMostPieces];
  Piecework work[kMostPieces];
};
using Counter = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ inline void has_looked(PieceBoard& board, cuda::memory_order order) {
  Counter(board.looked[blockIdx.x % kTallies].count).fetch_add(1, order);
}

template <int kThreads>
struct BlockSum {
  float of_warp[kThreads / 32];
  // By all threads; only warp 0 has the sum.
  __device__ float operator()(float mine) {
    mine = all_lanes(mine);
    if (lane_id() == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x >= 32) return 0;
    return all_lanes(lane_id() < kThreads / 32 ? of_warp[lane_id()] : 0.0f);
  }
};

// This thread's part of in[begin, end): four at a time, kBatch loads on their way.
template <int kThreads, int kBatch>
__device__ float part_of(const float* in, unsigned begin, unsigned end) {
  const float* from = in + begin;
  const unsigned count = end - begin;
  const auto off = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) / 4 % 4);
  const unsigned head = (4 - off) % 4 < count ? (4 - off) % 4 : count;  // up to an aligned address
  const unsigned fours = (count - head) / 4, tail = head + 4 * fours;
  const auto* quads = reinterpret_cast<const float4*>(from + head) + threadIdx.x;
  float sum = 0;
  unsigned at = threadIdx.x;
  const auto add = [&](float4 q) { sum += (q.x + q.y) + (q.z + q.w); };
  for (; at + (kBatch - 1) * kThreads < fours;
       at += kThreads * kBatch, quads += kThreads * kBatch) {
    float4 q[kBatch];
#pragma unroll
    for (int b = 0; b < kBatch; ++b) q[b] = __ldcs(quads + b * kThreads);
#pragma unroll
    for (int b = 0; b < kBatch; ++b) add(q[b]);
  }
  for (; at < fours; at += kThreads, quads += kThreads) add(__ldcs(quads));
  if (threadIdx.x < head) sum += from[threadIdx.x];
  if (tail + threadIdx.x < count) sum += from[tail + threadIdx.x];
  return sum;
}

__device__ inline unsigned pieces_of(unsigned elements, unsigned piece) {
  return (elements + piece - 1) / piece;
}

// The segment is too long for this block: its pieces are put up for others.
__device__ inline void put_up(const Cutting& cutting, PieceBoard& board, unsigned segment,
                              unsigned elements) {
  __shared__ unsigned first;
  const unsigned count = pieces_of(elements, cutting.piece);
  if (threadIdx.x == 0) first = Counter(board.pieces).fetch_add(count, cuda::memory_order_relaxed);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
    board.work[first + i] = {segment, first};
  __syncthreads();  // all of it is there before this block has looked
  if (threadIdx.x == 0) has_looked(board, cuda::memory_order_release);
}

// By one warp: how many pieces there are, when all segments have been looked at. Those blocks have lower
// numbers and begin earlier, and even if they did not: helpers leave room for them.
__device__ inline unsigned pieces_in_all(const SegmentedSum& job, unsigned helpers,
                                         PieceBoard& board) {
  for (;;) {
    unsigned looked = 0;
    for (unsigned i = lane_id(); i < kTallies; i += 32)
      looked += Counter(board.looked[i].count).load(cuda::memory_order_acquire);
    if (__reduce_add_sync(kAllLanes, looked) == job.segments) break;
    __nanosleep(100);
  }
  __syncwarp();  // what one lane has acquired holds for all; a reduction or shuffle orders no memory
  unsigned pieces = 0, left = 0;
  if (lane_id() == 0) {
    pieces = Counter(board.pieces).load(cuda::memory_order_relaxed);
    left = Counter(board.left).fetch_add(1, cuda::memory_order_acq_rel);
  }
  __syncwarp();
  if (from_lane(left, 0) == helpers - 1) {  // nobody looks any more: ready for the next launch
    const auto reset = [](unsigned& counter) {
      Counter(counter).store(0, cuda::memory_order_relaxed);
    };
    for (unsigned i = lane_id(); i < kTallies; i += 32) reset(board.looked[i].count);
    if (lane_id() == 0) reset(board.pieces), reset(board.left);
  }
  return from_lane(pieces, 0);
}

// Takes every so many-th piece, when all segments have been looked at.
template <int kThreads, int kBatch>
__device__ void help(const SegmentedSum& job, const Cutting& cutting, PieceBoard& board,
                     BlockSum<kThreads>& block_sum) {
  __shared__ unsigned pieces;
  __shared__ bool last;
  if (threadIdx.x < 32) pieces = pieces_in_all(job, cutting.helpers, board);
  __syncthreads();
  for (unsigned p = blockIdx.x - job.segments; p < pieces; p += cutting.helpers) {
    const Piecework mine = board.work[p];
    const unsigned begin = job.offsets[mine.segment], end = job.offsets[mine.segment + 1];
    const unsigned count = pieces_of(end - begin, cutting.piece);
    const unsigned from = begin + (p - mine.first) * cutting.piece;
    const unsigned to = end - from < cutting.piece ? end : from + cutting.piece;
    const float sum = block_sum(part_of<kThreads, kBatch>(job.in, from, to));
    Counter arrived(board.arrived[mine.first]);
    if (threadIdx.x == 0) {
      board.sums[p] = sum;
      last = arrived.fetch_add(1, cuda::memory_order_acq_rel) == count - 1;
    }
    __syncthreads();
    if (!last) continue;
    // The last to arrive adds up all pieces, in their order: whoever it is, the sum is the same.
    float part = 0;
    for (unsigned i = threadIdx.x; i < count; i += kThreads) part += board.sums[mine.first + i];
    part = block_sum(part);
    if (threadIdx.x == 0) {
      job.out[mine.segment] = part;
      arrived.store(0, cuda::memory_order_relaxed);
    }
    __syncthreads();
  }
}

template <int kThreads, int kBlocks, int kBatch>
__global__ void __launch_bounds__(kThreads, kBlocks)
    cut_long(SegmentedSum job, Cutting cutting, PieceBoard* board) {
  __shared__ BlockSum<kThreads> block_sum;
  if (blockIdx.x >= job.segments) {
    help<kThreads, kBatch>(job, cutting, *board, block_sum);
    return;
  }
  const unsigned begin = job.offsets[blockIdx.x], end = job.offsets[blockIdx.x + 1];
  if (end - begin > cutting.limit) {
    put_up(cutting, *board, blockIdx.x, end - begin);
    return;
  }
  if (threadIdx.x == 0) has_looked(*board, cuda::memory_order_relaxed);
  const float sum = block_sum(part_of<kThreads, kBatch>(job.in, begin, end));
  if (threadIdx.x == 0) job.out[blockIdx.x] = sum;
}

}  // namespace lesson08

// SPDX-License-Identifier: MIT
// Rung cut_long: the segmented sum by a block for each segment. Long segments are cut into pieces, and a
// few helpers, blocks that begin before all others, take these. Nobody waits for anybody.
#pragma once

#include <cstdint>
#include <cuda/atomic>

#include "lessons/08_scan/even_shares.cuh"

namespace lesson08 {

// Which segments are cut, and into what.
struct Cutting {
  unsigned limit;    // segments of more elements are cut
  unsigned piece;    // elements; not more than the limit
  unsigned helpers;  // the first blocks: piece p is for helper p % helpers
};
constexpr unsigned kMostPieces = 16384, kMostOfHelper = 128;

// In global memory. The counters are 0 before a launch and after it.
struct PieceBoard {
  unsigned
      arrived[kMostPieces];  // at a segment's first piece: how many of its pieces are summed up
  float sums[kMostPieces];
};
using Counter = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

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

// The segments as a helper sees them: 0 pieces for one that is not cut.
__device__ inline unsigned pieces_of(const SegmentedSum& job, const Cutting& cutting, unsigned s) {
  const unsigned elements = job.offsets[s + 1] - job.offsets[s];
  return elements > cutting.limit ? (elements + cutting.piece - 1) / cutting.piece : 0;
}

struct Piecework {
  unsigned segment, first, number;  // the number of the segment's first piece, and this piece's
};

// Every helper numbers all pieces, and as all do it in the same way nobody has to tell the others: a thread
// has every kThreads-th segment, and the numbers of its pieces come behind those of the threads before it.
// Returns how many are this helper's; mostly no segment is cut, and one look at all of them is enough.
template <int kThreads>
__device__ unsigned find_pieces(const SegmentedSum& job, const Cutting& cutting,
                                Piecework (&mine)[kMostOfHelper]) {
  __shared__ WarpSums<Plus<unsigned>> sums;
  __shared__ unsigned found;
  unsigned count = 0;
#pragma unroll 4
  for (unsigned s = threadIdx.x; s < job.segments; s += kThreads)
    count += pieces_of(job, cutting, s);
  if (threadIdx.x == 0) found = 0;
  if (!__syncthreads_or(count > 0)) return 0;

  const unsigned inclusive = warp_inclusive<Plus<unsigned>>(count);
  if (lane_id() == 31) sums.of_warp[threadIdx.x / 32] = inclusive;
  __syncthreads();
  const auto scanned = sums.scan(kThreads / 32);
  unsigned next = from_lane(scanned.before, threadIdx.x / 32) + inclusive - count;
  for (unsigned s = threadIdx.x; count > 0 && s < job.segments; s += kThreads) {
    const unsigned first = next, pieces = pieces_of(job, cutting, s);
    next += pieces;
    unsigned p = first + (cutting.helpers + blockIdx.x - first % cutting.helpers) % cutting.helpers;
    for (; p < next; p += cutting.helpers) mine[atomicAdd(&found, 1u)] = {s, first, p};
  }
  __syncthreads();
  return found;
}

// The last to arrive adds up all pieces of a segment, in their order: whoever it is, the sum is the same.
template <int kThreads, int kBatch>
__device__ void help(const SegmentedSum& job, const Cutting& cutting, PieceBoard& board,
                     BlockSum<kThreads>& block_sum) {
  __shared__ Piecework mine[kMostOfHelper];
  __shared__ bool last;
  const unsigned found = find_pieces<kThreads>(job, cutting, mine);
  for (unsigned i = 0; i < found; ++i) {
    const auto [s, first, number] = mine[i];
    const unsigned from = job.offsets[s] + (number - first) * cutting.piece;
    const unsigned end = job.offsets[s + 1];
    const unsigned to = end - from < cutting.piece ? end : from + cutting.piece;
    const float sum = block_sum(part_of<kThreads, kBatch>(job.in, from, to));
    const unsigned count = pieces_of(job, cutting, s);
    Counter arrived(board.arrived[first]);
    if (threadIdx.x == 0) {
      board.sums[number] = sum;
      last = arrived.fetch_add(1, cuda::memory_order_acq_rel) == count - 1;
    }
    __syncthreads();
    if (!last) continue;
    float part = 0;
    for (unsigned p = threadIdx.x; p < count; p += kThreads) part += board.sums[first + p];
    part = block_sum(part);
    if (threadIdx.x == 0) {
      job.out[s] = part;
      arrived.store(0, cuda::memory_order_relaxed);  // for the next launch
    }
    __syncthreads();
  }
}

template <int kThreads, int kBlocks, int kBatch>
__global__ void __launch_bounds__(kThreads, kBlocks)
    cut_long(SegmentedSum job, Cutting cutting, PieceBoard* board) {
  __shared__ BlockSum<kThreads> block_sum;
  if (blockIdx.x < cutting.helpers) {
    help<kThreads, kBatch>(job, cutting, *board, block_sum);
    return;
  }
  const unsigned s = blockIdx.x - cutting.helpers;
  const unsigned begin = job.offsets[s], end = job.offsets[s + 1];
  if (end - begin > cutting.limit) return;
  const float sum = block_sum(part_of<kThreads, kBatch>(job.in, begin, end));
  if (threadIdx.x == 0) job.out[s] = sum;
}

}  // namespace lesson08

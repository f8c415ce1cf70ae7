// SPDX-License-Identifier: MIT
// Rung even_shares: the segmented sum by warps that all have the same amount of work.
#pragma once

#include <cstdint>
#include <cuda/std/bit>

#include "lessons/08_scan/tile.cuh"
#include "lessons/08_scan/tile_words.cuh"

namespace lesson08 {

constexpr int kShareThreads = 256, kShareBlocks = 4, kShareRows = 4;

struct SegmentedSum {
  const float* in;
  const unsigned* offsets;
  float* out;
  std::size_t n;
  unsigned segments;
  Word* words;
};

// Walking along the array, one step passes an element or the end of a segment: n + segments steps in
// all, however they are mixed. How many ends are among the first `steps`?
//
// End s comes after offsets[s + 1] elements and s ends. The lanes try 32 places at once, so a million
// segments take four rounds.
__device__ inline unsigned ends_within(const SegmentedSum& job, std::uint64_t steps) {
  unsigned low = 0, high = job.segments;  // the answer is from low to high
  while (low < high) {
    const unsigned stride = (high - low + 31) / 32;
    const std::uint64_t probe = std::uint64_t{low} + std::uint64_t{lane_id() + 1} * stride - 1;
    const bool passed = probe < high && job.offsets[probe + 1] + probe < steps;
    const unsigned strides = __popc(__ballot_sync(kAllLanes, passed));
    low += strides * stride;
    high = low + stride - 1 < high ? low + stride - 1 : high;
  }
  return low < job.segments ? low : job.segments;
}

// What a warp found in its share.
struct Share {
  float first;        // up to the first end, of a segment that may have begun earlier
  unsigned ended;     // that segment
  Piece<float> rest;  // from the last end on; head: there was an end
};

// The next ends, 32 at a time in the lanes' registers.
struct Ends {
  const SegmentedSum& job;
  unsigned base, mine;
  __device__ explicit Ends(const SegmentedSum& j, unsigned s) : job(j) { load(s); }
  __device__ void load(unsigned s) {
    base = s;
    const std::uint64_t at = std::uint64_t{s} + lane_id() + 1;
    mine = at <= job.segments ? job.offsets[at] : 0xffffffffu;
  }
  // Where segment s ends. s does not go back.
  __device__ std::uint64_t of(unsigned s) {
    if (s >= job.segments) return ~std::uint64_t{0};
    if (s - base >= 32) load(s);
    return from_lane(mine, s - base);
  }
};

__device__ inline float all_lanes(float mine) {
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2)
    mine += __shfl_xor_sync(kAllLanes, mine, distance);
  return mine;
}

// Goes along a share, from one end of a segment to the next. Positions count from the last aligned
// address at or before the array on: element i is at i + shift.
struct Walk {
  const SegmentedSum& job;
  Ends ends;
  unsigned s, last;  // the next end, and the first that is not this warp's
  unsigned shift;
  std::uint64_t next;  // where segment s ends
  float mine = 0;      // of the segment that is open, this lane's part
  Share share{0, 0, {0, false}};

  __device__ Walk(const SegmentedSum& j, unsigned from, unsigned to)
      : job(j),
        ends(j, from),
        s(from),
        last(to),
        shift(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(j.in) / 4 % 4)) {
    next = end_of(from);
  }
  __device__ std::uint64_t end_of(unsigned which) {
    return which < last ? ends.of(which) + shift : ~std::uint64_t{0};
  }

  // Segment s ends here. The first one of the share may have begun earlier: it is kept for later.
  __device__ void close() {
    const float sum = all_lanes(mine);
    if (!share.rest.head) {
      share.first = sum;
      share.ended = s;
    } else if (lane_id() == 0) {
      job.out[s] = sum;
    }
    share.rest.head = true;
    mine = 0;
    next = end_of(++s);
  }

  // A row has 128 elements, a lane four of them; those that are not of the share are zero.
  __device__ void add_row(std::uint64_t row, const Quad<float>& q, std::uint64_t end) {
    const std::uint64_t stop = row + 128 < end ? row + 128 : end;
    if (next > stop) {
      mine += (q.v[0] + q.v[1]) + (q.v[2] + q.v[3]);
      return;
    }
    // Places within the row fit into 32 bits.
    unsigned from = 0;
    while (next <= stop) {
      const auto to = static_cast<unsigned>(next - row);
      add_between(q, from, to);
      from = to;
      close();
    }
    add_between(q, from, 128);
  }
  __device__ void add_between(const Quad<float>& q, unsigned from, unsigned to) {
    const unsigned at = 4 * lane_id();
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (at + k >= from && at + k < to) mine += q.v[k];
  }

  // Some rows from `row` on. What is not of [begin, end) is zero.
  struct Rows {
    Quad<float> q[kShareRows];
  };
  __device__ Rows load(std::uint64_t row, std::uint64_t begin, std::uint64_t end) const {
    const float* const aligned = job.in - shift;
    Rows rows;
#pragma unroll
    for (int r = 0; r < kShareRows; ++r) {
      const std::uint64_t at = row + 128 * r + 4 * lane_id();
      if (at >= begin && at + 4 <= end) {
        rows.q[r] = cuda::std::bit_cast<Quad<float>>(
            __ldcs(reinterpret_cast<const float4*>(aligned + at)));  // it is read only once
      } else {
#pragma unroll
        for (int k = 0; k < 4; ++k)
          rows.q[r].v[k] = at + k >= begin && at + k < end ? aligned[at + k] : 0.0f;
      }
    }
    return rows;
  }

  // The elements [begin, end).
  __device__ Share walk(std::uint64_t begin, std::uint64_t end) {
    begin += shift;
    end += shift;
    while (next <= begin) close();  // of segments that end just here, or are empty
    // While some rows are added up, the next ones are on their way.
    Rows now = load(begin / 4 * 4, begin, end);
    for (std::uint64_t row = begin / 4 * 4; row < end; row += 128 * kShareRows) {
      const Rows next = load(row + 128 * kShareRows, begin, end);
#pragma unroll
      for (int r = 0; r < kShareRows; ++r)
        if (row + 128 * r < end) add_row(row + 128 * r, now.q[r], end);
      now = next;
    }
    share.rest.value = all_lanes(mine);
    return share;
  }
};

using Pairs = Segmented<Plus<float>>;

// The sum that comes before this block in a segment that is open where it begins: all threads read a
// word each, and again further back until there is an end.
__device__ inline Piece<float> before_block(Word* words, Ticket me, WarpSums<Pairs>& sums) {
  const Pairs op{};
  Piece<float> right = Pairs::identity();
  for (unsigned end = me.tile;; end -= blockDim.x) {
    const unsigned back = blockDim.x - threadIdx.x;
    Piece<float> mine{0, true};  // before the first block there is an end
    if (back <= end) {
      Message<Piece<float>> m;
      while ((m = look_at<Piece<float>>(words, end - back, me.launch)).meaning ==
             Meaning::kNothing) {
      }
      mine = m.value;
    }
    __syncwarp();
    mine = warp_total(mine, op);
    __syncthreads();
    if (lane_id() == 0) sums.of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    right = op(sums.scan(blockDim.x / 32, op).total, right);
    if (right.head) return right;
  }
}

template <int kThreads, int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks) even_shares(SegmentedSum job) {
  constexpr unsigned kWarps = kThreads / 32;
  __shared__ unsigned from_of[kWarps + 1];
  __shared__ WarpSums<Pairs> rests, scratch;
  // All blocks are on the GPU at once, so they need no tickets.
  const Ticket me{blockIdx.x, launch_number(job.words)};
  const unsigned warp = threadIdx.x / 32;
  const std::uint64_t steps = job.n + job.segments;
  const std::uint64_t each = (steps + gridDim.x * kWarps - 1) / (gridDim.x * kWarps);
  const auto step = [&](unsigned w) {
    const std::uint64_t wanted = (std::uint64_t{me.tile} * kWarps + w) * each;
    return wanted < steps ? wanted : steps;
  };
  // A share ends where the next one begins: each warp looks for one place, the last one for two.
  for (unsigned w = warp; w <= kWarps; w += warp + 1 == kWarps ? 1 : kWarps + 1) {
    const unsigned found = ends_within(job, step(w));
    if (lane_id() == 0) from_of[w] = found;
  }
  __syncthreads();
  const std::uint64_t begin = step(warp), end = step(warp + 1);
  const unsigned from = from_of[warp], to = from_of[warp + 1];
  const Share share = Walk(job, from, to).walk(begin - from, end - to);

  if (lane_id() == 0) rests.of_warp[warp] = share.rest;
  __syncthreads();
  const Pairs op{};
  const auto scanned = rests.scan(kWarps, op);
  if (threadIdx.x == 0) {
    publish<Piece<float>>(job.words, me, {Meaning::kSum, scanned.total});
    check_out(job.words, me.launch);
  }
  if (!scanned.total.head) return;  // nothing ends in this block
  const auto carry = before_block(job.words, me, scratch);
  const auto before = op(carry, from_lane(scanned.before, warp));
  if (share.rest.head && lane_id() == 0) job.out[share.ended] = before.value + share.first;
}

}  // namespace lesson08

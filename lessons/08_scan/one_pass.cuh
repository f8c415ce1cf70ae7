// SPDX-License-Identifier: MIT
// One pass: every element is read once and written once. A block scans a tile, learns what comes
// before it from the blocks before, and stores.
#pragma once

#include "lessons/08_scan/look_back.cuh"
#include "lessons/08_scan/scan_task.cuh"

namespace lesson08 {

// How a tile learns its prefix. The first warp calls, and all its lanes get it.
//
// From the tile just before, once that has its own.
struct WaitForNeighbour {
  template <class Op>
  __device__ static typename Op::Value prefix(Word* words, Ticket me, typename Op::Value sum,
                                              Op op = {}) {
    using T = typename Op::Value;
    T before = Op::identity();
    if (lane_id() == 0) {
      if (me.tile != 0) {
        Message<T> m;
        while ((m = look_at<T>(words, me.tile - 1, me.launch)).meaning != Meaning::kPrefix) {
        }
        before = m.value;
      }
      publish<T>(words, me, {Meaning::kPrefix, op(before, sum)});
    }
    return from_lane(before, 0);
  }
};

// From as many tiles as it takes: a tile says at once what it sums up to.
template <bool kByWarp>
struct LookBack {
  template <class Op>
  __device__ static typename Op::Value prefix(Word* words, Ticket me, typename Op::Value sum,
                                              Op op = {}) {
    using T = typename Op::Value;
    if (lane_id() == 0)
      publish<T>(words, me, {me.tile == 0 ? Meaning::kPrefix : Meaning::kSum, sum});
    if (me.tile == 0) return Op::identity();
    T before = Op::identity();
    if constexpr (kByWarp) {
      before = look_back(words, me, op);
    } else {
      if (lane_id() == 0) before = look_back_alone(words, me, op);
      before = from_lane(before, 0);
    }
    if (lane_id() == 0) publish<T>(words, me, {Meaning::kPrefix, op(before, sum)});
    return before;
  }
};

template <class Op, int kRows, class How, bool kExclusive>
__device__ void scan_one_tile(const typename Op::Value* in, std::size_t n, typename Op::Value* out,
                              Word* words) {
  __shared__ Ticket ticket;
  __shared__ WarpSums<Op> sums;
  using Mine = Tile<Op, kRows>;
  const std::size_t size = Mine::size(blockDim.x);
  if (threadIdx.x == 0) ticket = take_ticket(words, gridDim.x);
  __syncthreads();
  const Ticket me = ticket;
  const std::size_t first = me.tile * size;
  const bool quads = aligned_for_quads(in) && aligned_for_quads(out);

  const Op op{};
  Mine tile;
  tile.load(in + first, n - first, size, quads);
  const auto sum = tile.scan_in_warp(op);
  const unsigned warp = threadIdx.x / 32;
  if (lane_id() == 0) sums.of_warp[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const auto scanned = sums.scan(blockDim.x / 32, op);
    const auto before = How::prefix(words, me, scanned.total, op);
    sums.of_warp[lane_id()] = op(before, scanned.before);
  }
  __syncthreads();
  tile.template store<kExclusive>(out + first, n - first, size, quads, sums.of_warp[warp]);
}

template <class Op, int kRows, class How, bool kExclusive = false>
__global__ void __launch_bounds__(1024)
    one_pass(const typename Op::Value* in, std::size_t n, typename Op::Value* out, Word* words) {
  scan_one_tile<Op, kRows, How, kExclusive>(in, n, out, words);
}

constexpr int kRowsInPass = 4;

template <class How>
void launch_one_pass(const Scan& s) {
  with_type(s, [](auto t) {
    using Op = typename decltype(t)::Op;
    const unsigned tiles = tiles_of(t.n, Tile<Op, kRowsInPass>::size(t.block));
    if (tiles == 0) return;
    one_pass<Op, kRowsInPass, How><<<tiles, t.block>>>(t.in, t.n, t.out, t.words);
    COURSE_CHECK(cudaGetLastError());
  });
}

// Changed: one launch. A block scans a tile in registers, learns its prefix from the tile before, and
//          stores. A ticket says which tile is whose.
// Why:     every element is read once and written once.
// Cost:    the tiles form a chain: each waits for the one before, a trip to the L2 cache each.
inline void launch_chained(const Scan& s) { launch_one_pass<WaitForNeighbour>(s); }

// Changed: a tile tells its sum at once, and its prefix when it knows it. Who waits looks further back
//          and adds sums until it finds a prefix.
// Why:     sums do not depend on each other: the chain is cut wherever tiles run at the same time.
// Cost:    a thread that adds up word after word.
inline void launch_look_back(const Scan& s) { launch_one_pass<LookBack<false>>(s); }

// Changed: a whole warp looks back, 32 tiles at a step.
// Why:     32 words are one trip to the L2 cache, as one word is.
// Cost:    two votes and a scan per step.
inline void launch_look_back_warp(const Scan& s) { launch_one_pass<LookBack<true>>(s); }

}  // namespace lesson08

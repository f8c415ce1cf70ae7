// SPDX-License-Identifier: MIT
// Scans that begin anew at the head of each segment, in one pass, by the machinery of the plain ones:
// only what is read and what is stored differs.
#pragma once

#include "lessons/08_scan/one_pass.cuh"

namespace lesson08 {

// Where segments begin: where a flag is set,
struct HeadsByFlag {
  const unsigned char* flags;
  __device__ bool operator()(std::size_t i) const { return flags[i] != 0; }
};
// or where a key is not the one before.
template <class Key>
struct HeadsByKey {
  const Key* keys;
  __device__ bool operator()(std::size_t i) const { return i == 0 || keys[i] != keys[i - 1]; }
};

// What is stored: every element's sum,
template <class T>
struct EverySum {
  T* out;
  __device__ void operator()(std::size_t i, std::size_t, T sum) const { out[i] = sum; }
};
// or, for a reduction, only that of the last element of each label, at the label's place. Labels go up;
// places of labels that do not occur stay as they are.
template <class T>
struct LastSum {
  const unsigned* labels;
  T* out;
  __device__ void operator()(std::size_t i, std::size_t n, T sum) const {
    if (i + 1 == n || labels[i] != labels[i + 1]) out[labels[i]] = sum;
  }
};

template <class Op, class Heads, class Store>
__global__ void __launch_bounds__(256) segmented_scan(const typename Op::Value* in, std::size_t n,
                                                      Heads heads, Store store, Word* words) {
  using Pairs = Segmented<Op>;
  __shared__ Ticket ticket;
  __shared__ WarpSums<Pairs> sums;
  Tile<Pairs, kRowsInPass> tile;
  if (threadIdx.x == 0) ticket = take_ticket(words, gridDim.x);
  __syncthreads();
  const Ticket me = ticket;
  const std::size_t first = me.tile * tile.size(blockDim.x) + tile.first();
  tile.for_each([&](unsigned at, auto& x) {
    const std::size_t i = first + at;
    x = i < n ? Piece<typename Op::Value>{in[i], heads(i)} : Pairs::identity();
  });
  const auto sum = tile.scan_in_warp();
  const unsigned warp = threadIdx.x / 32;
  if (lane_id() == 0) sums.of_warp[warp] = sum;
  __syncthreads();
  const Pairs op{};
  if (warp == 0) {
    const auto scanned = sums.scan(blockDim.x / 32, op);
    const auto before = LookBack<true>::prefix(words, me, scanned.total, op);
    sums.of_warp[lane_id()] = op(before, scanned.before);
  }
  __syncthreads();
  const auto before = sums.of_warp[warp];
  for (int r = 0; r < kRowsInPass; ++r) {
    const auto four = tile.template result<false>(r, before);
    for (int k = 0; k < 4; ++k) {
      const std::size_t i = first + 128 * r + k;
      if (i < n) store(i, n, four.v[k].value);
    }
  }
}

template <class Op, class Heads, class Store>
void launch_segmented_scan(const typename Op::Value* in, std::size_t n, Heads heads, Store store,
                           Word* words) {
  const unsigned tiles = tiles_of(n, Tile<Segmented<Op>, kRowsInPass>::size(256));
  if (tiles == 0) return;
  segmented_scan<Op><<<tiles, 256>>>(in, n, heads, store, words);
  COURSE_CHECK(cudaGetLastError());
}

}  // namespace lesson08

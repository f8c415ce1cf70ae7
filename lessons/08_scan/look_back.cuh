// SPDX-License-Identifier: MIT
// Looking back: what comes before this tile, from the words of the tiles before it.
#pragma once

#include "lessons/08_scan/tile_words.cuh"
#include "lessons/08_scan/warp_scan.cuh"

namespace lesson08 {

// One thread walks back, tile by tile: over sums until it finds a prefix.
template <class Op>
__device__ typename Op::Value look_back_alone(Word* words, Ticket me, Op op = {}) {
  using T = typename Op::Value;
  T right = Op::identity();
  for (unsigned tile = me.tile; tile-- > 0;) {
    Message<T> m;
    while ((m = look_at<T>(words, tile, me.launch)).meaning == Meaning::kNothing) {
    }
    right = op(m.value, right);
    if (m.meaning == Meaning::kPrefix) break;
  }
  return right;
}

// What a warp reads of 32 words in a row at once. Lane 31 has the newest.
template <class Op>
struct Window {
  using T = typename Op::Value;
  bool complete;  // no word is missing from the newest prefix on (or from the window's begin)
  bool prefix;    // there is a prefix in it
  T sum;          // if complete: from that prefix on, in order

  // The words of the tiles [end - 32, end); those before tile 0 count as a prefix of nothing.
  __device__ static Window read(Word* words, unsigned end, unsigned launch, Op op = {}) {
    const unsigned back = 32 - lane_id();
    const auto m = back > end ? Message<T>{Meaning::kPrefix, Op::identity()}
                              : look_at<T>(words, end - back, launch);
    const unsigned prefixes = __ballot_sync(kAllLanes, m.meaning == Meaning::kPrefix);
    const unsigned gaps = __ballot_sync(kAllLanes, m.meaning == Meaning::kNothing);
    const unsigned from = prefixes == 0 ? 0 : 31 - __clz(prefixes);
    Window w{(gaps >> from) == 0, prefixes != 0, Op::identity()};
    if (w.complete) w.sum = warp_total(lane_id() >= from ? m.value : Op::identity(), op);
    return w;
  }
};

// A warp walks back, 32 tiles at a step. All lanes get the prefix.
template <class Op>
__device__ typename Op::Value look_back(Word* words, Ticket me, Op op = {}) {
  typename Op::Value right = Op::identity();
  for (unsigned end = me.tile;; end -= 32) {
    auto window = Window<Op>::read(words, end, me.launch, op);
    while (!window.complete) window = Window<Op>::read(words, end, me.launch, op);
    right = op(window.sum, right);
    if (window.prefix) return right;
  }
}

}  // namespace lesson08

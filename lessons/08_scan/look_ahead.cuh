// SPDX-License-Identifier: MIT
// Looking ahead: a tile's sum is told three rounds before its prefix is needed, and the words of the
// others are asked for one round before. Needs compute capability 9.0.
#pragma once

#include "lessons/08_scan/one_pass.cuh"
#include "lessons/08_scan/tile_ring.cuh"

namespace lesson08 {

// The blocks stay and go through the array in rounds. What a block does in one:
//   add up the tile that comes kAhead rounds later, and tell its sum; add up what the others have told
//   for this round's tile; scan this round's tile and store it.
constexpr unsigned kAhead = 3;

template <class Op, int kThreads, int kRows, int kSlots, int kWidth, bool kExclusive>
struct LookAhead {
  using T = typename Op::Value;
  using Ring = TileRing<Op, kThreads, kRows, kSlots>;
  static constexpr int kWarps = kThreads / 32;
  static constexpr unsigned kTile = Ring::kTile;
  static_assert(kWarps >= 2 && kSlots > kAhead + 1);

  struct Shared {
    typename Ring::Shared ring;
    WarpSums<Op> sums;     // of the tile that was added up last
    T before[kSlots][32];  // of the tiles in the ring: what comes before each warp's stretch,
    T total[kSlots];       // and the sum
    T prefix;              // what comes before this round's tile
  };

  Shared& shared;
  Ring ring;
  T* out;
  Word* words;
  unsigned launch;

  __device__ static unsigned warp() { return threadIdx.x / 32; }
  __device__ unsigned tile_of(unsigned round) const { return round * gridDim.x + blockIdx.x; }

  __device__ void add_up(unsigned round, Op op) {
    ring.wait(round);
    typename Ring::Mine tile;
    ring.read(round, tile);
    const T sum = tile.sum_in_warp(op);
    if (lane_id() == 0) shared.sums.of_warp[warp()] = sum;
  }

  // By one warp, when all have added up.
  __device__ void tell(unsigned round, Op op) {
    const auto scanned = shared.sums.scan(kWarps, op);
    shared.before[round % kSlots][lane_id()] = scanned.before;
    if (lane_id() != 0) return;
    shared.total[round % kSlots] = scanned.total;
    publish<T>(words, {tile_of(round), launch}, {Meaning::kSum, scanned.total});
  }

  // The words of the tiles between this block's last one and this one, which other blocks have: in
  // rows of 32, so that a row is two requests and not 32. Row kWidth - 1 has the newest. They are asked
  // for a round early; what was missing then is asked for again when it is needed.
  struct Others {
    Word row[kWidth];
  };
  __device__ static unsigned back(int k) { return 32 * (kWidth - k) - lane_id(); }
  __device__ static bool wanted(unsigned tile, int k) {
    return back(k) <= tile && back(k) < gridDim.x;
  }
  __device__ void ask(unsigned tile, Others& others) const {
#pragma unroll
    for (int k = 0; k < kWidth; ++k)
      others.row[k] = wanted(tile, k) ? peek(words, tile - back(k)) : 0;
  }
  __device__ T sum_of(unsigned tile, const Others& others, Op op) const {
    T mine[kWidth];
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      mine[k] = Op::identity();
      if (wanted(tile, k)) {
        auto m = meaning_of<T>(others.row[k], launch);
        while (m.meaning == Meaning::kNothing) m = look_at<T>(words, tile - back(k), launch);
        mine[k] = m.value;
      }
    }
    __syncwarp();
    ordered_sums(mine, op);
    T all = mine[0];
#pragma unroll
    for (int k = 1; k < kWidth; ++k) all = op(all, mine[k]);
    return from_lane(all, 0);
  }

  // By one warp, which keeps `carry`: everything up to the end of this block's last tile.
  __device__ void learn(unsigned round, T& carry, Others& others, Op op) {
    const T prefix = op(carry, sum_of(tile_of(round), others, op));
    if (lane_id() == 0) shared.prefix = prefix;
    carry = op(prefix, shared.total[round % kSlots]);
    if (ring.size(round + 1) != 0) ask(tile_of(round + 1), others);
  }

  __device__ void finish(unsigned round, Op op) {
    typename Ring::Mine tile;
    ring.read(round, tile);
    tile.scan_in_warp(op);
    const T before = op(shared.prefix, shared.before[round % kSlots][warp()]);
    tile.template store<kExclusive>(out + ring.first(round), ring.size(round), kTile, true, before);
  }

  __device__ void run(Op op = {}) {
    if (threadIdx.x == kThreads - 1) ring.open();
    launch = launch_number(words);
    __syncthreads();
    for (unsigned round = 0; round < kAhead && ring.size(round) != 0; ++round) {
      add_up(round, op);
      __syncthreads();
      if (warp() == 0) tell(round, op);
      __syncthreads();
    }
    T carry = Op::identity();
    Others others;
    if (warp() == 1) ask(tile_of(0), others);
    for (unsigned round = 0; ring.size(round) != 0; ++round) {
      const unsigned later = round + kAhead;
      if (ring.size(later) != 0) add_up(later, op);
      __syncthreads();  // the sums are there, and all are done with the tile of the round before
      if (warp() == 0 && ring.size(later) != 0) tell(later, op);
      if (warp() == 1) learn(round, carry, others, op);
      if (threadIdx.x == kThreads - 1 && round > 0) ring.request(round - 1 + kSlots);
      __syncthreads();
      finish(round, op);
    }
    // Whoever has the array's end has heard of all blocks: each knows this launch's number by now.
    const auto& work = ring.work;
    if (threadIdx.x == 0 && ring.last_size != 0 &&
        ring.first(work.whole) + ring.last_size == work.n)
      begin_next_launch(words, launch);
  }
};

template <class Op, int kThreads, int kRows, int kSlots, int kWidth, bool kExclusive = false>
__global__ void __launch_bounds__(kThreads, 1)
    look_ahead(const typename Op::Value* in, typename Op::Value* out, Word* words, Rounds work) {
#if __CUDA_ARCH__ >= 900
  using Mine = LookAhead<Op, kThreads, kRows, kSlots, kWidth, kExclusive>;
  extern __shared__ __align__(128) unsigned char raw[];
  auto& shared = *reinterpret_cast<typename Mine::Shared*>(raw);
  Mine{shared, {shared.ring, in, work}, out, words}.run();
#endif
}

// Changed: blocks stay. A tile's sum is told three rounds before its prefix is needed, and tiles of later
//          rounds are brought by a copy engine meanwhile (lesson 05). A block knows the prefix of its
//          own last tile, so it needs the sums of one round only, and asks for them a round before.
// Why:     look-back waits for the slowest load of all tiles in flight, and then for the trip of the
//          words. Here nobody waits for a load or a word that was not asked for long ago.
// Cost:    shared memory, every tile is read from it twice, a cooperative launch; arrays that are not
//          aligned to 16 bytes go the way of the rung before.
// Of the shapes that fill shared memory, the one that was fastest on an H200: many threads, each with little to do.
constexpr int kAheadThreads = 1024, kAheadRows = 2, kAheadSlots = 6, kAheadWidth = 5;
constexpr unsigned kMostTogether = 32 * kAheadWidth;  // blocks whose words a warp reads

inline void launch_look_ahead(const Scan& s) {
  with_type(s, [&](auto t) {
    using Op = typename decltype(t)::Op;
    using Mine = LookAhead<Op, kAheadThreads, kAheadRows, kAheadSlots, kAheadWidth, false>;
    if (t.n == 0) return;
    if (!t.aligned()) return launch_look_back_warp(s);
    const auto kernel = look_ahead<Op, kAheadThreads, kAheadRows, kAheadSlots, kAheadWidth>;
    constexpr int kBytes = sizeof(typename Mine::Shared);
    COURSE_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
    const auto all = static_cast<unsigned>(t.device->multiprocessors);
    const unsigned blocks = all < kMostTogether ? all : kMostTogether;
    launch_together(kernel, blocks, kAheadThreads, kBytes, t.in, t.out, t.words,
                    Rounds::of(t.n, Mine::kTile, blocks));
  });
}

}  // namespace lesson08

// SPDX-License-Identifier: MIT
// Looking ahead: a tile's sum is told one round before its prefix is needed, and a copy engine brings
// the tiles of the rounds after that. Needs compute capability 9.0.
#pragma once

#include <cuda/ptx>

#include "lessons/08_scan/one_pass.cuh"

namespace lesson08 {

// Which part of the array a block has in a round: tile after tile, block after block, round after
// round. What is left for the last round is divided evenly, so that every block gets some.
struct Rounds {
  std::size_t n;
  unsigned whole;      // rounds in which every block has a whole tile; one more comes
  unsigned last_tile;  // elements in a tile of that one, a multiple of 128

  static Rounds of(std::size_t n, unsigned tile, unsigned blocks) {
    const std::size_t a_round = std::size_t{tile} * blocks;
    const std::size_t whole = (n - 1) / a_round;
    const std::size_t share = (n - whole * a_round + blocks - 1) / blocks;
    return {n, static_cast<unsigned>(whole), static_cast<unsigned>((share + 127) / 128 * 128)};
  }
};

// The blocks stay and go through the array in rounds. What a block does in one:
//   read the tile of the *next* round, tell its sum; add up what the others have told for this round's
//   tile; store this round's tile.
template <class Op, int kThreads, int kRows, int kSlots, int kWidth, bool kExclusive>
struct LookAhead {
  using T = typename Op::Value;
  using Mine = Tile<Op, kRows>;
  static constexpr int kWarps = kThreads / 32;
  static constexpr unsigned kTile = 4 * kRows * kThreads;

  struct alignas(128) Shared {
    T slot[kSlots][kTile];
    cuda::std::uint64_t arrived[kSlots];
    WarpSums<Op> sums;  // of the tile that was read last
    T before[32];       // what comes before each warp's stretch of the tile to be stored
  };

  Shared& shared;
  const T* in;
  T* out;
  Word* words;
  Rounds work;
  unsigned last_size;  // of this block's tile in the last round; 0: it has none
  // Of the first warp. Lane i: the sum of the warps before warp i, in the tile read last; that tile's
  // sum; everything up to the end of the tile stored last.
  T before_warp, total, carry;
  unsigned launch;

  __device__ static unsigned warp() { return threadIdx.x / 32; }
  __device__ unsigned tile_of(unsigned round) const { return round * gridDim.x + blockIdx.x; }
  __device__ std::size_t first(unsigned round) const {
    const std::size_t before = std::size_t{round} * gridDim.x * kTile;
    return before + std::size_t{blockIdx.x} * (round < work.whole ? kTile : work.last_tile);
  }
  __device__ unsigned size(unsigned round) const {
    return round < work.whole ? kTile : round == work.whole ? last_size : 0;
  }
  // What the copy engine brings: multiples of 16 bytes. The array's end may have up to three more.
  __device__ unsigned brought(unsigned round) const { return size(round) / 4 * 4; }

  // By one thread: the tile of this round is copied to its slot.
  __device__ void request(unsigned round) {
    namespace ptx = cuda::ptx;
    const unsigned bytes = brought(round) * sizeof(T);
    if (bytes == 0) return;
    auto* const arrived = &shared.arrived[round % kSlots];
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, arrived,
                                   bytes);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, shared.slot[round % kSlots],
                       in + first(round), bytes, arrived);
  }

  // Reads the tile of this round and scans what a warp can scan alone.
  __device__ void read(unsigned round, Mine& into) {
    const unsigned slot = round % kSlots;
    if (brought(round) != 0) {
      while (!cuda::ptx::mbarrier_try_wait_parity(&shared.arrived[slot], round / kSlots % 2)) {
      }
    }
    into.load(shared.slot[slot], brought(round), kTile, true);
    // The last elements of the array, where they are no whole four: from where they are.
    if (size(round) % 4 != 0) into.load_rest(in + first(round), brought(round), size(round));
    const T sum = into.scan_in_warp();
    if (lane_id() == 0) shared.sums.of_warp[warp()] = sum;
  }

  // By the first warp, when all have read.
  __device__ void tell(unsigned round, Op op = {}) {
    const auto scanned = shared.sums.scan(kWarps, op);
    before_warp = scanned.before;
    total = scanned.total;
    if (lane_id() == 0) publish<T>(words, {tile_of(round), launch}, {Meaning::kSum, total});
  }

  // The words of the tiles between this block's last one and this one, which other blocks have: in
  // rows of 32, so that a row is two requests and not 32. Row kWidth - 1 has the newest. They are asked for early; what
  // was missing then is asked for again when it is needed.
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
  __device__ T sum_of(unsigned tile, const Others& others, Op op = {}) const {
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
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
#pragma unroll
      for (int k = 0; k < kWidth; ++k)  // only lane 0 gets the whole row's sum, in order
        mine[k] = op(mine[k], from_right(mine[k], distance));
    }
    T all = mine[0];
#pragma unroll
    for (int k = 1; k < kWidth; ++k) all = op(all, mine[k]);
    return from_lane(all, 0);
  }

  // `mine` has been read, and its sum told. Reads the next one, then stores this one.
  __device__ void step(unsigned round, Mine& mine, Mine& next, Op op = {}) {
    const bool more = size(round + 1) != 0;
    Others others;
    if (warp() == 0) ask(tile_of(round), others);
    if (more) read(round + 1, next);
    __syncthreads();  // all have read: the slot is free, and the sums are there
    if (warp() == 0) {
      const T mine_before = before_warp, mine_total = total;
      if (more) tell(round + 1, op);
      const T prefix = op(carry, sum_of(tile_of(round), others, op));
      shared.before[lane_id()] = op(prefix, mine_before);
      carry = op(prefix, mine_total);
    } else if (threadIdx.x == kThreads - 1) {
      request(round + 1 + kSlots);
    }
    __syncthreads();
    mine.template store<kExclusive>(out + first(round), size(round), kTile, true,
                                    shared.before[warp()]);
  }

  __device__ void run() {
    namespace ptx = cuda::ptx;
    const std::size_t last = first(work.whole);
    last_size = last >= work.n                   ? 0
                : work.n - last < work.last_tile ? static_cast<unsigned>(work.n - last)
                                                 : work.last_tile;
    if (threadIdx.x == kThreads - 1) {
      for (auto& barrier : shared.arrived) ptx::mbarrier_init(&barrier, 1);
      ptx::fence_proxy_async(ptx::space_shared);
      for (unsigned round = 0; round < kSlots; ++round) request(round);
    }
    launch = launch_number(words);
    carry = Op::identity();
    __syncthreads();
    if (size(0) == 0) return;
    Mine a, b;
    read(0, a);
    __syncthreads();
    if (warp() == 0) tell(0);
    if (threadIdx.x == kThreads - 1) request(kSlots);
    __syncthreads();
    for (unsigned round = 0; size(round) != 0; round += 2) {  // in turns: nothing is copied
      step(round, a, b);
      if (size(round + 1) == 0) break;
      step(round + 1, b, a);
    }
    // Whoever has the array's end has heard of all blocks: each knows this launch's number by now.
    if (threadIdx.x == 0 && last_size != 0 && first(work.whole) + last_size == work.n)
      begin_next_launch(words, launch);
  }
};

template <class Op, int kThreads, int kRows, int kSlots, int kWidth, bool kExclusive = false>
__global__ void __launch_bounds__(kThreads, 1)
    look_ahead(const typename Op::Value* in, typename Op::Value* out, Word* words, Rounds work) {
#if __CUDA_ARCH__ >= 900
  using Mine = LookAhead<Op, kThreads, kRows, kSlots, kWidth, kExclusive>;
  extern __shared__ __align__(128) unsigned char raw[];
  Mine{*reinterpret_cast<typename Mine::Shared*>(raw), in, out, words, work}.run();
#endif
}

// Changed: blocks stay. A tile's sum is told a round before its prefix is needed, and a copy engine
//          brings the tiles of later rounds meanwhile (lesson 05). A block knows the prefix of its own
//          last tile, so it needs the sums of one round only: they are there when it asks.
// Why:     look-back waits for the slowest load of all tiles in flight. Here nobody waits for a load
//          that was not asked for long ago.
// Cost:    shared memory, registers for two tiles, a cooperative launch; arrays that are not aligned
//          to 16 bytes go the way of the rung before.
constexpr int kAheadThreads = 512, kAheadRows = 7, kAheadSlots = 3, kAheadWidth = 5;
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

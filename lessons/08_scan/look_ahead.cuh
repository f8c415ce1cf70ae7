// SPDX-License-Identifier: MIT
// Looking ahead: a tile's sum is told two rounds before its prefix is needed, and the words of the
// others are asked for one round before. Needs compute capability 9.0.
#pragma once

#include "lessons/08_scan/one_pass.cuh"
#include "lessons/08_scan/tile_ring.cuh"

namespace lesson08 {

// The blocks stay and go through the array in rounds. What a block does in one:
//   add up the tile that comes kAhead rounds later, and tell its sum; add up what the others have told
//   for this round's tile; scan this round's tile and store it.
// Tiles are given out as in look-back, by tickets, when they are requested: not all multiprocessors are
// equally close to the memory, and the quick ones take more.
constexpr unsigned kAhead = 2;

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
    unsigned launch;
  };

  Shared& shared;
  Ring ring;
  T* out;
  Word* words;

  __device__ static unsigned warp() { return threadIdx.x / 32; }
  __device__ static bool requests() { return threadIdx.x == kThreads - 1; }

  // The first tiles need no ticket.
  __device__ Ticket drawn() const {
    const Word seen = WordRef(words[0]).fetch_add(1, cuda::memory_order_relaxed);
    return {kSlots * gridDim.x + static_cast<unsigned>(seen), static_cast<unsigned>(seen >> 32)};
  }
  // Every block ends with one ticket that it cannot use. The last of those is the last of all.
  __device__ void close(Ticket unused) const {
    const unsigned given = kSlots * gridDim.x;
    const unsigned used = ring.tiles > given ? ring.tiles : given;
    if (unused.tile == used + gridDim.x - 1) begin_next_launch(words, unused.launch);
  }

  __device__ void add_up(unsigned round, unsigned tile, Op op) {
    ring.wait(round, tile);
    typename Ring::Mine mine;
    ring.read(round, tile, mine);
    const T sum = mine.sum_in_warp(op);
    if (lane_id() == 0) shared.sums.of_warp[warp()] = sum;
  }

  // By one warp, when all have added up.
  __device__ void tell(unsigned round, unsigned tile, Op op) {
    const auto scanned = shared.sums.scan(kWarps, op);
    shared.before[round % kSlots][lane_id()] = scanned.before;
    if (lane_id() != 0) return;
    shared.total[round % kSlots] = scanned.total;
    publish<T>(words, {tile, shared.launch}, {Meaning::kSum, scanned.total});
  }

  // What the warp that learns keeps from round to round: everything up to the end of this block's last
  // tile; and the words of the tiles from there on, which other blocks have. The newest are in rows of
  // 32, so that a row is two requests and not 32; row kWidth - 1 has the newest of all. They are asked
  // for a round early; what was missing then is asked for again when it is needed.
  struct Known {
    T carry;
    unsigned tiles;  // so many are in carry
    Word row[kWidth];

    __device__ static unsigned back(int k) { return 32 * (kWidth - k) - lane_id(); }
    __device__ bool wanted(unsigned tile, int k) const { return back(k) <= tile - tiles; }
    __device__ void ask(Word* words, unsigned tile) {
#pragma unroll
      for (int k = 0; k < kWidth; ++k) row[k] = wanted(tile, k) ? peek(words, tile - back(k)) : 0;
    }
  };
  // Until all are there: what is missing is asked for together.
  __device__ void hear(unsigned tile, Known& known) const {
    for (bool all = false; !all;) {
      all = true;
#pragma unroll
      for (int k = 0; k < kWidth; ++k) {
        if (!known.wanted(tile, k)) continue;
        if (meaning_of<T>(known.row[k], shared.launch).meaning != Meaning::kNothing) continue;
        known.row[k] = peek(words, tile - Known::back(k));
        all = false;
      }
    }
  }
  // The sum of all tiles before this one.
  __device__ T prefix_of(unsigned tile, const Known& known, Op op) const {
    T mine[kWidth];
#pragma unroll
    for (int k = 0; k < kWidth; ++k)
      mine[k] = known.wanted(tile, k) ? Unpack<T>::from(known.row[k]) : Op::identity();
    __syncwarp();
    ordered_sums(mine, op);
    // A block that was slow has more tiles between its own: those before the rows.
    T all = known.carry;
    for (unsigned from = known.tiles; from + 32 * kWidth < tile; from += 32) {
      const unsigned at = from + lane_id();
      Message<T> m{Meaning::kSum, Op::identity()};
      if (at + 32 * kWidth < tile) {
        while ((m = look_at<T>(words, at, shared.launch)).meaning == Meaning::kNothing) {
        }
      }
      __syncwarp();
      all = op(all, warp_total(m.value, op));
    }
#pragma unroll
    for (int k = 0; k < kWidth; ++k) all = op(all, from_lane(mine[k], 0));
    return all;
  }

  // By one warp.
  __device__ void learn(unsigned round, unsigned tile, Known& known, Op op) {
    hear(tile, known);
    const T prefix = prefix_of(tile, known, op);
    if (lane_id() == 0) shared.prefix = prefix;
    known.carry = op(prefix, shared.total[round % kSlots]);
    known.tiles = tile + 1;
    const unsigned next = ring.tile_of(round + 1);
    if (next < ring.tiles) known.ask(words, next);
  }

  __device__ void finish(unsigned round, unsigned tile, Op op) {
    typename Ring::Mine mine;
    ring.read(round, tile, mine);
    mine.scan_in_warp(op);
    const T before = op(shared.prefix, shared.before[round % kSlots][warp()]);
    mine.template store<kExclusive>(out + ring.first(tile), ring.size(tile), kTile, true, before);
  }

  // The tiles of the first rounds are requested and told.
  __device__ void begin(Ticket& ticket, Op op) {
    if (requests()) {
      ring.open();
      for (unsigned round = 0; round < kSlots; ++round)
        ring.request(round, round * gridDim.x + blockIdx.x);
      ticket = drawn();
      shared.launch = ticket.launch;
    }
    __syncthreads();
    for (unsigned round = 0; round < kAhead && ring.tile_of(round) < ring.tiles; ++round) {
      add_up(round, ring.tile_of(round), op);
      __syncthreads();
      if (warp() == 0) tell(round, ring.tile_of(round), op);
      __syncthreads();
    }
  }

  __device__ void run(Op op = {}) {
    Ticket ticket{};  // of the thread that requests; drawn a round before it is needed
    begin(ticket, op);
    Known known{Op::identity(), 0};
    if (warp() == 1) known.ask(words, ring.tile_of(0));
    for (unsigned round = 0; ring.tile_of(round) < ring.tiles; ++round) {
      const unsigned tile = ring.tile_of(round), later = ring.tile_of(round + kAhead);
      if (later < ring.tiles) add_up(round + kAhead, later, op);
      __syncthreads();  // the sums are there, and all are done with the tile of the round before
      if (warp() == 0 && later < ring.tiles) tell(round + kAhead, later, op);
      if (warp() == 1) learn(round, tile, known, op);
      if (requests() && round > 0) {
        ring.request(round - 1 + kSlots, ticket.tile);
        if (ticket.tile < ring.tiles) ticket = drawn();
      }
      __syncthreads();
      finish(round, tile, op);
    }
    if (requests()) close(ticket);
  }
};

template <class Op, int kThreads, int kRows, int kSlots, int kWidth, bool kExclusive = false>
__global__ void __launch_bounds__(kThreads, 1)
    look_ahead(const typename Op::Value* in, std::size_t n, typename Op::Value* out, Word* words) {
#if __CUDA_ARCH__ >= 900
  using Mine = LookAhead<Op, kThreads, kRows, kSlots, kWidth, kExclusive>;
  extern __shared__ __align__(128) unsigned char raw[];
  auto& shared = *reinterpret_cast<typename Mine::Shared*>(raw);
  Mine{shared, {shared.ring, in, n}, out, words}.run();
#endif
}

// Changed: blocks stay. A tile's sum is told two rounds before its prefix is needed, and tiles of later
//          rounds are brought by a copy engine meanwhile (lesson 05). A block knows the prefix of its
//          own last tile, so it needs the sums since then only, and asks for them a round before.
// Why:     look-back waits for the slowest load of all tiles in flight, and then for the trip of the
//          words. Here nobody waits for a load or a word that was not asked for long ago.
// Cost:    shared memory, every tile is read from it twice, a cooperative launch; arrays that are not
//          aligned to 16 bytes go the way of the rung before.
constexpr int kAheadThreads = 512, kAheadRows = 4, kAheadSlots = 6, kAheadWidth = 8;

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
    const unsigned tiles = tiles_of(t.n, Mine::kTile), blocks = all < tiles ? all : tiles;
    launch_together(kernel, blocks, kAheadThreads, kBytes, t.in, t.n, t.out, t.words);
  });
}

}  // namespace lesson08

// SPDX-License-Identifier: MIT
// The tiles of a block that stays: which part of the array each is, and the ring in shared memory to
// which a copy engine brings them. Needs compute capability 9.0.
#pragma once

#include <cuda/ptx>

#include "lessons/08_scan/tile.cuh"

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

// One thread requests the tile of a round, all wait for it and read it, and when all have read it, its
// slot may be requested for another round.
template <class Op, int kThreads, int kRows, int kSlots>
struct TileRing {
  using T = typename Op::Value;
  using Mine = Tile<Op, kRows>;
  static constexpr unsigned kTile = 4 * kRows * kThreads;

  struct alignas(128) Shared {
    T slot[kSlots][kTile];
    cuda::std::uint64_t arrived[kSlots];
  };

  Shared& shared;
  const T* in;
  Rounds work;
  unsigned last_size;  // of this block's tile in the last round; 0: it has none

  __device__ TileRing(Shared& memory, const T* from, Rounds rounds)
      : shared(memory), in(from), work(rounds) {
    const std::size_t last = first(work.whole);
    const std::size_t left = last < work.n ? work.n - last : 0;
    last_size = static_cast<unsigned>(left < work.last_tile ? left : work.last_tile);
  }

  __device__ std::size_t first(unsigned round) const {
    const std::size_t before = std::size_t{round} * gridDim.x * kTile;
    return before + std::size_t{blockIdx.x} * (round < work.whole ? kTile : work.last_tile);
  }
  __device__ unsigned size(unsigned round) const {
    return round < work.whole ? kTile : round == work.whole ? last_size : 0;
  }
  // What the copy engine brings: multiples of 16 bytes. The array's end may have up to three more.
  __device__ unsigned brought(unsigned round) const { return size(round) / 4 * 4; }

  // By one thread, before all others: the first tiles are asked for.
  __device__ void open() {
    for (auto& barrier : shared.arrived) cuda::ptx::mbarrier_init(&barrier, 1);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    for (unsigned round = 0; round < kSlots; ++round) request(round);
  }
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
  __device__ void wait(unsigned round) const {
    if (brought(round) == 0) return;
    while (
        !cuda::ptx::mbarrier_try_wait_parity(&shared.arrived[round % kSlots], round / kSlots % 2)) {
    }
  }
  // After wait(), as often as one likes.
  __device__ void read(unsigned round, Mine& into) const {
    into.load(shared.slot[round % kSlots], brought(round), kTile, true);
    // The last elements of the array, where they are no whole four: from where they are.
    if (size(round) % 4 != 0) into.load_rest(in + first(round), brought(round), size(round));
  }
};

}  // namespace lesson08

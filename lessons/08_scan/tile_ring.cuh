// SPDX-License-Identifier: MIT
// The tiles of a block that stays, and the ring in shared memory to which a copy engine brings them.
// Needs compute capability 9.0.
#pragma once

#include <cuda/ptx>

#include "lessons/08_scan/tile.cuh"

namespace lesson08 {

// One thread says which tile comes in a round and requests it. All wait for it and read it, and when all
// have read it, its slot may be requested for another round.
template <class Op, int kThreads, int kRows, int kSlots>
struct TileRing {
  using T = typename Op::Value;
  using Mine = Tile<Op, kRows>;
  static constexpr unsigned kTile = 4 * kRows * kThreads;

  struct alignas(128) Shared {
    T slot[kSlots][kTile];
    cuda::std::uint64_t arrived[kSlots];
    unsigned tile[kSlots];  // which one is in the slot, or comes; from `tiles` on: there is none
  };

  Shared& shared;
  const T* in;
  std::size_t n;
  unsigned tiles;

  __device__ TileRing(Shared& memory, const T* from, std::size_t length)
      : shared(memory),
        in(from),
        n(length),
        tiles(static_cast<unsigned>((length + kTile - 1) / kTile)) {}

  __device__ static std::size_t first(unsigned tile) { return std::size_t{tile} * kTile; }
  __device__ unsigned size(unsigned tile) const {
    const std::size_t left = tile < tiles ? n - first(tile) : 0;
    return left < kTile ? static_cast<unsigned>(left) : kTile;
  }
  // What the copy engine brings: multiples of 16 bytes. The array's end may have up to three more.
  __device__ unsigned brought(unsigned tile) const { return size(tile) / 4 * 4; }
  // After a barrier behind its request.
  __device__ unsigned tile_of(unsigned round) const { return shared.tile[round % kSlots]; }

  // By one thread, before all others.
  __device__ void open() {
    for (auto& barrier : shared.arrived) cuda::ptx::mbarrier_init(&barrier, 1);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  __device__ void request(unsigned round, unsigned tile) {
    namespace ptx = cuda::ptx;
    shared.tile[round % kSlots] = tile;
    const unsigned bytes = brought(tile) * sizeof(T);
    if (bytes == 0) return;
    auto* const arrived = &shared.arrived[round % kSlots];
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, arrived,
                                   bytes);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, shared.slot[round % kSlots],
                       in + first(tile), bytes, arrived);
  }
  __device__ void wait(unsigned round, unsigned tile) const {
    if (brought(tile) == 0) return;
    while (
        !cuda::ptx::mbarrier_try_wait_parity(&shared.arrived[round % kSlots], round / kSlots % 2)) {
    }
  }
  // After wait(), as often as one likes.
  __device__ void read(unsigned round, unsigned tile, Mine& into) const {
    const unsigned length = size(tile);
    into.load(shared.slot[round % kSlots], brought(tile), kTile, true);
    // The last elements of the array, where they are no whole four: from where they are.
    if (length % 4 != 0) into.load_rest(in + first(tile), brought(tile), length);
  }
};

}  // namespace lesson08

// SPDX-License-Identifier: MIT
// Decoupled look-back: every tile needs the sum of the counts of all tiles before it, in one launch. It
// says its own count at once. Then it looks back: over tiles that have said no more than their count,
// to one that already knows the sum up to itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "lessons/07_vote_and_match/lanes.cuh"

namespace lesson07 {

// What a tile says, in one word, so that no fence is needed between a number and the flag that says
// what kind of number it is: 0 nothing yet, 1 its own count, 2 the sum of all up to it.
class TileWords {
 public:
  // words[0]: the next ticket; words[1]: blocks that are done; then one for each tile. All are zero
  // before and after a launch.
  __device__ TileWords(std::uint64_t* words, std::size_t tiles) : words_(words), tiles_(tiles) {}

  // Tiles are handed out by ticket. Who holds one knows that all tiles before it are held by blocks
  // that have begun: these may be waited for. Of blockIdx nobody says so.
  __device__ std::size_t ticket() const { return atomicAdd(counter(0), 1ull); }

  __device__ void say_count(std::size_t tile, std::uint64_t count) const {
    say(tile, kCount, count);
  }
  __device__ void say_sum(std::size_t tile, std::uint64_t sum) const { say(tile, kSum, sum); }

  // One thread: the sum of all tiles before this one.
  __device__ std::uint64_t look_back(std::size_t tile) const {
    std::uint64_t sum = 0;
    while (tile > 0) {
      const std::uint64_t word = heard(--tile);
      sum += word >> 2;
      if ((word & 3) == kSum) break;
    }
    return sum;
  }

  // All lanes of a warp: the same, 32 * kEach tiles at a time.
  template <int kEach>
  __device__ std::uint64_t look_back_together(std::size_t tile) const {
    std::uint64_t sum = 0;
    for (std::size_t end = tile; end > 0; end = end > kWarp * kEach ? end - kWarp * kEach : 0) {
      std::uint64_t mine = 0;
      bool found = false;  // this lane, or one of its later tiles, knows a sum
#pragma unroll
      for (int k = 0; k < kEach; ++k) {
        const std::size_t back = lane() * kEach + k + 1;  // lane 0 reads the nearest
        if (found || back > end) continue;
        const std::uint64_t word = heard(end - back);
        mine += word >> 2;
        found = (word & 3) == kSum;
      }
      const Mask knows = __ballot_sync(kAllLanes, found);
      const unsigned last = knows == 0 ? kWarp - 1 : leader_of(knows);  // the nearest that knows
      sum += sum_of_lanes(lane() <= last ? mine : 0);
      if (knows != 0) break;
    }
    return sum;
  }

  // All threads of a block, after its last tile. The last block leaves zeros.
  __device__ void close() const {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
      const Ref done(words_[1]);
      last = done.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    for (std::size_t i = threadIdx.x; i < tiles_ + 2; i += blockDim.x) words_[i] = 0;
  }

 private:
  using Ref = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device>;
  enum : std::uint64_t { kCount = 1, kSum = 2 };

  __device__ unsigned long long* counter(int i) const {
    return reinterpret_cast<unsigned long long*>(words_ + i);
  }
  __device__ void say(std::size_t tile, std::uint64_t kind, std::uint64_t number) const {
    Ref(words_[2 + tile]).store(number << 2 | kind, cuda::memory_order_relaxed);
  }
  __device__ std::uint64_t heard(std::size_t tile) const {
    std::uint64_t word = 0;
    while ((word = Ref(words_[2 + tile]).load(cuda::memory_order_relaxed)) == 0) {
    }
    return word;
  }
  // Counts of tiles fit into 32 bits, but a sum of all may not: both halves are added.
  __device__ static std::uint64_t sum_of_lanes(std::uint64_t v) {
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2) v += __shfl_xor_sync(kAllLanes, v, step);
    return v;
  }
  std::uint64_t* words_;
  std::size_t tiles_;
};

}  // namespace lesson07

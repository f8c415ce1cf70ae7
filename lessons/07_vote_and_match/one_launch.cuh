// SPDX-License-Identifier: MIT
// Counters that one launch both clears and fills. Whoever begins first clears them, while the others
// count in shared memory. Nobody waits for a block that has not begun: the first one has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "lessons/07_vote_and_match/lanes.cuh"

namespace lesson07 {

// The words are zero before and after each launch.
class SharedCounts {
 public:
  __device__ SharedCounts(std::uint32_t* counts, std::uint32_t bins, unsigned* words)
      : counts_(counts), bins_(bins), words_(words) {}

  // The first warp of every block calls it before it counts. atomicInc goes back to 0 by itself after
  // the last block.
  __device__ void open() const {
    if (warp_of_block() != 0) return;
    unsigned ticket = 0;
    if (lane() == 0) ticket = atomicInc(words_ + kBegun, gridDim.x - 1);
    if (__shfl_sync(kAllLanes, ticket, 0) != 0) return;
    clear();
    __threadfence();  // every lane's zeros, before lane 0 says so
    __syncwarp();
    if (lane() == 0) Word(words_[kCleared]).store(1, cuda::memory_order_release);
  }
  // A single thread may call it at any time.
  __device__ void wait() const {
    while (Word(words_[kCleared]).load(cuda::memory_order_acquire) == 0) {
    }
  }
  // All threads of the block, before they add.
  __device__ void wait_together() const {
    if (threadIdx.x == 0) wait();
    __syncthreads();
  }
  __device__ void add(std::uint32_t bin, std::uint32_t count) const {
    if (count != 0) atomicAdd(counts_ + bin, count);
  }
  // After wait_together(): the last block leaves the words as they were.
  __device__ void close() const {
    if (threadIdx.x != 0) return;
    if (atomicInc(words_ + kEnded, gridDim.x - 1) == gridDim.x - 1)
      Word(words_[kCleared]).store(0, cuda::memory_order_relaxed);
  }

 private:
  using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  enum { kBegun, kCleared, kEnded };

  __device__ void clear() const {
    const bool vectors = reinterpret_cast<std::uintptr_t>(counts_) % 16 == 0;
    const std::uint32_t fours = vectors ? bins_ / 4 : 0;
    for (std::uint32_t i = lane(); i < fours; i += kWarp)
      reinterpret_cast<uint4*>(counts_)[i] = uint4{};
    for (std::uint32_t b = 4 * fours + lane(); b < bins_; b += kWarp) counts_[b] = 0;
  }

  std::uint32_t* counts_;
  std::uint32_t bins_;
  unsigned* words_;
};

}  // namespace lesson07

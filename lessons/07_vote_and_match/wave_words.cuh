// SPDX-License-Identifier: MIT
// What blocks that all run at once tell each other: one word for each tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

namespace lesson07 {

// A tile's count, plus one, so that 0 means: not yet said. Count and flag are one word, so no order is
// needed. Zero before and after each launch.
class WaveWords {
 public:
  __device__ WaveWords(std::uint64_t* words, std::size_t tiles)
      : done_(reinterpret_cast<unsigned*>(words)), words_(done_ + 1), tiles_(tiles) {}

  __device__ void say(std::size_t tile, unsigned count) const {
    Ref(words_[tile]).store(count + 1, cuda::memory_order_relaxed);
  }
  // What a tile said so far, and the count itself, once it is said.
  __device__ unsigned peek(std::size_t tile) const {
    return Ref(words_[tile]).load(cuda::memory_order_relaxed);
  }
  __device__ unsigned hear(std::size_t tile, unsigned word) const {
    while (word == 0) word = peek(tile);
    return word - 1;
  }
  // All threads of a block, at its end. The last block leaves zeros.
  __device__ void close() const {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0)
      last = Ref(*done_).fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    if (threadIdx.x == 0) *done_ = 0;
    for (std::size_t i = threadIdx.x; i < tiles_; i += blockDim.x) words_[i] = 0;
  }

 private:
  using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  unsigned* done_;
  unsigned* words_;
  std::size_t tiles_;
};

}  // namespace lesson07

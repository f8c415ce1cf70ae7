// SPDX-License-Identifier: MIT
// Rung collect: the cheapest way to finish. Every block hands its sum to block 0 in one word.
#pragma once

#include <cuda/atomic>
#include <cuda/std/bit>
#include <cuda/std/cstdint>

#include "lessons/05_cooperative_groups/tiles.cuh"

namespace lesson05 {

// A word that carries a value and the fact that it is there: the value in the upper half, 1 in the
// lower. Both travel in one 64-bit store, so whoever sees the 1 sees the value: no fence is needed,
// and no order (relaxed). Zero means: not there yet.
using Word = unsigned long long;
using WordRef = cuda::atomic_ref<Word, cuda::thread_scope_device>;

template <class T>
__device__ void hand_over(Word* word, T value) {
  const Word bits = cuda::std::bit_cast<cuda::std::uint32_t>(value);
  WordRef(*word).store(bits << 32 | 1, cuda::memory_order_relaxed);
}

// Waits for the value, and leaves zero for the next launch.
template <class T>
__device__ T take_over(Word* word) {
  Word seen = 0;
  while ((seen = WordRef(*word).load(cuda::memory_order_relaxed)) == 0) {
  }
  WordRef(*word).store(0, cuda::memory_order_relaxed);
  return cuda::std::bit_cast<T>(static_cast<cuda::std::uint32_t>(seen >> 32));
}

// The blocks' sums (thread 0 of each has its own) come together in block 0, which waits for them.
// That cannot hang: no other block waits for anything, so each gets its turn and ends, however many
// there are (if the GPU holds two blocks at least). The order of the additions is fixed: the same input gives the same bits every time.
// `add_up` is the block sum; the threads of block 0 add what they took over.
template <class T, class AddUp>
__device__ void collect_sums(T sum, Word* words, T* out, AddUp add_up) {
  const bool leader = threadIdx.x == 0;
  if (blockIdx.x != 0) {
    if (leader) hand_over(words + blockIdx.x, sum);
    return;
  }
  T mine = leader ? sum : T{0};  // block 0 has no word: its own sum is here
  for (unsigned i = leader ? blockDim.x : threadIdx.x; i < gridDim.x; i += blockDim.x)
    mine += take_over<T>(words + i);
  __syncthreads();  // the shared memory of the first block sum may still be read
  sum = add_up(mine);
  if (leader) *out = sum;
}

// Changed: no tickets. Every block hands its sum to block 0.
// Why:     a ticket is three trips to the L2 cache, one after the other: write the sum and wait until
//          it is there (the fence), take the ticket, read the sums. A word is one, or two where
//          block 0 asks just too early: it is there when it is seen.
// Cost:    8 bytes per block that must be zero before the launch; block 0 keeps them so.
template <class T>
__global__ void collect(const T* in, std::size_t n, Word* words, T* out) {
  const auto add_up = [](T mine) { return block_sum(cg::this_thread_block(), mine); };
  collect_sums(add_up(my_share_in_flight(in, n)), words, out, add_up);
}

// The words lie where the tickets of the other rungs lie: both are zero between launches.
template <class T>
Word* words_of(const Sum<T>& s) {
  return reinterpret_cast<Word*>(s.tickets);
}
constexpr std::size_t kWords = course::kTickets / 2;

template <class T>
void launch_collect(const Sum<T>& s) {
  const unsigned wanted = grid_for(s.n, s.block, *s.device);
  const unsigned blocks = wanted < kWords ? wanted : kWords;
  collect<<<blocks, s.block>>>(s.in, s.n, words_of(s), s.out);
  COURSE_CHECK(cudaGetLastError());
}

}  // namespace lesson05

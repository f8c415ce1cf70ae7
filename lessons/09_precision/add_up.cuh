// SPDX-License-Identifier: MIT
// One kernel for every way of adding: what a thread keeps while it goes through its share (Way::Share),
// what two threads make of their sums (Way::merge), and what comes out at the end (Way::result).
#pragma once

#include <cuda/std/bit>

#include "common/check.cuh"
#include "common/sums/sums.hpp"
#include "lessons/05_cooperative_groups/last_ticket.cuh"
#include "lessons/09_precision/stored.cuh"

namespace lesson09 {

using course::Device;
using course::Sums;

constexpr unsigned kAllLanes = 0xffffffffu;

// A value of several words from the lane whose number differs in these bits.
template <class Value>
__device__ Value from_other(const Value& mine, unsigned bits) {
  struct Words {
    unsigned w[sizeof(Value) / 4];
  };
  auto words = cuda::std::bit_cast<Words>(mine);
#pragma unroll
  for (unsigned& word : words.w) word = __shfl_xor_sync(kAllLanes, word, bits);
  return cuda::std::bit_cast<Value>(words);
}

template <class Way>
__device__ typename Way::Value merge_warp(typename Way::Value mine) {
#pragma unroll
  for (unsigned bits = 16; bits > 0; bits /= 2) mine = Way::merge(mine, from_other(mine, bits));
  return mine;
}

// Two levels as in lesson 04. The threads of the first warp have the block's sum.
template <class Way>
__device__ typename Way::Value merge_block(typename Way::Value mine) {
  __shared__ typename Way::Value of_warp[32];
  mine = merge_warp<Way>(mine);
  __syncthreads();  // of an earlier call, somebody may still read
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return mine;
  return merge_warp<Way>(threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x]
                                                       : typename Way::Value{});
}

// Packs of 16 bytes that are on their way before the first one is added.
constexpr int kLoads = 4;
// Elements that a share gets in one call.
constexpr int kAtOnce = 16;

// A thread's share: tiles of kLoads packs per thread go round the blocks, and block 0 takes the few
// elements outside the packs.
template <class S, class Share>
__device__ void go_through(const Packs<S>& packs, Share& share) {
  constexpr int kPer = kPack<S>;
  const std::size_t tile = std::size_t{kLoads} * blockDim.x;
  for (std::size_t i = blockIdx.x * tile; i < packs.count; i += gridDim.x * tile) {
    const uint4* const mine = packs.data + i + threadIdx.x;
    if (i + tile <= packs.count) {
      uint4 bits[kLoads];
#pragma unroll
      for (int k = 0; k < kLoads; ++k) bits[k] = mine[k * blockDim.x];
#pragma unroll
      for (int k = 0; k < kLoads; k += kAtOnce / kPer) {
        float x[kAtOnce];
#pragma unroll
        for (int j = 0; j < kAtOnce; j += kPer)
          widen<S>(bits[k + j / kPer], reinterpret_cast<float(&)[kPer]>(x[j]));
        share.add(x);
      }
    } else {
      for (std::size_t k = threadIdx.x; k < packs.count - i; k += blockDim.x) {
        float x[kPer];
        widen<S>(packs.data[i + k], x);
        share.add(x);
      }
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < packs.odd()) {
    const float x[1] = {packs.odd_element(threadIdx.x)};
    share.add(x);
  }
}

// The blocks' values come together in the block that takes the last ticket (lesson 05). Which one that
// is makes no difference: it goes through them in their order.
template <class Way, class S>
__global__ void __launch_bounds__(1024)
    add_up(Packs<S> packs, typename Way::Value* of_block, unsigned* ticket, float* out) {
  __shared__ bool is_last;
  typename Way::Share share{};
  go_through(packs, share);
  auto sum = merge_block<Way>(share.value());
  if (threadIdx.x == 0) {
    of_block[blockIdx.x] = sum;
    is_last = lesson05::take_last_ticket(ticket, gridDim.x);
  }
  __syncthreads();
  if (!is_last) return;
  typename Way::Value mine{};
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    mine = Way::merge(mine, of_block[i]);
  sum = merge_block<Way>(mine);
  if (threadIdx.x == 0) *out = Way::result(sum);
}

// Calls body with the array in the type in which it is stored.
template <class Body>
void with_stored(const Sums& s, Body body) {
  switch (s.stored) {
    case course::Stored::kF16:
      return body(static_cast<const __half*>(s.in));
    case course::Stored::kBf16:
      return body(static_cast<const __nv_bfloat16*>(s.in));
    default:
      return body(static_cast<const float*>(s.in));
  }
}

// Blocks for so many packs: as many as there are tiles, but no more than fill the GPU `waves` times.
inline unsigned blocks_for(std::size_t packs, unsigned block, const Device& device,
                           unsigned waves = 1) {
  const std::size_t tile = std::size_t{kLoads} * block;
  const std::size_t tiles = (packs + tile - 1) / tile;
  const std::size_t most =
      std::size_t{waves} * (2048 / block) * static_cast<std::size_t>(device.multiprocessors);
  const std::size_t blocks = tiles < most ? tiles : most;
  return static_cast<unsigned>(blocks < 1                    ? 1
                               : blocks < course::kSumBlocks ? blocks
                                                             : course::kSumBlocks);
}

template <class Way>
void launch_add_up(const Sums& s, float* out) {
  static_assert(sizeof(typename Way::Value) <= course::kSumBytesPerBlock);
  with_stored(s, [&](auto* in) {
    const Packs packs(in, s.n);
    const auto block = static_cast<unsigned>(s.block);
    add_up<Way><<<blocks_for(packs.count, block, *s.device), block>>>(
        packs, static_cast<typename Way::Value*>(s.scratch), s.ticket, out);
    COURSE_CHECK(cudaGetLastError());
  });
}

}  // namespace lesson09

// SPDX-License-Identifier: MIT
// The largest element of an array, and where it is. A maximum reads as much memory as a sum. New
// are the order of floats, the identity, and the index.
//
// The rules. Of equal values the smallest index wins. A NaN counts as larger than every number, so
// the maximum of data with a NaN is NaN, and its index that of the first NaN: a NaN is not lost
// without a word (IEEE 754-2019 maximum; NumPy and PyTorch do the same). -0 and +0 are equal, and
// the maximum is given as +0. The maximum of nothing is the identity: minus infinity or the lowest
// integer, and there is no index (kNoIndex).
#pragma once

#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/check.cuh"
#include "common/launch.cuh"
#include "lessons/04_warp_shuffle/warp_shuffle.cuh"

namespace lesson04 {

using lesson03::load_once;

// ---- keys: unsigned integers in the same order as the values

// An unsigned key has a smallest value, 0, and so the identity is 0 for every type. Nobody can pick
// a wrong one, such as the float 0 for data that is all negative.
__host__ __device__ inline std::uint32_t key_of(std::int32_t value) {
  return static_cast<std::uint32_t>(value) ^ 0x80000000u;  // negative numbers below positive ones
}
__host__ __device__ inline std::int32_t value_of(std::uint32_t key, std::int32_t) {
  return static_cast<std::int32_t>(key ^ 0x80000000u);
}

// The bits of a positive float, read as an integer, are in the right order. Those of a negative one
// are in the opposite order: all bits are flipped. No number has key 0, so 0 is free for "nothing".
constexpr std::uint32_t kNanKey = 0xffffffffu;
__device__ inline std::uint32_t key_of(float value) {
  const std::uint32_t bits = __float_as_uint(value + 0.0f);  // -0 + 0 is +0
  const auto sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31);
  return value != value ? kNanKey : bits ^ (sign | 0x80000000u);  // sign: all bits, or none
}
__device__ inline float value_of(std::uint32_t key, float) {
  if (key == kNanKey) return NAN;
  if (key == 0) return -INFINITY;
  return __uint_as_float(key ^ (key >> 31 ? 0x80000000u : 0xffffffffu));
}

// Key and index in one number: the larger key wins, and of equal keys the larger ~index, which is
// the smaller index. So one comparison does it all, and a warp's butterfly moves one value.
constexpr std::uint32_t kNoIndex = 0xffffffffu;
__host__ __device__ inline std::uint64_t pack(std::uint32_t key, std::size_t index) {
  return std::uint64_t{key} << 32 | static_cast<std::uint32_t>(~index);
}
// Indices are below kNoIndex: the programs refuse longer arrays.
constexpr std::size_t kMostElements = kNoIndex;

// ---- reducing keys, of 4 or 8 bytes

template <class Key>
__device__ Key warp_max(Key mine) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
    const Key other = __shfl_xor_sync(kAllLanes, mine, distance);
    mine = other > mine ? other : mine;
  }
  return mine;
}

// As block_sum in warp_shuffle.cuh: thread 0 has the largest key of the block.
template <class Key>
__device__ Key block_max(Key mine) {
  __shared__ Key of_warp[kWarp];
  mine = warp_max(mine);
  if (lane() == 0) of_warp[warp_of_block()] = mine;
  __syncthreads();
  if (warp_of_block() != 0) return mine;
  return warp_max(lane() < blockDim.x / kWarp ? of_warp[lane()] : Key{0});
}

// ---- what a thread remembers of the elements it has seen, as a key

template <class T>
struct MaxOf {
  using Key = std::uint32_t;
  Key best = 0;
  __device__ void see(T v, std::size_t) { best = max(best, key_of(v)); }
  __device__ void see(const Four<T>& v, std::size_t) {
    best = max(best, max(max(key_of(v.x), key_of(v.y)), max(key_of(v.z), key_of(v.w))));
  }
};

template <class T>
struct ArgMaxOf {
  using Key = std::uint64_t;
  Key best = 0;
  __device__ void see(T v, std::size_t index) { best = max(best, pack(key_of(v), index)); }
  // First the largest of the four, with short keys; only that one is packed and compared.
  __device__ void see(const Four<T>& v, std::size_t index) {
    const std::uint32_t x = key_of(v.x), y = key_of(v.y), z = key_of(v.z), w = key_of(v.w);
    const std::uint32_t top = max(max(x, y), max(z, w));
    best = max(best, pack(top, index + (x == top ? 0 : y == top ? 1 : z == top ? 2 : 3)));
  }
};

// ---- the first pass: from elements to one key per block

// Loads as in shuffle_vector, but two in flight, not four: keys and indices need registers too.
// With more than 32 per thread a multiprocessor does not hold 2048 threads. The data is read once.
constexpr int kExtremesInFlight = 2;

template <class Found, class T>
__global__ void best_of_blocks(const T* in, std::size_t n, typename Found::Key* keys) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const Fours<T> fours = as_fours(in, n);
  Found found;
  for (std::size_t i = me; i < fours.count; i += kExtremesInFlight * stride) {
    Four<T> v[kExtremesInFlight];
#pragma unroll
    for (int k = 0; k < kExtremesInFlight; ++k)
      if (i + k * stride < fours.count) v[k] = load_once(fours.data + i + k * stride);
#pragma unroll
    for (int k = 0; k < kExtremesInFlight; ++k)
      if (i + k * stride < fours.count) found.see(v[k], fours.head + 4 * (i + k * stride));
  }
  if (me < fours.head) found.see(in[me], me);
  if (fours.tail + me < n) found.see(in[fours.tail + me], fours.tail + me);
  const auto best = block_max(found.best);
  if (threadIdx.x == 0) keys[blockIdx.x] = best;
}

// ---- the second pass: one block, from keys to the answer

template <class Key>
__device__ Key best_of(const Key* keys, unsigned count) {
  Key best = 0;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) best = max(best, keys[i]);
  return block_max(best);
}

template <class T>
__global__ void finish_max(const std::uint32_t* keys, unsigned count, T* value) {
  const std::uint32_t best = best_of(keys, count);
  if (threadIdx.x == 0) *value = value_of(best, T{});
}

template <class T>
__global__ void finish_arg_max(const std::uint64_t* keys, unsigned count, T* value,
                               std::uint32_t* index) {
  const std::uint64_t best = best_of(keys, count);
  if (threadIdx.x != 0) return;
  *value = value_of(static_cast<std::uint32_t>(best >> 32), T{});
  *index = ~static_cast<std::uint32_t>(best);  // of nothing: ~0, which is kNoIndex
}

// ---- launchers. All pointers are device memory; `keys` has room for one key per block.

constexpr int kExtremeBlock = 256;
inline unsigned extreme_blocks(const Device& device, std::size_t n) {
  return blocks_for(n, 4 * kExtremesInFlight, kExtremeBlock, device);
}

template <class T>
void launch_max(const Device& device, const T* in, std::size_t n, std::uint32_t* keys, T* value) {
  const unsigned blocks = extreme_blocks(device, n);
  best_of_blocks<MaxOf<T>><<<blocks, kExtremeBlock>>>(in, n, keys);
  COURSE_CHECK(cudaGetLastError());
  finish_max<<<1, kExtremeBlock>>>(keys, blocks, value);
  COURSE_CHECK(cudaGetLastError());
}

template <class T>
void launch_arg_max(const Device& device, const T* in, std::size_t n, std::uint64_t* keys, T* value,
                    std::uint32_t* index) {
  const unsigned blocks = extreme_blocks(device, n);
  best_of_blocks<ArgMaxOf<T>><<<blocks, kExtremeBlock>>>(in, n, keys);
  COURSE_CHECK(cudaGetLastError());
  finish_arg_max<<<1, kExtremeBlock>>>(keys, blocks, value, index);
  COURSE_CHECK(cudaGetLastError());
}

}  // namespace lesson04

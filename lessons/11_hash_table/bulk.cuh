// SPDX-License-Identifier: MIT
// Changed: the pairs are first moved together by the part of the table that they belong to.
// Why:     an exchange in a random place moves at least 64 bytes from DRAM and back for 8 of use. Sorted
//          by part, the pairs of all threads at work fall into a few megabytes, which the L2 cache holds:
//          the table goes through DRAM once, in order, and so do the pairs.
// Cost:    the pairs are read twice and written once more, and all must be there before it starts.
#pragma once

#include <cstddef>

#include "lessons/11_hash_table/hash.cuh"
#include "lessons/11_hash_table/many.cuh"

namespace lesson11 {

// The part of a table of 2^27 slots (1 GiB) is then 4 MiB; what 132 multiprocessors have under way lies
// in three of them.
inline constexpr std::uint32_t kParts = 256;
inline constexpr unsigned kPartBlock = 512;
inline constexpr std::uint32_t kPartItems = 8;  // pairs per thread: a block brings 16 to each part
inline constexpr std::size_t kPartTile = kPartBlock * kPartItems;

// Order is kept by scaled(), so neighbouring parts hold neighbouring buckets.
__device__ inline std::uint32_t part_of(std::uint32_t key) { return scaled(mix(key), kParts); }

// starts[p]: how many keys belong to parts before p. Blocks count, the last of them adds up: `starts` has
// kParts + 1 words, zero before; the last one counts the blocks that are done.
static __global__ void count_parts(const std::uint32_t* keys, std::size_t n, unsigned* starts) {
  __shared__ unsigned counts[kParts];
  __shared__ bool last;
  for (std::uint32_t p = threadIdx.x; p < kParts; p += blockDim.x) counts[p] = 0;
  __syncthreads();
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = thread_number(); i < n; i += step) atomicAdd(counts + part_of(keys[i]), 1u);
  __syncthreads();
  for (std::uint32_t p = threadIdx.x; p < kParts; p += blockDim.x)
    if (counts[p] != 0) atomicAdd(starts + p, counts[p]);
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // behind the barrier: all this block has counted comes before its number
    last = atomicAdd(starts + kParts, 1u) == gridDim.x - 1;
    __threadfence();  // and what all others have counted is there before anyone goes on
  }
  __syncthreads();
  if (!last) return;
  if (threadIdx.x >= 32) return;
  unsigned sum = 0;  // a warp goes through the parts, 32 at a time
  for (std::uint32_t p = threadIdx.x; p < kParts; p += 32) {
    const unsigned count = atomicAdd(starts + p, 0u);
    unsigned up_to = count;
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
      const unsigned before = __shfl_up_sync(0xffffffff, up_to, d);
      if (threadIdx.x >= d) up_to += before;
    }
    starts[p] = sum + up_to - count;
    sum += __shfl_sync(0xffffffff, up_to, 31);
  }
}

// Moves the pairs to their parts: places[p] says where the next pair of part p goes. A block sorts its
// tile in shared memory first, so that it writes runs and not single words.
static __global__ void __launch_bounds__(kPartBlock)
    spread_pairs(const std::uint32_t* keys, const std::uint32_t* values, std::size_t n,
                 unsigned* places, Word* pairs) {
  __shared__ Word sorted[kPartTile];
  __shared__ unsigned counts[kParts], begins[kParts], targets[kParts];
  for (std::uint32_t p = threadIdx.x; p < kParts; p += kPartBlock) counts[p] = 0;
  __syncthreads();
  const std::size_t tile = std::size_t{blockIdx.x} * kPartTile;
  std::uint32_t key[kPartItems], value[kPartItems], rank[kPartItems];
#pragma unroll
  for (std::uint32_t k = 0; k < kPartItems; ++k) {
    const std::size_t i = tile + k * kPartBlock + threadIdx.x;
    key[k] = i < n ? keys[i] : 0;
    value[k] = i < n ? values[i] : 0;
    if (i < n) rank[k] = atomicAdd(counts + part_of(key[k]), 1u);
  }
  __syncthreads();
  if (threadIdx.x < 32) {  // where each part begins in the tile
    unsigned sum = 0;
    for (std::uint32_t p = threadIdx.x; p < kParts; p += 32) {
      const unsigned count = counts[p];
      unsigned up_to = count;
#pragma unroll
      for (unsigned d = 1; d < 32; d *= 2) {
        const unsigned before = __shfl_up_sync(0xffffffff, up_to, d);
        if (threadIdx.x >= d) up_to += before;
      }
      begins[p] = sum + up_to - count;
      sum += __shfl_sync(0xffffffff, up_to, 31);
    }
  }
  __syncthreads();
  for (std::uint32_t p = threadIdx.x; p < kParts; p += kPartBlock)
    if (counts[p] != 0) targets[p] = atomicAdd(places + p, counts[p]) - begins[p];
#pragma unroll
  for (std::uint32_t k = 0; k < kPartItems; ++k)
    if (tile + k * kPartBlock + threadIdx.x < n)
      sorted[begins[part_of(key[k])] + rank[k]] = pack(key[k], value[k]);
  __syncthreads();
  const std::size_t left = n - tile;
  const auto size = static_cast<unsigned>(left < kPartTile ? left : kPartTile);
  for (unsigned i = threadIdx.x; i < size; i += kPartBlock) {
    const Word pair = sorted[i];
    pairs[targets[part_of(key_of(pair))] + i] = pair;
  }
}

// Pairs in any order; where neighbours belong into the same part of the table, it stays in the cache.
template <bool kAdd, class Table>
__global__ void put_pairs(Table table, const Word* pairs, std::size_t n, unsigned* full) {
  const std::size_t i = thread_number();
  if (i >= n) return;
  const Word pair = pairs[i];
  const Outcome outcome = kAdd ? table.insert_or_add(key_of(pair), value_of(pair))
                               : table.insert(key_of(pair), value_of(pair));
  if (outcome == Outcome::Full) atomicAdd(full, 1u);
}

// n below 2^32. `pairs`: n words; `starts`: kParts + 1 words. The table is there, empty or not.
template <bool kAdd, class Table>
void put_in_bulk(const Table& table, const std::uint32_t* keys, const std::uint32_t* values,
                 std::size_t n, Word* pairs, unsigned* starts, unsigned* full,
                 int multiprocessors) {
  if (n == 0) return;
  cudaMemsetAsync(starts, 0, (kParts + 1) * sizeof *starts);
  const unsigned tiles = blocks_for(n, kPartTile);
  const unsigned most = 4u * static_cast<unsigned>(multiprocessors);
  const unsigned counting = tiles > most ? most : tiles;
  count_parts<<<counting, kPartBlock>>>(keys, n, starts);
  spread_pairs<<<tiles, kPartBlock>>>(keys, values, n, starts, pairs);
  put_pairs<kAdd><<<blocks_for(n, 256), 256>>>(table, pairs, n, full);
}

}  // namespace lesson11

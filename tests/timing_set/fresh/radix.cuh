// SPDX-License-Identifier: MIT
// Pieces of a sort by digits of four bits: counts by block, the place of each key among the equal ones of its warp, and a
// block's keys put in order.
#pragma once
#include <algorithm>
#include <array>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kDigits = 16, kShift = 8;
__host__ __device__ constexpr unsigned digit_of(unsigned key) { return key >> kShift & 15; }

__global__ void radix_count(const unsigned* keys, unsigned* out) {
  __shared__ unsigned counts[kDigits];
  if (threadIdx.x < kDigits) counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned base = blockIdx.x * 1024;
  for (unsigned k = threadIdx.x; k < 1024; k += kBlock)
    atomicAdd(&counts[digit_of(keys[base + k])], 1u);
  __syncthreads();
  if (threadIdx.x < kDigits) out[threadIdx.x * gridDim.x + blockIdx.x] = counts[threadIdx.x];
}
__global__ void radix_rank_match(const unsigned* keys, unsigned* out) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32;
  const unsigned equal = __match_any_sync(kAll, digit_of(keys[i]));
  out[i] = __popc(equal & ((1u << lane) - 1));
}
__global__ void radix_rank_votes(const unsigned* keys, unsigned* out) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32, digit = digit_of(keys[i]);
  unsigned equal = kAll;
  for (unsigned bit = 0; bit < 4; ++bit) {
    const bool set = digit >> bit & 1;
    const unsigned votes = __ballot_sync(kAll, set);
    equal &= set ? votes : ~votes;
  }
  out[i] = __popc(equal & ((1u << lane) - 1));
}
// Four splits by one bit each; what has a 0 comes first.
__global__ void radix_order(const unsigned* keys, unsigned* out) {
  __shared__ unsigned part[kBlock], zeros[kBlock / 32 + 1];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  unsigned key = keys[thread_number()];
  for (unsigned bit = 0; bit < 4; ++bit) {
    const bool set = key >> (kShift + bit) & 1;
    const unsigned votes = __ballot_sync(kAll, !set);
    if (lane == 0) zeros[warp + 1] = __popc(votes);
    __syncthreads();
    if (t == 0) {
      zeros[0] = 0;
      for (unsigned w = 0; w < kBlock / 32; ++w) zeros[w + 1] += zeros[w];
    }
    __syncthreads();
    const unsigned before = zeros[warp] + __popc(votes & ((1u << lane) - 1));
    part[set ? zeros[kBlock / 32] + t - before : before] = key;
    __syncthreads();
    key = part[t];
  }
  out[thread_number()] = key;
}

inline std::vector<unsigned> counts_of(const std::vector<unsigned>& keys) {
  const std::size_t blocks = keys.size() / 1024;
  std::vector<unsigned> counts(blocks * kDigits);
  for (std::size_t i = 0; i < keys.size(); ++i) ++counts[digit_of(keys[i]) * blocks + i / 1024];
  return counts;
}
inline std::vector<unsigned> ranks_of(const std::vector<unsigned>& keys) {
  std::vector<unsigned> ranks;
  std::array<unsigned, kDigits> seen{};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i % 32 == 0) seen = {};
    ranks.push_back(seen[digit_of(keys[i])]++);
  }
  return ranks;
}
inline std::vector<unsigned> ordered(std::vector<unsigned> keys) {
  for (auto at = keys.begin(); at != keys.end(); at += kBlock)
    std::stable_sort(at, at + kBlock,
                     [](unsigned a, unsigned b) { return digit_of(a) < digit_of(b); });
  return keys;
}
template <class Function, class Wanted>
std::function<Problem(unsigned)> radix_problem(Function kernel, unsigned per_block,
                                               unsigned results, Wanted wanted) {
  return [=](unsigned n) {
    auto keys = array<unsigned>(n, mixed), out = room<unsigned>(n / per_block * results);
    return Problem{[=] { kernel<<<n / per_block, kBlock>>>(keys->data(), out->data()); },
                   [=] { return out->device.download() == wanted(keys->host); }};
  };
}

inline void add_radix(Set& set) {
  const std::vector<unsigned> sizes = {1 << 14, 1 << 18, 1 << 22};
  set.add("radix_count", sizes, radix_problem(radix_count, 1024, kDigits, counts_of));
  set.add("radix_rank_match", sizes, radix_problem(radix_rank_match, kBlock, kBlock, ranks_of));
  set.add("radix_rank_votes", sizes, radix_problem(radix_rank_votes, kBlock, kBlock, ranks_of));
  set.add("radix_order", sizes, radix_problem(radix_order, kBlock, kBlock, ordered));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Pieces of sorts: steps of a bitonic sort over global memory, a whole bitonic sort of each block's part, counting and
// moving by a digit.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

__global__ void bitonic_step(const unsigned* in, unsigned* out, unsigned n, unsigned distance) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned own = in[i], other = in[i ^ distance];
  const bool low = (i & distance) == 0;
  out[i] = low ? min(own, other) : max(own, other);
}
__global__ void bitonic_block(const unsigned* in, unsigned* out) {
  __shared__ unsigned part[2 * kBlock];
  const unsigned t = threadIdx.x, base = blockIdx.x * 2 * kBlock;
  part[t] = in[base + t];
  part[t + kBlock] = in[base + t + kBlock];
  for (unsigned size = 2; size <= 2 * kBlock; size *= 2)
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const unsigned i = 2 * t - (t & (distance - 1)), k = i + distance;
      const unsigned a = part[i], b = part[k];
      if ((a > b) == ((i & size) == 0)) part[i] = b, part[k] = a;
    }
  __syncthreads();
  out[base + t] = part[t];
  out[base + t + kBlock] = part[t + kBlock];
}
// How often each of 16 digits occurs in a block's part.
__global__ void digit_counts(const unsigned* in, unsigned* counts, unsigned shift) {
  __shared__ unsigned own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  const unsigned digit = in[thread_number()] >> shift & 15;
  atomicAdd(&own[digit], 1u);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}
// Moves each element to where its digit begins: `starts` of the block, and its rank among equals in the block.
__global__ void digit_move(const unsigned* in, const unsigned* starts, unsigned* out,
                           unsigned shift) {
  __shared__ unsigned of_warp[kBlock / 32][16];
  if (threadIdx.x < kBlock / 2) of_warp[threadIdx.x / 16][threadIdx.x % 16] = 0;
  __syncthreads();
  const unsigned x = in[thread_number()], digit = x >> shift & 15, warp = threadIdx.x / 32;
  unsigned same = kAll;
  for (unsigned bit = 0; bit < 4; ++bit) {
    const unsigned votes = __ballot_sync(kAll, digit >> bit & 1);
    same &= digit >> bit & 1 ? votes : ~votes;
  }
  const unsigned rank = __popc(same & ((1u << threadIdx.x % 32) - 1));
  if (rank == 0) of_warp[warp][digit] = __popc(same);
  __syncthreads();
  unsigned at = starts[digit * gridDim.x + blockIdx.x] + rank;
  for (unsigned w = 0; w < warp; ++w) at += of_warp[w][digit];
  out[at] = x;
}

inline Shared<unsigned> keys(unsigned n) { return array<unsigned>(n, mixed); }

inline std::function<Problem(unsigned)> step_problem(bool far) {
  return [=](unsigned n) {
    auto in = keys(n), out = room<unsigned>(n);
    const unsigned distance = far ? n / 2 : 8;
    return Problem{
        [=] { bitonic_step<<<blocks_of(n), kBlock>>>(in->data(), out->data(), n, distance); },
        [=] {
          return agrees(
              out,
              [=](unsigned i) {
                const unsigned a = in->host[i], b = in->host[i ^ distance];
                return i & distance ? std::max(a, b) : std::min(a, b);
              },
              0);
        }};
  };
}
inline Problem block_sort_problem(unsigned n) {
  auto in = keys(n), out = room<unsigned>(n);
  return {[=] { bitonic_block<<<n / (2 * kBlock), kBlock>>>(in->data(), out->data()); },
          [=] {
            std::vector<unsigned> wanted = in->host;
            for (auto part = wanted.begin(); part != wanted.end(); part += 2 * kBlock)
              std::sort(part, part + 2 * kBlock);
            return out->device.download() == wanted;
          }};
}
// [digit][block], as the kernel writes them.
inline std::vector<unsigned> counts_of(const std::vector<unsigned>& in, unsigned shift) {
  const std::size_t blocks = in.size() / kBlock;
  std::vector<unsigned> counts(16 * blocks);
  for (std::size_t i = 0; i < in.size(); ++i) ++counts[(in[i] >> shift & 15) * blocks + i / kBlock];
  return counts;
}
inline Problem count_problem(unsigned n) {
  auto in = keys(n), counts = room<unsigned>(n / 16);
  return {[=] { digit_counts<<<n / kBlock, kBlock>>>(in->data(), counts->data(), 8); },
          [=] { return counts->device.download() == counts_of(in->host, 8); }};
}
inline Problem move_problem(unsigned n) {
  auto in = keys(n), out = room<unsigned>(n);
  std::vector<unsigned> starts = counts_of(in->host, 8);
  unsigned sum = 0;
  for (unsigned& s : starts) sum += std::exchange(s, sum);
  auto begin = array(std::move(starts));
  return {[=] { digit_move<<<n / kBlock, kBlock>>>(in->data(), begin->data(), out->data(), 8); },
          [=] {
            std::vector<unsigned> wanted = in->host;
            std::stable_sort(wanted.begin(), wanted.end(),
                             [](unsigned a, unsigned b) { return (a >> 8 & 15) < (b >> 8 & 15); });
            return out->device.download() == wanted;
          }};
}

inline void add_sort(Set& set) {
  const std::vector<unsigned> sizes = {1 << 16, 1 << 19, 1 << 22};
  set.add("bitonic_far", sizes, step_problem(true));
  set.add("bitonic_near", sizes, step_problem(false));
  set.add("bitonic_block", {1 << 13, 1 << 16, 1 << 19}, block_sort_problem);
  set.add("digit_counts", sizes, count_problem);
  set.add("digit_move", sizes, move_problem);
}

}  // namespace timing_set

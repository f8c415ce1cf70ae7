// SPDX-License-Identifier: MIT
// In how many of 256 bits codes differ, each of n with each of 512: by a thread for a pair, with tiles in shared memory, and
// with four pairs to a thread.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kCodes = 512, kWords = 8;
__global__ void hamming_plain(const unsigned* a, const unsigned* b, unsigned* out, unsigned n) {
  const unsigned column = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned row = threadIdx.y + blockIdx.y * blockDim.y;
  if (row >= n) return;
  unsigned differ = 0;
  for (unsigned k = 0; k < kWords; ++k)
    differ += __popc(a[row * kWords + k] ^ b[column * kWords + k]);
  out[row * kCodes + column] = differ;
}
// Rows: how many rows of the result a thread has, eight apart.
template <unsigned Rows>
__global__ void hamming_tiles(const unsigned* a, const unsigned* b, unsigned* out, unsigned n) {
  __shared__ unsigned of_a[8 * Rows][kWords], of_b[kWords][32];
  const unsigned x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
  const unsigned first = blockIdx.y * 8 * Rows, column = blockIdx.x * 32;
  for (unsigned k = t; k < 8 * Rows * kWords; k += 256)
    of_a[k / kWords][k % kWords] = first + k / kWords < n ? a[first * kWords + k] : 0;
  of_b[t % kWords][t / kWords] = b[column * kWords + t];
  __syncthreads();
  unsigned differ[Rows] = {};
  for (unsigned k = 0; k < kWords; ++k) {
    const unsigned own = of_b[k][x];
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) differ[r] += __popc(of_a[r * 8 + y][k] ^ own);
  }
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r)
    if (first + r * 8 + y < n) out[(first + r * 8 + y) * kCodes + column + x] = differ[r];
}

template <unsigned Rows, class Function>
std::function<Problem(unsigned)> hamming_problem(Function kernel) {
  return [=](unsigned n) {
    auto a = array<unsigned>(n * kWords, [](unsigned i) { return mixed(i); });
    auto b = array<unsigned>(kCodes * kWords, [](unsigned i) { return mixed(~i); });
    auto out = room<unsigned>(n * kCodes);
    return Problem{[=] {
                     kernel<<<dim3(kCodes / 32, blocks_of(n, 8 * Rows)), dim3(32, 8)>>>(
                         a->data(), b->data(), out->data(), n);
                   },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned i) {
                           int differ = 0;
                           for (unsigned k = 0; k < kWords; ++k)
                             differ += __builtin_popcount(a->host[i / kCodes * kWords + k] ^
                                                          b->host[i % kCodes * kWords + k]);
                           return differ;
                         },
                         0);
                   }};
  };
}

inline void add_hamming(Set& set) {
  const std::vector<unsigned> sizes = {40, 500, 8000};
  set.add("hamming_plain", sizes, hamming_problem<1>(hamming_plain));
  set.add("hamming_tile_1", sizes, hamming_problem<1>(hamming_tiles<1>));
  set.add("hamming_tile_4", sizes, hamming_problem<4>(hamming_tiles<4>));
}

}  // namespace timing_set

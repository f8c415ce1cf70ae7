// SPDX-License-Identifier: MIT
// The eight largest of each row of 512, in order: kept by a thread, drawn one by one by a warp, or after a block sorted all.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kWide = 512, kTop = 8;
__global__ void topmost_by_thread(const float* in, float* out, unsigned rows) {
  const unsigned r = thread_number();
  if (r >= rows) return;
  float top[kTop];
  for (float& x : top) x = -1;
  for (unsigned k = 0; k < kWide; ++k) {
    float x = in[r * kWide + k];
    if (x <= top[kTop - 1]) continue;
#pragma unroll
    for (float& y : top) {
      const float smaller = fminf(x, y);
      y = fmaxf(x, y);
      x = smaller;
    }
  }
  for (unsigned k = 0; k < kTop; ++k) out[r * kTop + k] = top[k];
}
__global__ void topmost_by_warp(const float* in, float* out, unsigned rows) {
  constexpr unsigned kOwn = kWide / 32;
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float own[kOwn];
#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) own[k] = in[r * kWide + k * 32 + lane];
  for (unsigned round = 0; round < kTop; ++round) {
    float mine = own[0];
#pragma unroll
    for (unsigned k = 1; k < kOwn; ++k) mine = fmaxf(mine, own[k]);
    float best = mine;
    for (int d = 16; d > 0; d /= 2) best = fmaxf(best, __shfl_xor_sync(kAll, best, d));
    const unsigned have = __ballot_sync(kAll, mine == best);
    if (lane == __ffs(static_cast<int>(have)) - 1u) {
      out[r * kTop + round] = best;
      bool gone = false;
#pragma unroll
      for (unsigned k = 0; k < kOwn; ++k)
        if (!gone && own[k] == best) {
          own[k] = -1;
          gone = true;
        }
    }
  }
}
__global__ void topmost_by_block(const float* in, float* out, unsigned) {
  __shared__ float row[kWide];
  for (unsigned k = threadIdx.x; k < kWide; k += blockDim.x) row[k] = in[blockIdx.x * kWide + k];
  for (unsigned size = 2; size <= kWide; size *= 2)
    for (unsigned d = size / 2; d > 0; d /= 2) {
      __syncthreads();
      const unsigned i = threadIdx.x / d * 2 * d + threadIdx.x % d;
      const bool falling = (i & size) == 0;
      const float a = row[i], b = row[i + d];
      if ((a < b) == falling) {
        row[i] = b;
        row[i + d] = a;
      }
    }
  __syncthreads();
  if (threadIdx.x < kTop) out[blockIdx.x * kTop + threadIdx.x] = row[threadIdx.x];
}

template <class Launch>
std::function<Problem(unsigned)> topmost_problem(Launch launch) {
  return [=](unsigned rows) {
    auto in = uniform(rows * kWide, 3), out = room<float>(rows * kTop);
    return Problem{[=] { launch(in->data(), out->data(), rows); },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned i) {
                           const auto from = in->host.begin() + i / kTop * kWide;
                           std::vector<float> row(from, from + kWide);
                           const auto at = row.begin() + i % kTop;
                           std::nth_element(row.begin(), at, row.end(), std::greater<>());
                           return *at;
                         },
                         0);
                   }};
  };
}

inline void add_topmost(Set& set) {
  const std::vector<unsigned> sizes = {32, 400, 10000};
  using In = const float*;
  set.add("topmost_by_thread", sizes, topmost_problem([](In in, float* out, unsigned rows) {
            topmost_by_thread<<<blocks_of(rows, 64), 64>>>(in, out, rows);
          }));
  set.add("topmost_by_warp", sizes, topmost_problem([](In in, float* out, unsigned rows) {
            topmost_by_warp<<<blocks_of(rows * 32, 128), 128>>>(in, out, rows);
          }));
  set.add("topmost_by_block", sizes, topmost_problem([](In in, float* out, unsigned rows) {
            topmost_by_block<<<rows, kWide / 2>>>(in, out, rows);
          }));
}

}  // namespace timing_set

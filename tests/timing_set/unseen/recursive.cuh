// SPDX-License-Identifier: MIT
// Exponential averages of many series of 256: by a thread each along the rows, along columns, with tiles turned in shared
// memory, and by a warp that puts maps together.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kMoments = 256;
constexpr float kKeep = 0.875f, kTake = 1 - kKeep;
__global__ void recursive_rows(const float* in, float* out, unsigned series) {
  const unsigned s = thread_number();
  if (s >= series) return;
  float y = 0;
  for (unsigned t = 0; t < kMoments; ++t) {
    y = kKeep * y + kTake * in[s * kMoments + t];
    out[s * kMoments + t] = y;
  }
}
__global__ void recursive_columns(const float* in, float* out, unsigned series) {
  const unsigned s = thread_number();
  if (s >= series) return;
  float y = 0;
  for (unsigned t = 0; t < kMoments; ++t) {
    y = kKeep * y + kTake * in[t * series + s];
    out[t * series + s] = y;
  }
}
__global__ void recursive_tiles(const float* in, float* out, unsigned) {
  __shared__ float tile[32][33];
  const unsigned lane = threadIdx.x, first = blockIdx.x * 32;
  float y = 0;
  for (unsigned t = 0; t < kMoments; t += 32) {
    for (unsigned k = 0; k < 32; ++k) tile[k][lane] = in[(first + k) * kMoments + t + lane];
    __syncwarp();
    for (unsigned k = 0; k < 32; ++k) {
      y = kKeep * y + kTake * tile[lane][k];
      tile[lane][k] = y;
    }
    __syncwarp();
    for (unsigned k = 0; k < 32; ++k) out[(first + k) * kMoments + t + lane] = tile[k][lane];
    __syncwarp();
  }
}
__global__ void recursive_warp(const float* in, float* out, unsigned series) {
  const unsigned s = thread_number() / 32, lane = threadIdx.x % 32;
  if (s >= series) return;
  float before = 0;
  for (unsigned t = lane; t < kMoments; t += 32) {
    float factor = kKeep, y = kTake * in[s * kMoments + t];
    for (unsigned d = 1; d < 32; d *= 2) {
      const float f = __shfl_up_sync(kAll, factor, d), x = __shfl_up_sync(kAll, y, d);
      if (lane >= d) {
        y += factor * x;
        factor *= f;
      }
    }
    y += factor * before;
    out[s * kMoments + t] = y;
    before = __shfl_sync(kAll, y, 31);
  }
}

template <bool Columns, class Launch>
std::function<Problem(unsigned)> recursive_problem(Launch launch) {
  return [=](unsigned series) {
    auto in = uniform(series * kMoments, 6), out = room<float>(series * kMoments);
    return Problem{[=] { launch(in->data(), out->data(), series); },
                   [=] {
                     return agrees(out, [=](unsigned i) {
                       const unsigned s = Columns ? i % series : i / kMoments;
                       const unsigned end = Columns ? i / series : i % kMoments;
                       double y = 0;
                       for (unsigned t = 0; t <= end; ++t)
                         y = kKeep * y +
                             kTake * in->host[Columns ? t * series + s : s * kMoments + t];
                       return y;
                     });
                   }};
  };
}

inline void add_recursive(Set& set) {
  const std::vector<unsigned> sizes = {128, 2048, 32768};
  using In = const float*;
  set.add("recursive_rows", sizes, recursive_problem<false>([](In in, float* out, unsigned n) {
            recursive_rows<<<blocks_of(n, 128), 128>>>(in, out, n);
          }));
  set.add("recursive_columns", sizes, recursive_problem<true>([](In in, float* out, unsigned n) {
            recursive_columns<<<blocks_of(n, 128), 128>>>(in, out, n);
          }));
  set.add("recursive_tiles", sizes, recursive_problem<false>([](In in, float* out, unsigned n) {
            recursive_tiles<<<n / 32, 32>>>(in, out, n);
          }));
  set.add("recursive_warp", sizes, recursive_problem<false>([](In in, float* out, unsigned n) {
            recursive_warp<<<blocks_of(n * 32), kBlock>>>(in, out, n);
          }));
}

}  // namespace timing_set

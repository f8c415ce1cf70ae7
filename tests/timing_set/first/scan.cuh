// SPDX-License-Identifier: MIT
// Prefix sums of each block's part of an array: by doubling, by a tree with bank conflicts, by shuffles, eight per thread.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void scan_doubling(const float* in, float* out) {
  __shared__ float parts[2][kBlock];
  const unsigned t = threadIdx.x;
  unsigned from = 0;
  parts[0][t] = in[thread_number()];
  for (unsigned d = 1; d < kBlock; d *= 2) {
    __syncthreads();
    parts[1 - from][t] = parts[from][t] + (t >= d ? parts[from][t - d] : 0);
    from = 1 - from;
  }
  out[thread_number()] = parts[from][t];
}
__global__ void scan_tree(const float* in, float* out) {
  __shared__ float part[kBlock];
  const unsigned t = threadIdx.x;
  const float own = in[thread_number()];
  part[t] = own;
  unsigned step = 1;
  for (unsigned d = kBlock / 2; d > 0; d /= 2, step *= 2) {
    __syncthreads();
    if (t < d) part[step * (2 * t + 2) - 1] += part[step * (2 * t + 1) - 1];
  }
  if (t == 0) part[kBlock - 1] = 0;
  for (unsigned d = 1; d < kBlock; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      const unsigned left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1;
      const float x = part[left];
      part[left] = part[right];
      part[right] += x;
    }
  }
  __syncthreads();
  out[thread_number()] = part[t] + own;
}

__device__ inline float warp_scan(float x) {
  for (unsigned d = 1; d < 32; d *= 2) {
    const float other = __shfl_up_sync(kAll, x, d);
    if (threadIdx.x % 32 >= d) x += other;
  }
  return x;
}
__device__ inline float block_scan(float x) {
  __shared__ float of_warp[kBlock / 32];
  x = warp_scan(x);
  if (threadIdx.x % 32 == 31) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  for (unsigned w = 0; w < threadIdx.x / 32; ++w) x += of_warp[w];
  return x;
}
__global__ void scan_shuffle(const float* in, float* out) {
  out[thread_number()] = block_scan(in[thread_number()]);
}
__global__ void scan_eights(const float* in, float* out) {
  float x[8], sum = 0;
  const float* own = in + std::size_t{thread_number()} * 8;
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) x[k] = sum += own[k];
  const float before = block_scan(sum) - sum;
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) out[std::size_t{thread_number()} * 8 + k] = before + x[k];
}

template <class Function>
std::function<Problem(unsigned)> scan_problem(Function kernel, unsigned per_block) {
  return [=](unsigned n) {
    auto in = uniform(n, 1), out = room<float>(n);
    return Problem{[=] { kernel<<<n / per_block, kBlock>>>(in->data(), out->data()); },
                   [=] {
                     return agrees(out, [=](unsigned i) {
                       double sum = 0;
                       for (unsigned k = i / per_block * per_block; k <= i; ++k) sum += in->host[k];
                       return sum;
                     });
                   }};
  };
}

inline void add_scan(Set& set) {
  const std::vector<unsigned> sizes = {1 << 16, 1 << 20, 1 << 23};
  set.add("scan_doubling", sizes, scan_problem(scan_doubling, kBlock));
  set.add("scan_tree", sizes, scan_problem(scan_tree, kBlock));
  set.add("scan_shuffle", sizes, scan_problem(scan_shuffle, kBlock));
  set.add("scan_eights", sizes, scan_problem(scan_eights, 8 * kBlock));
}

}  // namespace timing_set

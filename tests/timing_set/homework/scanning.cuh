// SPDX-License-Identifier: MIT
// Prefix sums: each of n rows of 1000 floats becomes its running sums, each with its own number.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kScanningRow = 1000, kScanningRoom = 1024;

// Hillis and Steele: a block and two buffers for a row, ten steps.
__global__ void scanning_hillis(const float* in, float* out) {
  __shared__ float sums[2][kScanningRoom];
  const unsigned t = threadIdx.x, at = blockIdx.x * kScanningRow + t;
  int now = 0;
  sums[0][t] = t < kScanningRow ? in[at] : 0.f;
  __syncthreads();
  for (unsigned d = 1; d < kScanningRoom; d *= 2) {
    float sum = sums[now][t];
    if (t >= d) sum += sums[now][t - d];
    now = 1 - now;
    sums[now][t] = sum;
    __syncthreads();
  }
  if (t < kScanningRow) out[at] = sums[now][t];
}

// Blelloch: up and down a tree, a thread for two elements.
__global__ void scanning_blelloch(const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tree[kScanningRoom];
  const unsigned t = threadIdx.x, half = kScanningRoom / 2;
  in += blockIdx.x * kScanningRow;
  out += blockIdx.x * kScanningRow;
  const float low = in[t], high = t + half < kScanningRow ? in[t + half] : 0.f;
  tree[t] = low;
  tree[t + half] = high;
  unsigned offset = 1;
  for (unsigned d = half; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) tree[kScanningRoom - 1] = 0.f;
  for (unsigned d = 1; d < kScanningRoom; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const unsigned a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      const float left = tree[a];
      tree[a] = tree[b];
      tree[b] += left;
    }
  }
  __syncthreads();
  out[t] = tree[t] + low;
  if (t + half < kScanningRow) out[t + half] = tree[t + half] + high;
}

__device__ inline float scanning_warp(float x, unsigned lane) {
  for (unsigned d = 1; d < 32; d *= 2) {
    const float before = __shfl_up_sync(kAll, x, d);
    if (lane >= d) x += before;
  }
  return x;
}

// A warp for a row, 32 elements after 32.
__global__ void scanning_rows(const float* __restrict__ in, float* __restrict__ out, unsigned n) {
  const unsigned lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= n) return;
  float before = 0.f;
  for (unsigned first = 0; first < kScanningRow; first += 32) {
    const unsigned column = first + lane;
    const bool inside = column < kScanningRow;
    const float x = inside ? in[row * kScanningRow + column] : 0.f;
    const float sum = before + scanning_warp(x, lane);
    if (inside) out[row * kScanningRow + column] = sum;
    before = __shfl_sync(kAll, sum, 31);
  }
}

// A thread for four elements, shuffles within warps, and the sums of warps in shared memory.
__global__ void scanning_fours(const float4* in, float4* out) {
  __shared__ float sums[8];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, at = blockIdx.x * 250 + t;
  float4 x = make_float4(0.f, 0.f, 0.f, 0.f);
  if (t < kScanningRow / 4) x = in[at];
  x.y += x.x;
  x.z += x.y;
  x.w += x.z;
  const float upto = scanning_warp(x.w, lane);
  if (lane == 31) sums[warp] = upto;
  __syncthreads();
  float before = upto - x.w;
  for (unsigned w = 0; w < warp; ++w) before += sums[w];
  if (t < kScanningRow / 4)
    out[at] = make_float4(x.x + before, x.y + before, x.z + before, x.w + before);
}

// A problem of which launch(in, out) is the kernel's.
template <class Launch>
Problem scanning_problem(unsigned n, Launch launch) {
  auto in = uniform(n * kScanningRow, 1), out = room<float>(n * kScanningRow);
  auto wanted = std::make_shared<std::vector<float>>(n * kScanningRow);
  for (unsigned row = 0; row < n; ++row) {
    double sum = 0;
    for (unsigned i = row * kScanningRow; i < (row + 1) * kScanningRow; ++i)
      (*wanted)[i] = static_cast<float>(sum += in->host[i]);
  }
  return Problem{[=] { launch(in->data(), out->data()); },
                 [=] { return agrees(out, [=](unsigned i) { return (*wanted)[i]; }); }};
}

inline void add_scanning(Set& set) {
  const std::vector<unsigned> sizes = {256, 6001};
  set.add("scanning_hillis", sizes, [](unsigned n) {
    return scanning_problem(
        n, [n](const float* in, float* out) { scanning_hillis<<<n, kScanningRoom>>>(in, out); });
  });
  set.add("scanning_blelloch", sizes, [](unsigned n) {
    return scanning_problem(n, [n](const float* in, float* out) {
      scanning_blelloch<<<n, kScanningRoom / 2>>>(in, out);
    });
  });
  set.add("scanning_rows", sizes, [](unsigned n) {
    return scanning_problem(n, [n](const float* in, float* out) {
      scanning_rows<<<blocks_of(n, 4), dim3(32, 4)>>>(in, out, n);
    });
  });
  set.add("scanning_fours", sizes, [](unsigned n) {
    return scanning_problem(n, [n](const float* in, float* out) {
      scanning_fours<<<n, 256>>>(reinterpret_cast<const float4*>(in),
                                 reinterpret_cast<float4*>(out));
    });
  });
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Nine weights along the rows and along the columns of an image: from memory each time, from shared memory, and with a
// window that a thread moves down.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kTaps = 9, kHalf = kTaps / 2;
__host__ __device__ constexpr float weight_of(int k) { return (k + 1) * (kTaps - k) / 165.0f; }

__global__ void blur_rows(const float* in, float* out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kTaps; ++k)
    sum += weight_of(k) * in[y * side + min(side - 1, max(0, x + k - kHalf))];
  out[y * side + x] = sum;
}
__global__ void blur_rows_shared(const float* in, float* out, int side) {
  __shared__ float part[128 + 2 * kHalf];
  const int first = blockIdx.x * 128 - kHalf, y = blockIdx.y;
  for (int k = threadIdx.x; k < 128 + 2 * kHalf; k += 128)
    part[k] = in[y * side + min(side - 1, max(0, first + k))];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kTaps; ++k) sum += weight_of(k) * part[threadIdx.x + k];
  out[y * side + first + kHalf + threadIdx.x] = sum;
}
__global__ void blur_columns(const float* in, float* out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kTaps; ++k)
    sum += weight_of(k) * in[min(side - 1, max(0, y + k - kHalf)) * side + x];
  out[y * side + x] = sum;
}
constexpr int kDown = 32;
__global__ void blur_columns_window(const float* in, float* out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * kDown;
  float window[kTaps];
#pragma unroll
  for (int k = 0; k < kTaps - 1; ++k) window[k + 1] = in[max(0, first + k - kHalf) * side + x];
  for (int y = first; y < first + kDown; ++y) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kTaps - 1; ++k) window[k] = window[k + 1];
    window[kTaps - 1] = in[min(side - 1, y + kHalf) * side + x];
#pragma unroll
    for (int k = 0; k < kTaps; ++k) sum += weight_of(k) * window[k];
    out[y * side + x] = sum;
  }
}

template <class Function>
std::function<Problem(unsigned)> blur_problem(Function kernel, bool columns, unsigned down) {
  return [=](unsigned side) {
    auto in = uniform(side * side, 1), out = room<float>(side * side);
    const int s = static_cast<int>(side);
    return Problem{
        [=] { kernel<<<dim3(side / 128, side / down), 128>>>(in->data(), out->data(), s); },
        [=] {
          return agrees(out, [=](unsigned i) {
            const int x = static_cast<int>(i) % s, y = static_cast<int>(i) / s;
            double sum = 0;
            for (int k = 0; k < kTaps; ++k) {
              const int at = std::min(s - 1, std::max(0, (columns ? y : x) + k - kHalf));
              sum += weight_of(k) * in->host[columns ? at * s + x : y * s + at];
            }
            return sum;
          });
        }};
  };
}

inline void add_blur(Set& set) {
  const std::vector<unsigned> sizes = {128, 1024, 3072};
  set.add("blur_rows", sizes, blur_problem(blur_rows, false, 1));
  set.add("blur_rows_shared", sizes, blur_problem(blur_rows_shared, false, 1));
  set.add("blur_columns", sizes, blur_problem(blur_columns, true, 1));
  set.add("blur_columns_window", sizes, blur_problem(blur_columns_window, true, kDown));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Convolutions of a picture with 5 x 5 weights (from global memory, constant memory, with the picture in shared memory),
// and along its rows only.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kHalf = 2, kWeights = 2 * kHalf + 1;
__constant__ float constant_weights[kWeights * kWeights];

template <bool Constant>
__global__ void convolve(const float* in, const float* weights, float* out, int side) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int dy = 0; dy < kWeights; ++dy)
    for (int dx = 0; dx < kWeights; ++dx) {
      const int at_x = min(max(x + dx - kHalf, 0), side - 1);
      const int at_y = min(max(y + dy - kHalf, 0), side - 1);
      const int w = dy * kWeights + dx;
      sum += in[at_y * side + at_x] * (Constant ? constant_weights[w] : weights[w]);
    }
  out[y * side + x] = sum;
}
__global__ void convolve_shared(const float* in, const float*, float* out, int side) {
  __shared__ float part[8 + 2 * kHalf][32 + 2 * kHalf];
  const int left = blockIdx.x * 32 - kHalf, top = blockIdx.y * 8 - kHalf;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 12 * 36; i += 256) {
    const int at_x = min(max(left + i % 36, 0), side - 1);
    const int at_y = min(max(top + i / 36, 0), side - 1);
    part[i / 36][i % 36] = in[at_y * side + at_x];
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int dy = 0; dy < kWeights; ++dy)
#pragma unroll
    for (int dx = 0; dx < kWeights; ++dx)
      sum += part[threadIdx.y + dy][threadIdx.x + dx] * constant_weights[dy * kWeights + dx];
  out[(top + kHalf + threadIdx.y) * side + left + kHalf + threadIdx.x] = sum;
}
__global__ void convolve_rows(const float* in, const float*, float* out, int side) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kWeights * kWeights; ++k)
    sum += in[y * side + min(max(x + k - 12, 0), side - 1)] * constant_weights[k];
  out[y * side + x] = sum;
}

inline double convolved(const std::vector<float>& in, const std::vector<float>& weights, int i,
                        int side, bool rows) {
  const auto within = [=](int k) { return std::min(std::max(k, 0), side - 1); };
  double sum = 0;
  for (int w = 0; w < kWeights * kWeights; ++w) {
    const int dx = rows ? w - 12 : w % kWeights - kHalf, dy = rows ? 0 : w / kWeights - kHalf;
    sum += double{in[within(i / side + dy) * side + within(i % side + dx)]} * weights[w];
  }
  return sum;
}
template <class Function>
std::function<Problem(unsigned)> convolution_problem(Function kernel, bool rows) {
  return [=](unsigned n) {
    const int side = static_cast<int>(n);
    auto in = uniform(n * n, 1), weights = uniform(kWeights * kWeights, 2),
         out = room<float>(n * n);
    COURSE_CHECK(
        cudaMemcpyToSymbol(constant_weights, weights->host.data(), weights->device.bytes()));
    return Problem{[=] {
                     kernel<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in->data(), weights->data(),
                                                                  out->data(), side);
                   },
                   [=] {
                     return agrees(out, [=](unsigned i) {
                       return convolved(in->host, weights->host, static_cast<int>(i), side, rows);
                     });
                   }};
  };
}

inline void add_convolution(Set& set) {
  const std::vector<unsigned> sizes = {128, 512, 1536};
  set.add("convolve_plain", sizes, convolution_problem(convolve<false>, false));
  set.add("convolve_constant", sizes, convolution_problem(convolve<true>, false));
  set.add("convolve_shared", sizes, convolution_problem(convolve_shared, false));
  set.add("convolve_rows", sizes, convolution_problem(convolve_rows, true));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// The rows of a matrix made comparable: softmax by a thread for each row, and by a warp that keeps
// its row in registers; layer norm by a block for each row, with sums by a tree in shared memory;
// and RMS norm of halves in place, two at a time, by a block that sums with shuffles.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSoftmaxesColumns = 200;
constexpr unsigned kSoftmaxesOfLane = (kSoftmaxesColumns + 31) / 32;
constexpr unsigned kSoftmaxesLayer = 1000, kSoftmaxesBlock = 256;
constexpr unsigned kSoftmaxesPairs = 768, kSoftmaxesThreads = 192;
constexpr unsigned kSoftmaxesOfThread = kSoftmaxesPairs / kSoftmaxesThreads;
constexpr float kSoftmaxesTiny = 1e-5f;

__global__ void softmaxes_thread(const float* in, float* out, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + row * kSoftmaxesColumns;
  float* y = out + row * kSoftmaxesColumns;
  float most = x[0];
  for (unsigned i = 1; i < kSoftmaxesColumns; ++i) most = fmaxf(most, x[i]);
  float sum = 0;
  for (unsigned i = 0; i < kSoftmaxesColumns; ++i) sum += expf(x[i] - most);
  for (unsigned i = 0; i < kSoftmaxesColumns; ++i) y[i] = expf(x[i] - most) / sum;
}

__global__ void softmaxes_warp(const float* __restrict__ in, float* __restrict__ out,
                               unsigned rows) {
  const unsigned row = thread_number() / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float x[kSoftmaxesOfLane];
  float most = -INFINITY, sum = 0;
#pragma unroll
  for (unsigned k = 0; k < kSoftmaxesOfLane; ++k) {
    const unsigned i = lane + 32 * k;
    x[k] = i < kSoftmaxesColumns ? in[row * kSoftmaxesColumns + i] : -INFINITY;
    most = fmaxf(most, x[k]);
  }
  for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, d));
#pragma unroll
  for (unsigned k = 0; k < kSoftmaxesOfLane; ++k) {
    x[k] = __expf(x[k] - most);
    sum += x[k];
  }
  const float scale = 1 / warp_sum(sum);
#pragma unroll
  for (unsigned k = 0; k < kSoftmaxesOfLane; ++k) {
    const unsigned i = lane + 32 * k;
    if (i < kSoftmaxesColumns) out[row * kSoftmaxesColumns + i] = x[k] * scale;
  }
}

// The sum over a block, for all of its threads.
__device__ inline float softmaxes_block_sum(float x, float* part) {
  const unsigned t = threadIdx.x;
  part[t] = x;
  __syncthreads();
  for (unsigned half = kSoftmaxesBlock / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  const float sum = part[0];
  __syncthreads();
  return sum;
}

__global__ void softmaxes_layer(const float* in, const float* gain, const float* bias, float* out) {
  __shared__ float part[kSoftmaxesBlock];
  const float* x = in + blockIdx.x * kSoftmaxesLayer;
  float sum = 0, squares = 0;
  for (unsigned i = threadIdx.x; i < kSoftmaxesLayer; i += kSoftmaxesBlock) sum += x[i];
  const float mean = softmaxes_block_sum(sum, part) / kSoftmaxesLayer;
  for (unsigned i = threadIdx.x; i < kSoftmaxesLayer; i += kSoftmaxesBlock)
    squares += (x[i] - mean) * (x[i] - mean);
  const float variance = softmaxes_block_sum(squares, part) / kSoftmaxesLayer;
  const float scale = rsqrtf(variance + kSoftmaxesTiny);
  for (unsigned i = threadIdx.x; i < kSoftmaxesLayer; i += kSoftmaxesBlock)
    out[blockIdx.x * kSoftmaxesLayer + i] = (x[i] - mean) * scale * gain[i] + bias[i];
}

__global__ void __launch_bounds__(kSoftmaxesThreads)
    softmaxes_rms(__half2* rows, const __half2* weight) {
  __shared__ float part[kSoftmaxesThreads / 32];
  __half2* row = rows + blockIdx.x * kSoftmaxesPairs;
  float2 x[kSoftmaxesOfThread];
  float squares = 0;
#pragma unroll
  for (unsigned k = 0; k < kSoftmaxesOfThread; ++k) {
    x[k] = __half22float2(row[threadIdx.x + k * kSoftmaxesThreads]);
    squares += x[k].x * x[k].x + x[k].y * x[k].y;
  }
  squares = warp_sum(squares);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = squares;
  __syncthreads();
  float sum = 0;
  for (unsigned warp = 0; warp < kSoftmaxesThreads / 32; ++warp) sum += part[warp];
  const float scale = rsqrtf(sum / (2 * kSoftmaxesPairs) + kSoftmaxesTiny);
#pragma unroll
  for (unsigned k = 0; k < kSoftmaxesOfThread; ++k) {
    const unsigned i = threadIdx.x + k * kSoftmaxesThreads;
    const float2 w = __half22float2(weight[i]);
    row[i] = __floats2half2_rn(x[k].x * scale * w.x, x[k].y * scale * w.y);
  }
}

inline Shared<float> softmaxes_input(std::size_t n, unsigned seed) {
  return array<float>(
      n, [seed](unsigned i) { return (mixed(i ^ (seed << 24)) >> 16) / 8192.0f - 4.0f; });
}

inline bool softmaxes_right(const Shared<float>& in, const Shared<float>& out) {
  const auto wanted = [&](unsigned i) {
    const float* x = in->host.data() + i / kSoftmaxesColumns * kSoftmaxesColumns;
    double sum = 0;
    for (unsigned k = 0; k < kSoftmaxesColumns; ++k) sum += std::exp(double(x[k]));
    return 1000 * std::exp(double(in->host[i])) / sum;
  };
  const std::vector<float> got = out->device.download();
  for (unsigned i = 0; i < got.size(); i += static_cast<unsigned>(got.size()) / 1000 | 1)
    if (!near(1000.0 * got[i], wanted(i), 1e-4)) return false;
  return near(1000.0 * got.back(), wanted(static_cast<unsigned>(got.size()) - 1), 1e-4);
}

inline Problem softmaxes_thread_problem(unsigned rows) {
  auto in = softmaxes_input(rows * kSoftmaxesColumns, 51);
  auto out = room<float>(rows * kSoftmaxesColumns);
  return Problem{
      [=] { softmaxes_thread<<<blocks_of(rows, 64), 64>>>(in->data(), out->data(), rows); },
      [=] { return softmaxes_right(in, out); }};
}

inline Problem softmaxes_warp_problem(unsigned rows) {
  auto in = softmaxes_input(rows * kSoftmaxesColumns, 52);
  auto out = room<float>(rows * kSoftmaxesColumns);
  return Problem{
      [=] { softmaxes_warp<<<blocks_of(rows * 32, 128), 128>>>(in->data(), out->data(), rows); },
      [=] { return softmaxes_right(in, out); }};
}

inline Problem softmaxes_layer_problem(unsigned rows) {
  auto in = softmaxes_input(rows * kSoftmaxesLayer, 53);
  auto gain = uniform(kSoftmaxesLayer, 54), bias = uniform(kSoftmaxesLayer, 55);
  auto out = room<float>(rows * kSoftmaxesLayer);
  return Problem{[=] {
                   softmaxes_layer<<<rows, kSoftmaxesBlock>>>(in->data(), gain->data(),
                                                              bias->data(), out->data());
                 },
                 [=] {
                   return agrees(out, [&](unsigned i) {
                     const unsigned column = i % kSoftmaxesLayer;
                     const float* x = in->host.data() + (i - column);
                     double mean = 0, variance = 0;
                     for (unsigned k = 0; k < kSoftmaxesLayer; ++k)
                       mean += x[k] / double(kSoftmaxesLayer);
                     for (unsigned k = 0; k < kSoftmaxesLayer; ++k)
                       variance += (x[k] - mean) * (x[k] - mean) / kSoftmaxesLayer;
                     return (x[column] - mean) / std::sqrt(variance + kSoftmaxesTiny) *
                                gain->host[column] +
                            bias->host[column];
                   });
                 }};
}

inline Problem softmaxes_rms_problem(unsigned rows) {
  constexpr unsigned columns = 2 * kSoftmaxesPairs;
  const auto value = [](unsigned i) { return float(mixed(i + 56) % 2048) / 256 - 4; };
  auto all = array<__half>(rows * columns, value);
  auto weight = uniform<__half>(columns, 57);
  return Problem{[=] {
                   softmaxes_rms<<<rows, kSoftmaxesThreads>>>(
                       reinterpret_cast<__half2*>(all->data()),
                       reinterpret_cast<const __half2*>(weight->data()));
                 },
                 [=] {
                   const std::vector<__half> got = all->device.download();
                   for (unsigned i = 0; i < got.size(); i += (rows * columns - 1 - i) / 1000 + 1) {
                     const unsigned column = i % columns;
                     double squares = 0;
                     for (unsigned k = 0; k < columns; ++k) {
                       const double x = __half2float(all->host[i - column + k]);
                       squares += x * x / columns;
                     }
                     const double wanted = __half2float(all->host[i]) /
                                           std::sqrt(squares + kSoftmaxesTiny) *
                                           __half2float(weight->host[column]);
                     if (!near(__half2float(got[i]), wanted, 1e-3)) return false;
                   }
                   return true;
                 },
                 [=] { all->restore(); }};
}

inline void add_softmaxes(Set& set) {
  const std::vector<unsigned> rows = {60, 18000, 50001};
  set.add("softmaxes_thread", rows, softmaxes_thread_problem);
  set.add("softmaxes_warp", rows, softmaxes_warp_problem);
  set.add("softmaxes_layer", {40, 4000, 15000}, softmaxes_layer_problem);
  set.add("softmaxes_rms", {40, 8000, 24000}, softmaxes_rms_problem);
}

}  // namespace timing_set

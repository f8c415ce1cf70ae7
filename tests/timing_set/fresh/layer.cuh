// SPDX-License-Identifier: MIT
// Rows of 512 brought to mean 0 and deviation 1: by a thread each, by a warp in one pass, and by a block in two.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kFeatures = 512;
constexpr float kLittle = 1e-5f;

__global__ void layer_by_thread(const float* in, float* out, unsigned rows) {
  const unsigned r = thread_number();
  if (r >= rows) return;
  float sum = 0, squares = 0;
  for (unsigned k = 0; k < kFeatures; ++k) {
    const float x = in[r * kFeatures + k];
    sum += x;
    squares += x * x;
  }
  const float mean = sum / kFeatures;
  const float factor = rsqrtf(squares / kFeatures - mean * mean + kLittle);
  for (unsigned k = 0; k < kFeatures; ++k)
    out[r * kFeatures + k] = (in[r * kFeatures + k] - mean) * factor;
}
// Means and deviations of parts are put together two by two.
__global__ void layer_by_warp(const float* in, float* out, unsigned rows) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float mean = 0, squares = 0, count = 0;
  for (unsigned k = lane; k < kFeatures; k += 32) {
    const float x = in[r * kFeatures + k], away = x - mean;
    count += 1;
    mean += away / count;
    squares += away * (x - mean);
  }
  for (unsigned d = 16; d > 0; d /= 2) {
    const float away = __shfl_xor_sync(kAll, mean, d) - mean;
    squares += __shfl_xor_sync(kAll, squares, d) + away * away * count / 2;
    mean += away / 2;
    count *= 2;
  }
  const float factor = rsqrtf(squares / kFeatures + kLittle);
  for (unsigned k = lane; k < kFeatures; k += 32)
    out[r * kFeatures + k] = (in[r * kFeatures + k] - mean) * factor;
}
__global__ void layer_by_block(const float* in, float* out, unsigned) {
  __shared__ float of_warp[2][4];
  const unsigned t = threadIdx.x;  // 128
  const float4 x = reinterpret_cast<const float4*>(in + blockIdx.x * kFeatures)[t];
  const auto total = [&](float own, float* part) {
    own = warp_sum(own);
    if (t % 32 == 0) part[t / 32] = own;
    __syncthreads();
    return part[0] + part[1] + part[2] + part[3];
  };
  const float mean = total(x.x + x.y + x.z + x.w, of_warp[0]) / kFeatures;
  const float4 y = {x.x - mean, x.y - mean, x.z - mean, x.w - mean};
  const float squares = total(y.x * y.x + y.y * y.y + y.z * y.z + y.w * y.w, of_warp[1]);
  const float factor = rsqrtf(squares / kFeatures + kLittle);
  reinterpret_cast<float4*>(out + blockIdx.x * kFeatures)[t] = {y.x * factor, y.y * factor,
                                                                y.z * factor, y.w * factor};
}

template <class Launch>
std::function<Problem(unsigned)> layer_problem(Launch launch) {
  return [=](unsigned rows) {
    auto in = uniform(rows * kFeatures, 1), out = room<float>(rows * kFeatures);
    return Problem{[=] { launch(in->data(), out->data(), rows); },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned i) {
                           const float* const row = &in->host[i / kFeatures * kFeatures];
                           double sum = 0, squares = 0;
                           for (unsigned k = 0; k < kFeatures; ++k) sum += row[k];
                           for (unsigned k = 0; k < kFeatures; ++k)
                             squares += std::pow(row[k] - sum / kFeatures, 2);
                           return (row[i % kFeatures] - sum / kFeatures) /
                                  std::sqrt(squares / kFeatures + kLittle);
                         },
                         1e-3);
                   }};
  };
}

inline void add_layer(Set& set) {
  const std::vector<unsigned> sizes = {1 << 6, 1 << 11, 1 << 14};
  using In = const float*;
  set.add("layer_by_thread", sizes, layer_problem([](In in, float* out, unsigned rows) {
            layer_by_thread<<<blocks_of(rows, 32), 32>>>(in, out, rows);
          }));
  set.add("layer_by_warp", sizes, layer_problem([](In in, float* out, unsigned rows) {
            layer_by_warp<<<blocks_of(rows * 32), kBlock>>>(in, out, rows);
          }));
  set.add("layer_by_block", sizes, layer_problem([](In in, float* out, unsigned rows) {
            layer_by_block<<<rows, 128>>>(in, out, rows);
          }));
}

}  // namespace timing_set

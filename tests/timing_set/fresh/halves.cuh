// SPDX-License-Identifier: MIT
// Numbers of 16 bits: a scaled sum in pairs, a dot product that adds in 32 bits, rows of bfloat16 brought to one length.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

__global__ void pairs_scaled(const __half2* x, __half2* y, unsigned pairs) {
  const unsigned i = thread_number();
  if (i < pairs) y[i] = __hfma2(x[i], __float2half2_rn(0.5f), y[i]);
}
__global__ void halves_dot(const uint4* a, const uint4* b, float* total, unsigned eights) {
  float sum = 0;
  for (unsigned i = thread_number(); i < eights; i += gridDim.x * blockDim.x) {
    const uint4 x = a[i], y = b[i];
    const unsigned xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const float2 u = __half22float2(reinterpret_cast<const __half2&>(xs[k]));
      const float2 v = __half22float2(reinterpret_cast<const __half2&>(ys[k]));
      sum += u.x * v.x + u.y * v.y;
    }
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}
constexpr unsigned kBrain = 512;  // elements of a row
__global__ void rows_to_length(const __nv_bfloat162* in, __nv_bfloat162* out, unsigned rows) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float2 x[kBrain / 64];
  float sum = 0;
#pragma unroll
  for (unsigned k = 0; k < kBrain / 64; ++k) {
    x[k] = __bfloat1622float2(in[r * (kBrain / 2) + k * 32 + lane]);
    sum += x[k].x * x[k].x + x[k].y * x[k].y;
  }
  const float factor = rsqrtf(warp_sum(sum) / kBrain);
#pragma unroll
  for (unsigned k = 0; k < kBrain / 64; ++k)
    out[r * (kBrain / 2) + k * 32 + lane] = __floats2bfloat162_rn(x[k].x * factor, x[k].y * factor);
}

// In steps of 1/256, so that halves hold them exactly.
inline float small(unsigned i) { return (mixed(i) % 256) / 256.0f; }
inline Problem scaled_problem(unsigned n) {
  auto x = array<__half>(n, [](unsigned i) { return __float2half(small(i)); });
  auto y = array<__half>(n, [](unsigned i) { return __float2half(small(i + 7)); });
  return {[=] {
            pairs_scaled<<<blocks_of(n / 2), kBlock>>>(reinterpret_cast<__half2*>(x->data()),
                                                       reinterpret_cast<__half2*>(y->data()),
                                                       n / 2);
          },
          [=] {
            const std::vector<__half> got = y->device.download();
            for (unsigned i = 0; i < n; i += 97)
              if (!near(__half2float(got[i]), 0.5 * small(i) + small(i + 7), 1e-3)) return false;
            return true;
          },
          [=] { y->restore(); }};
}
inline Problem halves_dot_problem(unsigned n) {
  auto a = array<__half>(n, [](unsigned i) { return __float2half(small(i)); });
  auto b = array<__half>(n, [](unsigned i) { return __float2half(small(i + 7)); });
  auto total = room<float>(1);
  return {[=] {
            halves_dot<<<std::min(blocks_of(n / 8), 528u), kBlock>>>(
                reinterpret_cast<uint4*>(a->data()), reinterpret_cast<uint4*>(b->data()),
                total->data(), n / 8);
          },
          [=] {
            double wanted = 0;
            for (unsigned i = 0; i < n; ++i) wanted += double{small(i)} * small(i + 7);
            return near(total->device.download()[0], wanted, 1e-3);
          },
          [=] { clear(total); }};
}
inline Problem length_problem(unsigned n) {
  auto in = array<__nv_bfloat16>(n, [](unsigned i) { return __float2bfloat16(small(i)); });
  auto out = room<__nv_bfloat16>(n);
  const unsigned rows = n / kBrain;
  return {[=] {
            rows_to_length<<<blocks_of(rows * 32, 128), 128>>>(
                reinterpret_cast<__nv_bfloat162*>(in->data()),
                reinterpret_cast<__nv_bfloat162*>(out->data()), rows);
          },
          [=] {
            const std::vector<__nv_bfloat16> got = out->device.download();
            for (unsigned r = 0; r < rows; r += rows / 64 | 1) {
              double sum = 0;
              for (unsigned k = 0; k < kBrain; ++k) sum += std::pow(small(r * kBrain + k), 2);
              const double wanted = small(r * kBrain + 5) / std::sqrt(sum / kBrain);
              if (!near(__bfloat162float(got[r * kBrain + 5]), wanted, 1e-2)) return false;
            }
            return true;
          }};
}

inline void add_halves(Set& set) {
  const std::vector<unsigned> sizes = {1 << 15, 1 << 20, 1 << 24};
  set.add("pairs_scaled", sizes, scaled_problem);
  set.add("halves_dot", sizes, halves_dot_problem);
  set.add("rows_to_length", sizes, length_problem);
}

}  // namespace timing_set

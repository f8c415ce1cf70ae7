// SPDX-License-Identifier: MIT
// Attention with 32 numbers to a token: each query's mean of all values, weighted by how well their keys fit. By a thread with
// keys and values in shared memory, by a warp, and the fits alone.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kDepth = 32;

__global__ void attention_thread(const float* q, const float* k, const float* v, float* out,
                                 unsigned tokens) {
  __shared__ float keys[32][kDepth], values[32][kDepth];
  const unsigned t = thread_number();
  float own[kDepth], sum[kDepth];
#pragma unroll
  for (unsigned d = 0; d < kDepth; ++d) own[d] = q[t * kDepth + d], sum[d] = 0;
  float most = -1e30f, total = 0;
  for (unsigned first = 0; first < tokens; first += 32) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 32 * kDepth; i += blockDim.x) {
      keys[i / kDepth][i % kDepth] = k[first * kDepth + i];
      values[i / kDepth][i % kDepth] = v[first * kDepth + i];
    }
    __syncthreads();
    for (unsigned j = 0; j < 32; ++j) {
      float fit = 0;
#pragma unroll
      for (unsigned d = 0; d < kDepth; ++d) fit += own[d] * keys[j][d];
      const float larger = fmaxf(most, fit), shrink = __expf(most - larger);
      const float weight = __expf(fit - larger);
      total = total * shrink + weight;
#pragma unroll
      for (unsigned d = 0; d < kDepth; ++d) sum[d] = sum[d] * shrink + weight * values[j][d];
      most = larger;
    }
  }
#pragma unroll
  for (unsigned d = 0; d < kDepth; ++d) out[t * kDepth + d] = sum[d] / total;
}
// A lane for each number.
__global__ void attention_warp(const float* q, const float* k, const float* v, float* out,
                               unsigned tokens) {
  const unsigned t = thread_number() / 32, d = threadIdx.x % 32;
  const float own = q[t * kDepth + d];
  float most = -1e30f, total = 0, sum = 0;
  for (unsigned j = 0; j < tokens; ++j) {
    const float fit = warp_sum(own * k[j * kDepth + d]);
    const float larger = fmaxf(most, fit), shrink = __expf(most - larger);
    const float weight = __expf(fit - larger);
    total = total * shrink + weight;
    sum = sum * shrink + weight * v[j * kDepth + d];
    most = larger;
  }
  out[t * kDepth + d] = sum / total;
}
__global__ void attention_fits(const float* q, const float* k, const float*, float* out,
                               unsigned tokens) {
  const unsigned j = blockIdx.x * 32 + threadIdx.x, t = blockIdx.y * 8 + threadIdx.y;
  const float4* const a = reinterpret_cast<const float4*>(q + t * kDepth);
  const float4* const b = reinterpret_cast<const float4*>(k + j * kDepth);
  float fit = 0;
#pragma unroll
  for (unsigned d = 0; d < kDepth / 4; ++d)
    fit += a[d].x * b[d].x + a[d].y * b[d].y + a[d].z * b[d].z + a[d].w * b[d].w;
  out[t * tokens + j] = fit;
}

template <class Launch>
std::function<Problem(unsigned)> attention_problem(bool fits, Launch launch) {
  return [=](unsigned tokens) {
    auto q = uniform(tokens * kDepth, 1), k = uniform(tokens * kDepth, 2);
    auto v = uniform(tokens * kDepth, 3), out = room<float>(tokens * (fits ? tokens : kDepth));
    const auto fit = [=](unsigned t, unsigned j) {
      double sum = 0;
      for (unsigned d = 0; d < kDepth; ++d)
        sum += double{q->host[t * kDepth + d]} * k->host[j * kDepth + d];
      return sum;
    };
    return Problem{[=] { launch(q->data(), k->data(), v->data(), out->data(), tokens); },
                   [=] {
                     if (fits)
                       return agrees(out, [=](unsigned i) { return fit(i / tokens, i % tokens); });
                     const std::vector<float> got = out->device.download();
                     for (unsigned i = 0; i < tokens * kDepth; i += tokens * kDepth / 40 + 1) {
                       double sum = 0, total = 0;
                       for (unsigned j = 0; j < tokens; ++j) {
                         const double weight = std::exp(fit(i / kDepth, j));
                         total += weight;
                         sum += weight * v->host[j * kDepth + i % kDepth];
                       }
                       if (!near(got[i], sum / total, 1e-3)) return false;
                     }
                     return true;
                   }};
  };
}

inline void add_attention(Set& set) {
  const std::vector<unsigned> sizes = {64, 256, 1024};
  using In = const float*;
  set.add("attention_thread", sizes,
          attention_problem(false, [](In q, In k, In v, float* out, unsigned tokens) {
            attention_thread<<<tokens / 64, 64>>>(q, k, v, out, tokens);
          }));
  set.add("attention_warp", sizes,
          attention_problem(false, [](In q, In k, In v, float* out, unsigned tokens) {
            attention_warp<<<tokens / 4, 128>>>(q, k, v, out, tokens);
          }));
  set.add("attention_fits", sizes,
          attention_problem(true, [](In q, In k, In v, float* out, unsigned tokens) {
            attention_fits<<<dim3(tokens / 32, tokens / 8), dim3(32, 8)>>>(q, k, v, out, tokens);
          }));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// The cross entropy of each row of 512 logits and its label: in one pass by a thread, from registers by a warp, by a block.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kLogits = 512;
__global__ void loss_by_thread(const float* in, const unsigned* label, float* out, unsigned rows) {
  const unsigned r = thread_number();
  if (r >= rows) return;
  float most = in[r * kLogits], sum = 1;
  for (unsigned k = 1; k < kLogits; ++k) {
    const float x = in[r * kLogits + k];
    if (x > most) {
      sum = sum * __expf(most - x) + 1;
      most = x;
    } else {
      sum += __expf(x - most);
    }
  }
  out[r] = most + __logf(sum) - in[r * kLogits + label[r]];
}
__global__ void loss_by_warp(const float* in, const unsigned* label, float* out, unsigned rows) {
  constexpr unsigned kOwn = kLogits / 32;
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float own[kOwn], most = -1e30f, sum = 0;
#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) {
    own[k] = in[r * kLogits + k * 32 + lane];
    most = fmaxf(most, own[k]);
  }
  for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, d));
#pragma unroll
  for (unsigned k = 0; k < kOwn; ++k) sum += __expf(own[k] - most);
  sum = warp_sum(sum);
  if (lane == 0) out[r] = most + __logf(sum) - in[r * kLogits + label[r]];
}
__global__ void loss_by_block(const float* in, const unsigned* label, float* out, unsigned) {
  __shared__ float parts[128];
  const unsigned t = threadIdx.x, r = blockIdx.x;
  const auto reduced = [&](float own, auto join) {
    parts[t] = own;
    for (unsigned half = 64; half > 0; half /= 2) {
      __syncthreads();
      if (t < half) parts[t] = join(parts[t], parts[t + half]);
    }
    __syncthreads();
    const float all = parts[0];
    __syncthreads();
    return all;
  };
  float most = -1e30f, sum = 0;
  for (unsigned k = t; k < kLogits; k += 128) most = fmaxf(most, in[r * kLogits + k]);
  most = reduced(most, [](float a, float b) { return fmaxf(a, b); });
  for (unsigned k = t; k < kLogits; k += 128) sum += expf(in[r * kLogits + k] - most);
  sum = reduced(sum, [](float a, float b) { return a + b; });
  if (t == 0) out[r] = most + logf(sum) - in[r * kLogits + label[r]];
}

template <unsigned Threads, unsigned Block, class Function>
std::function<Problem(unsigned)> loss_problem(Function kernel) {
  return [=](unsigned rows) {
    auto in = uniform(rows * kLogits, 4), out = room<float>(rows);
    auto label = array<unsigned>(rows, [](unsigned r) { return mixed(r + 99) % kLogits; });
    return Problem{[=] {
                     kernel<<<blocks_of(rows * Threads, Block), Block>>>(in->data(), label->data(),
                                                                         out->data(), rows);
                   },
                   [=] {
                     return agrees(out, [=](unsigned r) {
                       double sum = 0;
                       for (unsigned k = 0; k < kLogits; ++k)
                         sum += std::exp(static_cast<double>(in->host[r * kLogits + k]));
                       return std::log(sum) - in->host[r * kLogits + label->host[r]];
                     });
                   }};
  };
}

inline void add_loss(Set& set) {
  const std::vector<unsigned> sizes = {64, 1000, 20000};
  set.add("loss_by_thread", sizes, loss_problem<1, 128>(loss_by_thread));
  set.add("loss_by_warp", sizes, loss_problem<32, 256>(loss_by_warp));
  set.add("loss_by_block", sizes, loss_problem<128, 128>(loss_by_block));
}

}  // namespace timing_set

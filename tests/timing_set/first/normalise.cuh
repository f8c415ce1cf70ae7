// SPDX-License-Identifier: MIT
// Softmax and normalisation of rows of 512: by a thread, a warp, a block each.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kRow = 512;

__global__ void softmax_thread(const float* in, float* out, unsigned rows) {
  const unsigned r = thread_number();
  if (r >= rows) return;
  const float* row = in + std::size_t{r} * kRow;
  float most = row[0], sum = 0;
  for (unsigned k = 1; k < kRow; ++k) most = fmaxf(most, row[k]);
  for (unsigned k = 0; k < kRow; ++k) sum += expf(row[k] - most);
  for (unsigned k = 0; k < kRow; ++k) out[std::size_t{r} * kRow + k] = expf(row[k] - most) / sum;
}
__global__ void softmax_warp(const float* in, float* out, unsigned rows) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float x[kRow / 32], most = -1e30f, sum = 0;
#pragma unroll
  for (unsigned k = 0; k < kRow / 32; ++k) {
    x[k] = in[std::size_t{r} * kRow + k * 32 + lane];
    most = fmaxf(most, x[k]);
  }
  for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, d));
#pragma unroll
  for (unsigned k = 0; k < kRow / 32; ++k) sum += x[k] = expf(x[k] - most);
  sum = warp_sum(sum);
#pragma unroll
  for (unsigned k = 0; k < kRow / 32; ++k) out[std::size_t{r} * kRow + k * 32 + lane] = x[k] / sum;
}

// Sum over a block of 128; every thread gets it.
__device__ inline float sum_of_128(float x) {
  __shared__ float of_warp[4];
  x = warp_sum(x);
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  return of_warp[0] + of_warp[1] + of_warp[2] + of_warp[3];
}
__global__ void norm_block(const float* in, float* out, unsigned) {
  const float* row = in + std::size_t{blockIdx.x} * kRow;
  float x[kRow / 128], sum = 0, squares = 0;
#pragma unroll
  for (unsigned k = 0; k < kRow / 128; ++k) sum += x[k] = row[k * 128 + threadIdx.x];
  const float mean = sum_of_128(sum) / kRow;
#pragma unroll
  for (unsigned k = 0; k < kRow / 128; ++k) squares += (x[k] - mean) * (x[k] - mean);
  const float scale = rsqrtf(sum_of_128(squares) / kRow + 1e-5f);
#pragma unroll
  for (unsigned k = 0; k < kRow / 128; ++k)
    out[std::size_t{blockIdx.x} * kRow + k * 128 + threadIdx.x] = (x[k] - mean) * scale;
}
__global__ void norm_warp(const float* in, float* out, unsigned rows) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  const auto* row = reinterpret_cast<const float4*>(in + std::size_t{r} * kRow);
  auto* to = reinterpret_cast<float4*>(out + std::size_t{r} * kRow);
  float squares = 0;
  for (unsigned k = lane; k < kRow / 4; k += 32) {
    const float4 x = row[k];
    squares += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
  }
  const float scale = rsqrtf(warp_sum(squares) / kRow + 1e-5f);
  for (unsigned k = lane; k < kRow / 4; k += 32) {
    const float4 x = row[k];
    to[k] = make_float4(x.x * scale, x.y * scale, x.z * scale, x.w * scale);
  }
}

enum class Norm { Softmax, Mean, Square };

inline double normalised(const std::vector<float>& in, unsigned i, Norm norm) {
  const float* row = &in[i / kRow * kRow];
  double sum = 0, squares = 0, powers = 0;
  for (unsigned k = 0; k < kRow; ++k) sum += row[k], squares += double{row[k]} * row[k];
  if (norm == Norm::Square) return in[i] / std::sqrt(squares / kRow + 1e-5);
  if (norm == Norm::Mean) {
    const double mean = sum / kRow;
    return (in[i] - mean) / std::sqrt(squares / kRow - mean * mean + 1e-5);
  }
  for (unsigned k = 0; k < kRow; ++k) powers += std::exp(row[k]);
  return std::exp(in[i]) / powers;
}
template <class Function>
std::function<Problem(unsigned)> norm_problem(Function kernel, unsigned threads_per_row,
                                              Norm norm) {
  return [=](unsigned rows) {
    auto in = uniform(std::size_t{rows} * kRow, 1), out = room<float>(std::size_t{rows} * kRow);
    return Problem{[=] {
                     kernel<<<blocks_of(rows * threads_per_row, 128), 128>>>(in->data(),
                                                                             out->data(), rows);
                   },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return normalised(in->host, i, norm); }, 2e-4);
                   }};
  };
}

inline void add_normalise(Set& set) {
  const std::vector<unsigned> sizes = {32, 1024, 8192};
  set.add("softmax_thread", sizes, norm_problem(softmax_thread, 1, Norm::Softmax));
  set.add("softmax_warp", sizes, norm_problem(softmax_warp, 32, Norm::Softmax));
  set.add("norm_block", sizes, norm_problem(norm_block, 128, Norm::Mean));
  set.add("norm_warp", sizes, norm_problem(norm_warp, 32, Norm::Square));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Something of each row of a matrix: softmax of short rows by a thread and by a warp a row; layer
// normalisation of long rows of halves by a block a row, with sums by shuffles; and where a long
// row is largest, by a tree in shared memory.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr int kRowwiseShort = 100, kRowwiseLong = 1000;  // columns
constexpr int kRowwiseThreads = 128;                     // of rowwise_norm
constexpr int kRowwisePairs = 4;                         // pairs that one of them keeps
constexpr float kRowwiseTiny = 1e-5f;

__global__ void rowwise_thread(const float* scores, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* from = scores + row * columns;
  float* to = out + row * columns;
  float most = from[0];
  for (int c = 1; c < columns; ++c) most = fmaxf(most, from[c]);
  float sum = 0;
  for (int c = 0; c < columns; ++c) {
    to[c] = expf(from[c] - most);
    sum += to[c];
  }
  for (int c = 0; c < columns; ++c) to[c] /= sum;
}

__global__ void __launch_bounds__(512)
    rowwise_warp(const float* __restrict__ scores, float* __restrict__ out, int rows) {
  constexpr int kEach = (kRowwiseShort + 31) / 32;
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float values[kEach];
  float most = -INFINITY;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const int c = lane + 32 * k;
    values[k] = c < kRowwiseShort ? scores[row * kRowwiseShort + c] : -INFINITY;
    most = fmaxf(most, values[k]);
  }
#pragma unroll
  for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, d));
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    values[k] = __expf(values[k] - most);
    sum += values[k];
  }
  const float scale = 1.0f / warp_sum(sum);
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const int c = lane + 32 * k;
    if (c < kRowwiseShort) out[row * kRowwiseShort + c] = values[k] * scale;
  }
}

__device__ inline float rowwise_block_sum(float x) {
  __shared__ float parts[kRowwiseThreads / 32];
  x = warp_sum(x);
  __syncthreads();  // the parts of an earlier sum have been read
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < kRowwiseThreads / 32; ++k) sum += parts[k];
  return sum;
}

__global__ void rowwise_norm(const __half2* __restrict__ in, const float2* __restrict__ gain,
                             const float2* __restrict__ shift, __half2* __restrict__ out) {
  constexpr int kPairs = kRowwiseLong / 2;
  const __half2* from = in + blockIdx.x * kPairs;
  float2 kept[kRowwisePairs];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kRowwisePairs; ++k) {
    const int i = threadIdx.x + k * kRowwiseThreads;
    kept[k] = i < kPairs ? __half22float2(from[i]) : make_float2(0, 0);
    sum += kept[k].x + kept[k].y;
  }
  const float mean = rowwise_block_sum(sum) / kRowwiseLong;
  float squares = 0;
#pragma unroll
  for (int k = 0; k < kRowwisePairs; ++k) {
    if (threadIdx.x + k * kRowwiseThreads >= kPairs) break;
    const float x = kept[k].x - mean, y = kept[k].y - mean;
    squares += x * x + y * y;
  }
  const float scale = rsqrtf(rowwise_block_sum(squares) / kRowwiseLong + kRowwiseTiny);
#pragma unroll
  for (int k = 0; k < kRowwisePairs; ++k) {
    const int i = threadIdx.x + k * kRowwiseThreads;
    if (i >= kPairs) break;
    const float2 g = gain[i], s = shift[i];
    out[blockIdx.x * kPairs + i] = __floats2half2_rn((kept[k].x - mean) * scale * g.x + s.x,
                                                     (kept[k].y - mean) * scale * g.y + s.y);
  }
}

// Of several that are largest the first.
__global__ void rowwise_argmax(const float* scores, int* where, int columns) {
  __shared__ float most[kBlock];
  __shared__ int places[kBlock];
  const float* row = scores + blockIdx.x * columns;
  const int t = threadIdx.x;
  float best = -INFINITY;
  int place = columns;
  for (int c = t; c < columns; c += blockDim.x)
    if (row[c] > best) {
      best = row[c];
      place = c;
    }
  most[t] = best;
  places[t] = place;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {
      const float other = most[t + half];
      if (other > most[t] || (other == most[t] && places[t + half] < places[t])) {
        most[t] = other;
        places[t] = places[t + half];
      }
    }
    __syncthreads();
  }
  if (t == 0) where[blockIdx.x] = places[0];
}

inline Shared<float> rowwise_scores(unsigned rows, unsigned columns, unsigned seed) {
  return array<float>(rows * columns, [seed](unsigned i) {
    return int(mixed(i + seed * 77777) >> 16) / 8192.0f - 4.0f;  // from -4 to 4
  });
}

// Softmax of the short rows, by what start launches.
template <class Start>
Problem rowwise_softmax(unsigned rows, unsigned seed, Start start) {
  auto scores = rowwise_scores(rows, kRowwiseShort, seed);
  auto out = room<float>(rows * kRowwiseShort);
  return Problem{[=] { start(scores->data(), out->data(), rows); },
                 [=] {
                   return agrees(
                       out,
                       [&](unsigned i) {
                         const float* row = &scores->host[i / kRowwiseShort * kRowwiseShort];
                         double sum = 0;
                         for (int c = 0; c < kRowwiseShort; ++c) sum += std::exp(double(row[c]));
                         return std::exp(double(scores->host[i])) / sum;
                       },
                       1e-6);
                 }};
}

inline Problem rowwise_thread_problem(unsigned size) {
  return rowwise_softmax(size, 1, [](const float* scores, float* out, unsigned rows) {
    rowwise_thread<<<blocks_of(rows, 128), 128>>>(scores, out, rows, kRowwiseShort);
  });
}

inline Problem rowwise_warp_problem(unsigned size) {
  return rowwise_softmax(size, 2, [](const float* scores, float* out, unsigned rows) {
    rowwise_warp<<<blocks_of(rows, 16), 512>>>(scores, out, rows);
  });
}

inline Problem rowwise_norm_problem(unsigned rows) {
  const unsigned n = rows * kRowwiseLong;
  auto in = array<__half>(
      n, [](unsigned i) { return __half(float(mixed(i + 3) % 2048) / 256.0f - 1.0f); });
  auto gain = uniform(kRowwiseLong, 41);
  auto shift = uniform(kRowwiseLong, 42);
  auto out = room<__half>(n);
  return Problem{
      [=] {
        rowwise_norm<<<rows, kRowwiseThreads>>>(reinterpret_cast<const __half2*>(in->data()),
                                                reinterpret_cast<const float2*>(gain->data()),
                                                reinterpret_cast<const float2*>(shift->data()),
                                                reinterpret_cast<__half2*>(out->data()));
      },
      [=] {
        const std::vector<__half> got = out->device.download();
        for (unsigned i = 0; i < n; i += (n - 1 - i) / 500 + 1) {
          const __half* row = &in->host[i / kRowwiseLong * kRowwiseLong];
          double sum = 0, squares = 0;
          for (int c = 0; c < kRowwiseLong; ++c) {
            const double x = __half2float(row[c]);
            sum += x;
            squares += x * x;
          }
          const unsigned c = i % kRowwiseLong;
          const double mean = sum / kRowwiseLong;
          const double spread = squares / kRowwiseLong - mean * mean + kRowwiseTiny;
          const double wanted =
              (__half2float(row[c]) - mean) / std::sqrt(spread) * gain->host[c] + shift->host[c];
          if (!near(__half2float(got[i]), wanted, 1e-3)) return false;
        }
        return true;
      }};
}

inline Problem rowwise_argmax_problem(unsigned rows) {
  auto scores = rowwise_scores(rows, kRowwiseLong, 3);
  auto where = room<int>(rows);
  return Problem{
      [=] { rowwise_argmax<<<rows, kBlock>>>(scores->data(), where->data(), kRowwiseLong); },
      [=] {
        return agrees(where, [&](unsigned row) {
          const auto first = scores->host.begin() + row * kRowwiseLong;
          return std::max_element(first, first + kRowwiseLong) - first;
        });
      }};
}

inline void add_rowwise(Set& set) {
  // Rows, short and long.
  set.add("rowwise_thread", {100, 30000, 90000}, rowwise_thread_problem);
  set.add("rowwise_warp", {100, 30000, 90000}, rowwise_warp_problem);
  set.add("rowwise_norm", {10, 5000, 15500}, rowwise_norm_problem);
  set.add("rowwise_argmax", {10, 5000, 15500}, rowwise_argmax_problem);
}

}  // namespace timing_set

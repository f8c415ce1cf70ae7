// SPDX-License-Identifier: MIT
// Each row of a matrix made alike. Three kernels are a softmax: one thread per row, one warp per
// row that corrects its sum when it meets a larger element, and one block per row, which it keeps
// in shared memory. Three are a layer norm with a scale and a shift for each column: one block per
// row, one warp per row with four floats at a time, and blocks that loop over rows of halves.
#pragma once
#include <cuda_fp16.h>

#include <cfloat>

#include "../set.cuh"

namespace timing_set {

constexpr float kRownormsSmall = 1e-5f;  // added to a variance, which may be 0

__global__ void rownorms_soft_thread(const float* in, float* out, unsigned rows, unsigned columns) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + std::size_t{row} * columns;
  float* y = out + std::size_t{row} * columns;
  float largest = x[0];
  for (unsigned c = 1; c < columns; ++c) largest = fmaxf(largest, x[c]);
  float sum = 0;
  for (unsigned c = 0; c < columns; ++c) sum += expf(x[c] - largest);
  for (unsigned c = 0; c < columns; ++c) y[c] = expf(x[c] - largest) / sum;
}

// One pass for the largest element and the sum: a larger element makes the sum so far smaller.
__global__ void rownorms_soft_warp(const float* __restrict__ in, float* __restrict__ out,
                                   unsigned rows, unsigned columns) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* x = in + std::size_t{row} * columns;
  float largest = -FLT_MAX, sum = 0;
  for (unsigned c = lane; c < columns; c += 32) {
    const float element = x[c];
    const float larger = fmaxf(largest, element);
    sum = sum * expf(largest - larger) + expf(element - larger);
    largest = larger;
  }
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_xor_sync(kAll, largest, d);
    const float its_sum = __shfl_xor_sync(kAll, sum, d);
    const float larger = fmaxf(largest, other);
    sum = sum * expf(largest - larger) + its_sum * expf(other - larger);
    largest = larger;
  }
  const float scale = 1 / sum;
  float* y = out + std::size_t{row} * columns;
  for (unsigned c = lane; c < columns; c += 32) y[c] = expf(x[c] - largest) * scale;
}

constexpr unsigned kRownormsSoft = 256;

__global__ void rownorms_soft_block(const float* __restrict__ in, float* __restrict__ out,
                                    unsigned columns) {
  extern __shared__ float rownorms_row[];
  __shared__ float parts[kRownormsSoft];
  const unsigned thread = threadIdx.x;
  const float* x = in + std::size_t{blockIdx.x} * columns;
  float largest = -FLT_MAX;
  for (unsigned c = thread; c < columns; c += kRownormsSoft) {
    rownorms_row[c] = x[c];
    largest = fmaxf(largest, x[c]);
  }
  parts[thread] = largest;
  __syncthreads();
  for (unsigned half = kRownormsSoft / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] = fmaxf(parts[thread], parts[thread + half]);
    __syncthreads();
  }
  largest = parts[0];
  __syncthreads();  // all have read it
  float sum = 0;
  for (unsigned c = thread; c < columns; c += kRownormsSoft) {
    const float power = expf(rownorms_row[c] - largest);
    rownorms_row[c] = power;
    sum += power;
  }
  parts[thread] = sum;
  __syncthreads();
  for (unsigned half = kRownormsSoft / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  const float scale = 1 / parts[0];
  float* y = out + std::size_t{blockIdx.x} * columns;
  for (unsigned c = thread; c < columns; c += kRownormsSoft) y[c] = rownorms_row[c] * scale;
}

constexpr unsigned kRownormsLayer = 512;

// The sum over the block, for all of its threads.
__device__ inline float rownorms_total(float x, float* parts) {
  const unsigned thread = threadIdx.x;
  parts[thread] = x;
  __syncthreads();
  for (unsigned half = kRownormsLayer / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  const float total = parts[0];
  __syncthreads();
  return total;
}

__global__ void rownorms_layer_block(const float* in, const float* scale, const float* shift,
                                     float* out, unsigned columns) {
  __shared__ float parts[kRownormsLayer];
  const float* x = in + std::size_t{blockIdx.x} * columns;
  float* y = out + std::size_t{blockIdx.x} * columns;
  float sum = 0;
  for (unsigned c = threadIdx.x; c < columns; c += kRownormsLayer) sum += x[c];
  const float mean = rownorms_total(sum, parts) / columns;
  float squares = 0;
  for (unsigned c = threadIdx.x; c < columns; c += kRownormsLayer)
    squares += (x[c] - mean) * (x[c] - mean);
  const float variance = rownorms_total(squares, parts) / columns;
  const float factor = rsqrtf(variance + kRownormsSmall);
  for (unsigned c = threadIdx.x; c < columns; c += kRownormsLayer)
    y[c] = (x[c] - mean) * factor * scale[c] + shift[c];
}

// The number of columns is a multiple of four. One pass yields the sum and the sum of the squares.
__global__ void rownorms_layer_warp(const float4* __restrict__ in, const float4* __restrict__ scale,
                                    const float4* __restrict__ shift, float4* __restrict__ out,
                                    unsigned rows, unsigned columns) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32, fours = columns / 4;
  if (row >= rows) return;
  const float4* x = in + std::size_t{row} * fours;
  float sum = 0, squares = 0;
  for (unsigned k = lane; k < fours; k += 32) {
    const float4 v = x[k];
    sum += v.x + v.y + v.z + v.w;
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  const float mean = warp_sum(sum) / columns;
  const float variance = warp_sum(squares) / columns - mean * mean;
  const float factor = rsqrtf(variance + kRownormsSmall);
  float4* y = out + std::size_t{row} * fours;
  for (unsigned k = lane; k < fours; k += 32) {
    const float4 v = x[k], a = scale[k], b = shift[k];
    y[k] = make_float4((v.x - mean) * factor * a.x + b.x, (v.y - mean) * factor * a.y + b.y,
                       (v.z - mean) * factor * a.z + b.z, (v.w - mean) * factor * a.w + b.w);
  }
}

constexpr unsigned kRownormsHalves = 128;

// The number of columns is even. The sums are floats, as halves would not hold them.
__global__ void rownorms_layer_half(const __half2* __restrict__ in,
                                    const __half2* __restrict__ scale,
                                    const __half2* __restrict__ shift, __half2* __restrict__ out,
                                    unsigned rows, unsigned columns) {
  __shared__ float2 parts[kRownormsHalves / 32];
  const unsigned pairs = columns / 2;
  for (unsigned row = blockIdx.x; row < rows; row += gridDim.x) {
    const __half2* x = in + std::size_t{row} * pairs;
    float sum = 0, squares = 0;
    for (unsigned k = threadIdx.x; k < pairs; k += kRownormsHalves) {
      const float2 v = __half22float2(x[k]);
      sum += v.x + v.y;
      squares += v.x * v.x + v.y * v.y;
    }
    sum = warp_sum(sum);
    squares = warp_sum(squares);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = make_float2(sum, squares);
    __syncthreads();
    sum = squares = 0;
    for (unsigned warp = 0; warp < kRownormsHalves / 32; ++warp) {
      sum += parts[warp].x;
      squares += parts[warp].y;
    }
    __syncthreads();  // before the next row overwrites the parts
    const float mean = sum / columns;
    const float factor = rsqrtf(squares / columns - mean * mean + kRownormsSmall);
    __half2* y = out + std::size_t{row} * pairs;
    for (unsigned k = threadIdx.x; k < pairs; k += kRownormsHalves) {
      const float2 v = __half22float2(x[k]);
      const float2 a = __half22float2(scale[k]), b = __half22float2(shift[k]);
      y[k] =
          __floats2half2_rn((v.x - mean) * factor * a.x + b.x, (v.y - mean) * factor * a.y + b.y);
    }
  }
}

inline unsigned rownorms_rows(unsigned columns) { return 20 * columns; }

// Between -4 and 4, in steps that a half holds.
template <class T>
Shared<T> rownorms_matrix(unsigned columns) {
  return array<T>(std::size_t{rownorms_rows(columns)} * columns,
                  [](unsigned i) { return static_cast<float>(mixed(i) >> 22) / 128 - 4; });
}

inline double rownorms_soft(const std::vector<float>& in, unsigned columns, unsigned i) {
  const float* x = in.data() + i / columns * columns;
  double sum = 0;  // the elements are small: no need to subtract the largest
  for (unsigned c = 0; c < columns; ++c) sum += std::exp(static_cast<double>(x[c]));
  return std::exp(static_cast<double>(in[i])) / sum;
}

template <class T>
struct RownormsLayer {
  explicit RownormsLayer(unsigned n)
      : columns(n),
        in(rownorms_matrix<T>(n)),
        scale(array<T>(n, [](unsigned i) { return 0.5f + (mixed(i) % 64) / 64.f; })),
        shift(array<T>(n, [](unsigned i) { return (mixed(i + 77) % 64) / 64.f - 0.5f; })),
        out(room<T>(in->size())) {}
  bool right(double tolerance) const {
    const auto number = [](T x) { return static_cast<double>(static_cast<float>(x)); };
    return agrees(
        out,
        [&](unsigned i) {
          const T* x = in->host.data() + i / columns * columns;
          double sum = 0, squares = 0;
          for (unsigned c = 0; c < columns; ++c) sum += number(x[c]);
          const double mean = sum / columns;
          for (unsigned c = 0; c < columns; ++c)
            squares += (number(x[c]) - mean) * (number(x[c]) - mean);
          const double factor = 1 / std::sqrt(squares / columns + kRownormsSmall);
          const unsigned c = i % columns;
          return (number(x[c]) - mean) * factor * number(scale->host[c]) + number(shift->host[c]);
        },
        tolerance);
  }
  unsigned columns;
  Shared<T> in, scale, shift, out;
};

using RownormsLaunch = void (*)(const float* in, float* out, unsigned rows, unsigned columns);

inline void rownorms_add_soft(Set& set, const char* id, const std::vector<unsigned>& sizes,
                              RownormsLaunch launch) {
  set.add(id, sizes, [=](unsigned n) {
    auto in = rownorms_matrix<float>(n), out = room<float>(in->size());
    return Problem{[=] { launch(in->data(), out->data(), rownorms_rows(n), n); },
                   [=] {
                     return agrees(
                         out, [&](unsigned i) { return rownorms_soft(in->host, n, i); }, 1e-6);
                   }};
  });
}

inline void rownorms_add_layers(Set& set, const std::vector<unsigned>& sizes) {
  set.add("rownorms_layer_block", sizes, [](unsigned n) {
    auto p = std::make_shared<RownormsLayer<float>>(n);
    return Problem{[=] {
                     rownorms_layer_block<<<rownorms_rows(n), kRownormsLayer>>>(
                         p->in->data(), p->scale->data(), p->shift->data(), p->out->data(), n);
                   },
                   [=] { return p->right(1e-5); }};
  });
  set.add("rownorms_layer_warp", sizes, [](unsigned n) {
    auto p = std::make_shared<RownormsLayer<float>>(n);
    const auto fours = [](const Shared<float>& x) { return reinterpret_cast<float4*>(x->data()); };
    return Problem{[=] {
                     const unsigned rows = rownorms_rows(n);
                     rownorms_layer_warp<<<blocks_of(rows, 32), 1024>>>(
                         fours(p->in), fours(p->scale), fours(p->shift), fours(p->out), rows, n);
                   },
                   [=] { return p->right(2e-5); }};
  });
  set.add("rownorms_layer_half", sizes, [](unsigned n) {
    auto p = std::make_shared<RownormsLayer<__half>>(n);
    const auto twos = [](const Shared<__half>& x) { return reinterpret_cast<__half2*>(x->data()); };
    return Problem{[=] {
                     const unsigned rows = rownorms_rows(n);
                     rownorms_layer_half<<<std::min(rows, 8u * 132), kRownormsHalves>>>(
                         twos(p->in), twos(p->scale), twos(p->shift), twos(p->out), rows, n);
                   },
                   [=] { return p->right(1e-3); }};
  });
}

inline void add_rownorms(Set& set) {
  const std::vector<unsigned> sizes = {44, 620, 1300};
  rownorms_add_soft(set, "rownorms_soft_thread", sizes,
                    [](const float* in, float* out, unsigned rows, unsigned columns) {
                      rownorms_soft_thread<<<blocks_of(rows, 64), 64>>>(in, out, rows, columns);
                    });
  rownorms_add_soft(set, "rownorms_soft_warp", sizes,
                    [](const float* in, float* out, unsigned rows, unsigned columns) {
                      rownorms_soft_warp<<<blocks_of(rows, 4), 128>>>(in, out, rows, columns);
                    });
  rownorms_add_soft(set, "rownorms_soft_block", sizes,
                    [](const float* in, float* out, unsigned rows, unsigned columns) {
                      const unsigned bytes = columns * sizeof(float);
                      rownorms_soft_block<<<rows, kRownormsSoft, bytes>>>(in, out, columns);
                    });
  rownorms_add_layers(set, sizes);
}

}  // namespace timing_set

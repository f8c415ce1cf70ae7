// SPDX-License-Identifier: MIT
// Wavelets along the rows of an array: one Haar step with a thread for each pair, a reversible integer step in place with a
// thread for each row, a Daubechies step of doubles from shared memory, and all Haar levels of a row by one block.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kWaveletWidth = 640, kWaveletPairs = kWaveletWidth / 2, kWaveletLevels = 7;
constexpr float kWaveletRoot = 0.70710678f;
__host__ __device__ constexpr double wavelet_d4(int k) {
  return k == 0   ? 0.48296291314453416
         : k == 1 ? 0.83651630373780790
         : k == 2 ? 0.22414386804201339
                  : -0.12940952255126037;
}

// Low halves in front of each row, high ones behind them.
__global__ void wavelet_haar(const float* in, float* out, int pairs) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  const float a = in[2 * p], b = in[2 * p + 1];
  const int row = p / kWaveletPairs, at = p % kWaveletPairs;
  out[row * kWaveletWidth + at] = (a + b) * kWaveletRoot;
  out[row * kWaveletWidth + kWaveletPairs + at] = (a - b) * kWaveletRoot;
}

// The 5/3 step of JPEG 2000; even places become low, odd ones high.
__global__ void wavelet_lifting(int* data, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int* x = data + row * kWaveletWidth;
  for (int i = 1; i < kWaveletWidth; i += 2) {
    const int right = i + 1 < kWaveletWidth ? x[i + 1] : x[i - 1];
    x[i] -= (x[i - 1] + right) >> 1;
  }
  for (int i = 0; i < kWaveletWidth; i += 2) {
    const int left = i > 0 ? x[i - 1] : x[i + 1];
    x[i] += (left + x[i + 1] + 2) >> 2;
  }
}

constexpr int kWaveletThreads = 160;
__global__ void __launch_bounds__(kWaveletThreads)
    wavelet_daubechies(const double* __restrict__ in, double* __restrict__ low,
                       double* __restrict__ high) {
  __shared__ double row[kWaveletWidth + 2];
  const double* from = in + static_cast<std::size_t>(blockIdx.x) * kWaveletWidth;
#pragma unroll
  for (int k = 0; k < kWaveletWidth; k += kWaveletThreads)
    row[k + threadIdx.x] = from[k + threadIdx.x];
  if (threadIdx.x < 2) row[kWaveletWidth + threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  for (int p = threadIdx.x; p < kWaveletPairs; p += kWaveletThreads) {
    double smooth = 0, detail = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const double x = row[2 * p + k];
      smooth += wavelet_d4(k) * x;
      detail += (k % 2 ? -wavelet_d4(3 - k) : wavelet_d4(3 - k)) * x;
    }
    low[blockIdx.x * kWaveletPairs + p] = smooth;
    high[blockIdx.x * kWaveletPairs + p] = detail;
  }
}

__global__ void wavelet_levels(const float4* in, float* out) {
  __shared__ __align__(16) float first[kWaveletWidth];
  __shared__ float second[kWaveletPairs];
  const float4* from = in + blockIdx.x * (kWaveletWidth / 4);
  float* to = out + blockIdx.x * kWaveletWidth;
  for (int k = threadIdx.x; k < kWaveletWidth / 4; k += blockDim.x)
    reinterpret_cast<float4*>(first)[k] = from[k];
  float *now = first, *next = second;
  int n = kWaveletWidth;
  for (int level = 0; level < kWaveletLevels; ++level) {
    __syncthreads();
    n /= 2;
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
      const float a = now[2 * k], b = now[2 * k + 1];
      next[k] = (a + b) * kWaveletRoot;
      to[n + k] = (a - b) * kWaveletRoot;
    }
    float* swap = now;
    now = next;
    next = swap;
  }
  __syncthreads();
  if (threadIdx.x < n) to[threadIdx.x] = now[threadIdx.x];
}

inline Problem wavelet_haar_problem(unsigned rows) {
  auto in = uniform(rows * kWaveletWidth, 3), out = room<float>(rows * kWaveletWidth);
  const unsigned pairs = rows * kWaveletPairs;
  return Problem{[=] {
                   wavelet_haar<<<blocks_of(pairs), kBlock>>>(in->data(), out->data(),
                                                              static_cast<int>(pairs));
                 },
                 [=] {
                   return agrees(out, [=](unsigned i) {
                     const unsigned row = i / kWaveletWidth, at = i % kWaveletWidth;
                     const float* x = &in->host[row * kWaveletWidth + at % kWaveletPairs * 2];
                     return (at < kWaveletPairs ? x[0] + x[1] : x[0] - x[1]) * kWaveletRoot;
                   });
                 }};
}
inline Problem wavelet_lifting_problem(unsigned rows) {
  auto data = array<int>(rows * kWaveletWidth, [](unsigned i) { return mixed(i + 77) % 4096; });
  return Problem{
      [=] { wavelet_lifting<<<blocks_of(rows, 64), 64>>>(data->data(), static_cast<int>(rows)); },
      [=] {
        return agrees(data, [=](unsigned i) {
          const int at = static_cast<int>(i) % kWaveletWidth;
          const int* x = &data->host[i - at];
          const auto detail = [=](int k) {
            return x[k] - ((x[k - 1] + x[k + 1 < kWaveletWidth ? k + 1 : k - 1]) >> 1);
          };
          if (at % 2) return detail(at);
          return x[at] + ((detail(at ? at - 1 : 1) + detail(at + 1) + 2) >> 2);
        });
      },
      [=] { data->restore(); }};
}
inline Problem wavelet_daubechies_problem(unsigned rows) {
  auto in = uniform<double>(rows * kWaveletWidth, 4);
  auto low = room<double>(rows * kWaveletPairs), high = room<double>(rows * kWaveletPairs);
  return Problem{
      [=] { wavelet_daubechies<<<rows, kWaveletThreads>>>(in->data(), low->data(), high->data()); },
      [=] {
        const auto wanted = [=](unsigned i, bool detail) {
          const double* x = &in->host[i / kWaveletPairs * kWaveletWidth];
          double sum = 0;
          for (int k = 0; k < 4; ++k) {
            const double w = detail ? (k % 2 ? -1 : 1) * wavelet_d4(3 - k) : wavelet_d4(k);
            sum += w * x[(i % kWaveletPairs * 2 + k) % kWaveletWidth];
          }
          return sum;
        };
        return agrees(
                   low, [=](unsigned i) { return wanted(i, false); }, 1e-9) &&
               agrees(
                   high, [=](unsigned i) { return wanted(i, true); }, 1e-9);
      }};
}
inline Problem wavelet_levels_problem(unsigned rows) {
  auto in = uniform(rows * kWaveletWidth, 5), out = room<float>(rows * kWaveletWidth);
  return Problem{[=] {
                   wavelet_levels<<<rows, 128>>>(reinterpret_cast<const float4*>(in->data()),
                                                 out->data());
                 },
                 [=] {
                   return agrees(out, [=](unsigned i) {
                     const int at = static_cast<int>(i) % kWaveletWidth;
                     int level = 1;
                     while (level < kWaveletLevels && at < kWaveletWidth >> level) ++level;
                     const int n = kWaveletWidth >> level, span = 1 << level;
                     const float* x = &in->host[i - at + at % n * span];
                     double sum = 0;
                     for (int k = 0; k < span; ++k) sum += at >= n && k >= span / 2 ? -x[k] : x[k];
                     return sum * std::pow(kWaveletRoot, level);
                   });
                 }};
}

inline void add_wavelet(Set& set) {
  const std::vector<unsigned> sizes = {24, 2500, 14700};
  set.add("wavelet_haar", sizes, wavelet_haar_problem);
  set.add("wavelet_lifting", sizes, wavelet_lifting_problem);
  set.add("wavelet_daubechies", {24, 1250, 9100}, wavelet_daubechies_problem);
  set.add("wavelet_levels", sizes, wavelet_levels_problem);
}

}  // namespace timing_set

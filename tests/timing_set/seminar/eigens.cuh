// SPDX-License-Identifier: MIT
// Many small dense problems at once: eigenvalues of symmetric matrices of three rows, a thread for each; systems of six
// equations in double, a thread for each, where equal elements of all systems lie side by side; matrices of sixteen rows
// into two triangles with pivots, half a warp for each; and those of twelve rows made triangular by reflections, a block
// for each, in shared memory.
#pragma once

#include "../set.cuh"

namespace timing_set {

// Six numbers for a matrix: 00, 01, 02, 11, 12, 22. The largest eigenvalue first.
template <class T>
__host__ __device__ inline void eigens_of_three(const T* a, T* values) {
  const T mean = (a[0] + a[3] + a[5]) / 3;
  const T x = a[0] - mean, y = a[3] - mean, z = a[5] - mean;
  const T size = x * x + y * y + z * z + 2 * (a[1] * a[1] + a[2] * a[2] + a[4] * a[4]);
  const T p = sqrt(size / 6);
  if (p < T(1e-12)) {
    values[0] = values[1] = values[2] = mean;
    return;
  }
  const T determinant =
      x * (y * z - a[4] * a[4]) - a[1] * (a[1] * z - a[4] * a[2]) + a[2] * (a[1] * a[4] - y * a[2]);
  T r = determinant / (2 * p * p * p);
  r = r < -1 ? T(-1) : r > 1 ? T(1) : r;
  const T angle = acos(r) / 3;
  values[0] = mean + 2 * p * cos(angle);
  values[2] = mean + 2 * p * cos(angle + T(2.0943951023931953));
  values[1] = 3 * mean - values[0] - values[2];
}

__global__ void eigens_three(const float* matrices, float* values, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  float a[6], found[3];
  for (int k = 0; k < 6; ++k) a[k] = matrices[6 * i + k];
  eigens_of_three(a, found);
  for (int k = 0; k < 3; ++k) values[3 * i + k] = found[k];
}

constexpr int kEigensSix = 6;

__global__ void eigens_six(const double* __restrict__ matrices, const double* __restrict__ right,
                           double* __restrict__ out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a[kEigensSix][kEigensSix], x[kEigensSix];
#pragma unroll
  for (int r = 0; r < kEigensSix; ++r) {
#pragma unroll
    for (int c = 0; c < kEigensSix; ++c) a[r][c] = matrices[(r * kEigensSix + c) * n + i];
    x[r] = right[r * n + i];
  }
#pragma unroll
  for (int k = 0; k < kEigensSix; ++k) {
    const double inverse = 1 / a[k][k];
#pragma unroll
    for (int r = k + 1; r < kEigensSix; ++r) {
      const double factor = a[r][k] * inverse;
#pragma unroll
      for (int c = k + 1; c < kEigensSix; ++c) a[r][c] -= factor * a[k][c];
      x[r] -= factor * x[k];
    }
  }
#pragma unroll
  for (int k = kEigensSix - 1; k >= 0; --k) {
#pragma unroll
    for (int c = k + 1; c < kEigensSix; ++c) x[k] -= a[k][c] * x[c];
    x[k] /= a[k][k];
    out[k * n + i] = x[k];
  }
}

constexpr int kEigensHalf = 16;

// Each lane has a row. Rows stay where they are; order says which row became the k-th.
__global__ void __launch_bounds__(128)
    eigens_half(const float* __restrict__ matrices, float* __restrict__ factors, int* order,
                unsigned n) {
  const unsigned number = thread_number() / kEigensHalf;
  const unsigned mine = min(number, n - 1);  // all lanes are needed for the shuffles
  const int lane = threadIdx.x % kEigensHalf;
  float row[kEigensHalf];
  const float* from = matrices + (mine * kEigensHalf + lane) * kEigensHalf;
#pragma unroll
  for (int c = 0; c < kEigensHalf; ++c) row[c] = from[c];
  int place = -1;
#pragma unroll
  for (int k = 0; k < kEigensHalf; ++k) {
    float best = place < 0 ? fabsf(row[k]) : -1;
    int who = lane;
#pragma unroll
    for (int d = kEigensHalf / 2; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(kAll, best, d, kEigensHalf);
      const int its = __shfl_xor_sync(kAll, who, d, kEigensHalf);
      if (other > best || (other == best && its < who)) {
        best = other;
        who = its;
      }
    }
    if (lane == who) place = k;
    const float pivot = __shfl_sync(kAll, row[k], who, kEigensHalf);
    const float factor = place < 0 ? row[k] / pivot : 0;
#pragma unroll
    for (int c = k + 1; c < kEigensHalf; ++c)
      row[c] -= factor * __shfl_sync(kAll, row[c], who, kEigensHalf);
    if (place < 0) row[k] = factor;
  }
  if (number >= n) return;
  float* to = factors + (mine * kEigensHalf + place) * kEigensHalf;
#pragma unroll
  for (int c = 0; c < kEigensHalf; ++c) to[c] = row[c];
  order[mine * kEigensHalf + place] = lane;
}

constexpr int kEigensTwelve = 12;

__global__ void eigens_block(const float* matrices, float* triangles) {
  constexpr int N = kEigensTwelve;
  __shared__ float a[N][N + 1], v[N], dot[N];
  __shared__ float scale;
  const int c = threadIdx.x, r = threadIdx.y;
  const unsigned i = (blockIdx.x * N + r) * N + c;
  a[r][c] = matrices[i];
  __syncthreads();
  for (int k = 0; k < N - 1; ++k) {
    if (c == 0 && r == 0) {  // the reflection that clears column k
      float sum = 0;
      for (int m = k; m < N; ++m) {
        v[m] = a[m][k];
        sum += v[m] * v[m];
      }
      const float head = v[k];
      v[k] += copysignf(sqrtf(sum), head);
      scale = 2 / (sum - head * head + v[k] * v[k]);
    }
    __syncthreads();
    if (r == 0 && c >= k) {
      float sum = 0;
      for (int m = k; m < N; ++m) sum += v[m] * a[m][c];
      dot[c] = sum * scale;
    }
    __syncthreads();
    if (r >= k && c >= k) a[r][c] -= v[r] * dot[c];
    __syncthreads();
  }
  triangles[i] = r <= c ? a[r][c] : 0;
}

inline Problem eigens_three_problem(unsigned n) {
  auto matrices = uniform(std::size_t(n) * 6, 41);
  auto values = room<float>(std::size_t(n) * 3);
  return Problem{
      [=] { eigens_three<<<blocks_of(n), kBlock>>>(matrices->data(), values->data(), n); },
      [=] {
        const auto wanted = [&](unsigned i) {
          double a[6], found[3];
          for (unsigned k = 0; k < 6; ++k) a[k] = matrices->host[i / 3 * 6 + k];
          eigens_of_three(a, found);
          return found[i % 3];
        };
        return agrees(values, wanted, 2e-3);
      }};
}

inline Problem eigens_six_problem(unsigned n) {
  auto matrices = array<double>(std::size_t(n) * 36, [n](unsigned i) {  // a strong diagonal
    return mixed(i + 17) % 1000 / 1000.0 + (i / n % (kEigensSix + 1) == 0 ? 5 : 0);
  });
  auto right = uniform<double>(std::size_t(n) * kEigensSix, 42);
  auto out = room<double>(std::size_t(n) * kEigensSix);
  return Problem{[=] {
                   eigens_six<<<blocks_of(n, 64), 64>>>(matrices->data(), right->data(),
                                                        out->data(), n);
                 },
                 [=] {
                   const std::vector<double> got = out->device.download();
                   for (std::size_t i = 0; i < n; i += (n - 1 - i) / 500 + 1)
                     for (unsigned r = 0; r < kEigensSix; ++r) {
                       double sum = 0;
                       for (unsigned c = 0; c < kEigensSix; ++c)
                         sum += matrices->host[std::size_t(r * kEigensSix + c) * n + i] *
                                got[std::size_t(c) * n + i];
                       if (!near(sum, right->host[std::size_t(r) * n + i], 1e-9)) return false;
                     }
                   return true;
                 }};
}

inline Problem eigens_half_problem(unsigned n) {
  constexpr unsigned N = kEigensHalf;
  auto matrices = uniform(std::size_t(n) * N * N, 43);
  auto factors = room<float>(std::size_t(n) * N * N);
  auto order = room<int>(std::size_t(n) * N);
  return Problem{[=] {
                   eigens_half<<<blocks_of(std::size_t(n) * N, 128), 128>>>(
                       matrices->data(), factors->data(), order->data(), n);
                 },
                 [=] {
                   const std::vector<int> rows = order->device.download();
                   const auto all = factors->device.download();
                   for (std::size_t i = 0; i < n; i += (n - 1 - i) / 100 + 1)
                     for (unsigned k = 0; k < N * N; ++k) {
                       const unsigned r = k / N, c = k % N, row = unsigned(rows[i * N + r]);
                       const float* f = all.data() + i * N * N;
                       double sum =
                           r <= c ? f[k] : 0;  // the lower triangle has ones in its diagonal
                       for (unsigned m = 0; m < r && m <= c; ++m)
                         sum += double(f[r * N + m]) * f[m * N + c];
                       if (row >= N || !near(sum, matrices->host[(i * N + row) * N + c], 1e-4))
                         return false;
                     }
                   return true;
                 }};
}

inline Problem eigens_block_problem(unsigned n) {
  constexpr unsigned N = kEigensTwelve;
  auto matrices = uniform(std::size_t(n) * N * N, 44);
  auto triangles = room<float>(std::size_t(n) * N * N);
  return Problem{[=] { eigens_block<<<n, dim3(N, N)>>>(matrices->data(), triangles->data()); },
                 [=] {  // the products of the columns stay what they were
                   const std::vector<float> got = triangles->device.download();
                   for (std::size_t i = 0; i < n; i += (n - 1 - i) / 100 + 1)
                     for (unsigned k = 0; k < N * N; ++k) {
                       double was = 0, is = 0;
                       for (unsigned m = i * N * N; m < (i + 1) * N * N; m += N) {
                         was += double(matrices->host[m + k / N]) * matrices->host[m + k % N];
                         is += double(got[m + k / N]) * got[m + k % N];
                       }
                       if (!near(is, was, 1e-4)) return false;
                       if (k / N > k % N && got[i * N * N + k] != 0) return false;
                     }
                   return true;
                 }};
}

inline void add_eigens(Set& set) {
  set.add("eigens_three", {2001, 600000, 2500001}, eigens_three_problem);
  set.add("eigens_six", {1500, 90000, 800000}, eigens_six_problem);
  set.add("eigens_half", {301, 8000, 30001}, eigens_half_problem);
  set.add("eigens_block", {200, 3000, 12000}, eigens_block_problem);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Householder reflections of n vectors of 96 numbers, in place: x -= tau (v x) v. The vectors are columns, a thread each
// (double), or rows, a thread each (double); rows with a warp each, whose lanes keep their three numbers; and panels of
// 32 columns in shared memory, which three reflections go over, one after the other.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kHouseholderLong = 96, kHouseholderTimes = 3, kHouseholderWide = 32;

__global__ void householder_columns(double* a, const double* v, double tau, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n) return;
  double sum = 0;
  for (int r = 0; r < kHouseholderLong; ++r) sum += v[r] * a[r * n + column];
  sum *= tau;
  for (int r = 0; r < kHouseholderLong; ++r) a[r * n + column] -= sum * v[r];
}

__global__ void householder_rows(double* a, const double* v, double tau, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  double sum = 0;
  for (int c = 0; c < kHouseholderLong; ++c) sum += a[row * kHouseholderLong + c] * v[c];
  for (int c = 0; c < kHouseholderLong; ++c) a[row * kHouseholderLong + c] -= tau * sum * v[c];
}

__global__ void householder_warps(float* a, const float* v, float tau, int n) {
  constexpr int kEach = kHouseholderLong / 32;
  const int lane = threadIdx.x, step = gridDim.x * blockDim.y;
  float mine[kEach], x[kEach];
#pragma unroll
  for (int k = 0; k < kEach; ++k) mine[k] = v[32 * k + lane];
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < n; row += step) {
    float* const at = a + row * kHouseholderLong + lane;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      x[k] = at[32 * k];
      sum += x[k] * mine[k];
    }
    sum = tau * warp_sum(sum);
#pragma unroll
    for (int k = 0; k < kEach; ++k) at[32 * k] = x[k] - sum * mine[k];
  }
}

template <int kDeep>  // rows of threads
__global__ void householder_panels(float* a, const float* v, const float* tau, int n) {
  __shared__ float panel[kHouseholderLong][kHouseholderWide];
  __shared__ float parts[kDeep][kHouseholderWide];
  const int x = threadIdx.x, column = blockIdx.x * kHouseholderWide + x;
  for (int r = threadIdx.y; r < kHouseholderLong; r += kDeep)
    panel[r][x] = column < n ? a[r * n + column] : 0.0f;  // each thread uses only what it wrote
  for (int t = 0; t < kHouseholderTimes; ++t) {
    const float* const vector = v + t * kHouseholderLong;
    float part = 0;
    for (int r = threadIdx.y; r < kHouseholderLong; r += kDeep) part += vector[r] * panel[r][x];
    parts[threadIdx.y][x] = part;
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kDeep; ++k) sum += parts[k][x];
    sum *= tau[t];
    for (int r = threadIdx.y; r < kHouseholderLong; r += kDeep) panel[r][x] -= sum * vector[r];
    __syncthreads();
  }
  if (column >= n) return;
  for (int r = threadIdx.y; r < kHouseholderLong; r += kDeep) a[r * n + column] = panel[r][x];
}

// A vector of the array, element by element; columns: element k of vector i is at k * n + i.
struct HouseholderLayout {
  bool columns;
  unsigned n;
  unsigned vector_of(unsigned at) const { return columns ? at % n : at / kHouseholderLong; }
  unsigned element_of(unsigned at) const { return columns ? at / n : at % kHouseholderLong; }
  unsigned at(unsigned vector, unsigned k) const {
    return columns ? k * n + vector : vector * kHouseholderLong + k;
  }
};

// Reflectors, and two over the squared length of each.
template <class T>
struct HouseholderVectors {
  Shared<T> v, tau;
};
template <class T>
HouseholderVectors<T> householder_vectors() {
  auto v = array<T>(kHouseholderLong * kHouseholderTimes,
                    [](unsigned i) { return (mixed(i + 400) % 1024) / 512.0 - 1; });
  std::vector<T> tau(kHouseholderTimes);
  for (int t = 0; t < kHouseholderTimes; ++t) {
    double squares = 0;
    for (int k = 0; k < kHouseholderLong; ++k) {
      const double x = v->host[t * kHouseholderLong + k];
      squares += x * x;
    }
    tau[t] = static_cast<T>(2 / squares);
  }
  return {v, array(std::move(tau))};
}

template <class T>
bool householder_right(const Shared<T>& a, const HouseholderVectors<T>& by,
                       const HouseholderLayout& layout, int times) {
  return agrees(a, [&](unsigned i) {
    double x[kHouseholderLong];
    for (int k = 0; k < kHouseholderLong; ++k) x[k] = a->host[layout.at(layout.vector_of(i), k)];
    for (int t = 0; t < times; ++t) {
      const T* const v = by.v->host.data() + t * kHouseholderLong;
      double sum = 0;
      for (int k = 0; k < kHouseholderLong; ++k) sum += x[k] * v[k];
      for (int k = 0; k < kHouseholderLong; ++k) x[k] -= by.tau->host[t] * sum * v[k];
    }
    return x[layout.element_of(i)];
  });
}

template <class T, class Function, class Grid>
std::function<Problem(unsigned)> householder_problem(Function kernel, bool columns, dim3 block,
                                                     Grid grid) {
  return [=](unsigned n) {
    auto a = uniform<T>(std::size_t{n} * kHouseholderLong, 21);
    const auto by = householder_vectors<T>();
    const T tau = by.tau->host[0];
    const unsigned blocks = grid(n);
    return Problem{
        [=] { kernel<<<blocks, block>>>(a->data(), by.v->data(), tau, static_cast<int>(n)); },
        [=] {
          return householder_right(a, by, HouseholderLayout{columns, n}, 1);
        },
        [=] { a->restore(); }};
  };
}

inline Problem householder_panels_problem(unsigned n) {
  auto a = uniform(std::size_t{n} * kHouseholderLong, 22);
  const auto by = householder_vectors<float>();
  return Problem{[=] {
                   householder_panels<6>
                       <<<blocks_of(n, kHouseholderWide), dim3(kHouseholderWide, 6)>>>(
                           a->data(), by.v->data(), by.tau->data(), static_cast<int>(n));
                 },
                 [=] {
                   return householder_right(a, by, HouseholderLayout{true, n}, kHouseholderTimes);
                 },
                 [=] { a->restore(); }};
}

inline void add_householder(Set& set) {
  const std::vector<unsigned> sizes = {600, 18000, 170000};
  set.add("householder_columns", sizes,
          householder_problem<double>(householder_columns, true, dim3(128),
                                      [](unsigned n) { return blocks_of(n, 128); }));
  set.add("householder_rows", sizes,
          householder_problem<double>(householder_rows, false, dim3(64),
                                      [](unsigned n) { return blocks_of(n, 64); }));
  set.add("householder_warps", sizes,
          householder_problem<float>(householder_warps, false, dim3(32, 8),
                                     [](unsigned n) { return std::min(blocks_of(n, 8), 1320u); }));
  set.add("householder_panels", sizes, householder_panels_problem);
}

}  // namespace timing_set

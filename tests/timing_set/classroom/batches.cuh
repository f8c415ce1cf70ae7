// SPDX-License-Identifier: MIT
// Many small problems at once: inverses of 3 by 3 matrices, a thread for each; products of 8 by 8
// matrices, a thread for each element; tridiagonal systems of doubles, solved in place by a thread
// for each, with the systems interleaved; and Cholesky factors of 16 by 16 matrices in shared
// memory, a thread for each row.
#pragma once
#include "../set.cuh"

namespace timing_set {

template <class T>
__host__ __device__ void batches_invert(const T* m, T* out) {
  const T c0 = m[4] * m[8] - m[5] * m[7];
  const T c1 = m[5] * m[6] - m[3] * m[8];
  const T c2 = m[3] * m[7] - m[4] * m[6];
  const T scale = 1 / (m[0] * c0 + m[1] * c1 + m[2] * c2);
  out[0] = c0 * scale;
  out[1] = (m[2] * m[7] - m[1] * m[8]) * scale;
  out[2] = (m[1] * m[5] - m[2] * m[4]) * scale;
  out[3] = c1 * scale;
  out[4] = (m[0] * m[8] - m[2] * m[6]) * scale;
  out[5] = (m[2] * m[3] - m[0] * m[5]) * scale;
  out[6] = c2 * scale;
  out[7] = (m[1] * m[6] - m[0] * m[7]) * scale;
  out[8] = (m[0] * m[4] - m[1] * m[3]) * scale;
}

__global__ void batches_inverses(const float* matrices, float* inverses, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float m[9], inverse[9];
  for (unsigned k = 0; k < 9; ++k) m[k] = matrices[9 * i + k];
  batches_invert(m, inverse);
  for (unsigned k = 0; k < 9; ++k) inverses[9 * i + k] = inverse[k];
}

constexpr unsigned kBatchesSide = 8;

// Blocks of 8 by 8 by 8: eight products in each.
__global__ void batches_products(const float* a, const float* b, float* c, unsigned count) {
  __shared__ float tile_a[8][kBatchesSide][kBatchesSide];
  __shared__ float tile_b[8][kBatchesSide][kBatchesSide];
  const unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const unsigned matrix = blockIdx.x * blockDim.z + z;
  const unsigned i = (matrix * kBatchesSide + y) * kBatchesSide + x;
  if (matrix < count) {
    tile_a[z][y][x] = a[i];
    tile_b[z][y][x] = b[i];
  }
  __syncthreads();
  if (matrix < count) {
    float sum = 0;
    for (unsigned k = 0; k < kBatchesSide; ++k) sum += tile_a[z][y][k] * tile_b[z][k][x];
    c[i] = sum;
  }
}

constexpr unsigned kBatchesUnknowns = 64;

// The algorithm of Thomas: what is above the diagonal and the right sides are overwritten, the
// latter by the results.
__global__ void batches_tridiagonal(const double* __restrict__ below,
                                    const double* __restrict__ diagonal, double* __restrict__ above,
                                    double* __restrict__ right, unsigned systems) {
  const unsigned s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems) return;
  double upper = above[s] / diagonal[s];
  double value = right[s] / diagonal[s];
  above[s] = upper;
  right[s] = value;
  for (unsigned k = 1; k < kBatchesUnknowns; ++k) {
    const unsigned i = k * systems + s;
    const double scale = 1.0 / (diagonal[i] - below[i] * upper);
    upper = above[i] * scale;
    value = (right[i] - below[i] * value) * scale;
    above[i] = upper;
    right[i] = value;
  }
  for (unsigned k = kBatchesUnknowns - 1; k-- > 0;) {
    const unsigned i = k * systems + s;
    value = right[i] - above[i] * value;
    right[i] = value;
  }
}

constexpr unsigned kBatchesOrder = 16;
constexpr unsigned kBatchesElements = kBatchesOrder * kBatchesOrder;
constexpr unsigned kBatchesTogether = 8;  // matrices of a block

__global__ void batches_cholesky(const float* matrices, float* factors, unsigned count) {
  __shared__ float tiles[kBatchesTogether][kBatchesOrder][kBatchesOrder + 1];
  const unsigned first = blockIdx.x * kBatchesTogether;
  const unsigned here = min(kBatchesTogether, count - first);
  for (unsigned e = threadIdx.x; e < here * kBatchesElements; e += blockDim.x)
    tiles[e / kBatchesElements][e / kBatchesOrder % kBatchesOrder][e % kBatchesOrder] =
        matrices[first * kBatchesElements + e];
  __syncthreads();
  const unsigned which = threadIdx.x / kBatchesOrder, row = threadIdx.x % kBatchesOrder;
  float(*m)[kBatchesOrder + 1] = tiles[which];
  for (unsigned k = 0; k < kBatchesOrder; ++k) {
    float sum = 0;
    if (which < here && row >= k) {
      sum = m[row][k];
      for (unsigned j = 0; j < k; ++j) sum -= m[row][j] * m[k][j];
      if (row == k) m[k][k] = sqrtf(sum);
    }
    __syncthreads();
    if (which < here && row > k) m[row][k] = sum / m[k][k];
    __syncthreads();
  }
  for (unsigned e = threadIdx.x; e < here * kBatchesElements; e += blockDim.x) {
    const unsigned y = e / kBatchesOrder % kBatchesOrder, x = e % kBatchesOrder;
    factors[first * kBatchesElements + e] = x <= y ? tiles[e / kBatchesElements][y][x] : 0.0f;
  }
}

inline float batches_number(unsigned i) { return float(mixed(i + 41) >> 16) / 65536; }

inline Problem batches_inverses_problem(unsigned n) {
  auto in = array<float>(std::size_t{9} * n, [](unsigned i) {
    return batches_number(i) + (i % 9 % 4 == 0 ? 2 : 0);  // more on the diagonal
  });
  auto out = room<float>(std::size_t{9} * n);
  return Problem{[=] { batches_inverses<<<blocks_of(n), kBlock>>>(in->data(), out->data(), n); },
                 [=] {
                   return agrees(out, [&](unsigned i) {
                     double m[9], inverse[9];
                     for (unsigned k = 0; k < 9; ++k) m[k] = in->host[i / 9 * 9 + k];
                     batches_invert(m, inverse);
                     return inverse[i % 9];
                   });
                 }};
}

inline Problem batches_products_problem(unsigned n) {
  const std::size_t all = std::size_t{n} * kBatchesSide * kBatchesSide;
  auto a = uniform(all, 42), b = uniform(all, 43), c = room<float>(all);
  const auto launch = [=] {
    batches_products<<<blocks_of(n, 8), dim3(kBatchesSide, kBatchesSide, 8)>>>(a->data(), b->data(),
                                                                               c->data(), n);
  };
  return Problem{launch, [=] {
                   return agrees(c, [&](unsigned i) {
                     const unsigned first = i / 64 * 64, y = i / 8 % 8, x = i % 8;
                     double sum = 0;
                     for (unsigned k = 0; k < kBatchesSide; ++k)
                       sum += double(a->host[first + 8 * y + k]) * b->host[first + 8 * k + x];
                     return sum;
                   });
                 }};
}

inline Problem batches_tridiagonal_problem(unsigned n) {
  const std::size_t all = std::size_t{n} * kBatchesUnknowns;
  auto below = uniform<double>(all, 44), above = uniform<double>(all, 45);
  auto diagonal = array<double>(all, [](unsigned i) { return 2.5 + batches_number(i); });
  auto right = uniform<double>(all, 46);
  const auto wanted = [=](unsigned i) {
    double upper[kBatchesUnknowns], value[kBatchesUnknowns];
    for (unsigned k = 0; k < kBatchesUnknowns; ++k) {
      const unsigned e = k * n + i % n;
      const double low = k > 0 ? below->host[e] : 0;
      const double scale = 1 / (diagonal->host[e] - low * (k > 0 ? upper[k - 1] : 0));
      upper[k] = above->host[e] * scale;
      value[k] = (right->host[e] - low * (k > 0 ? value[k - 1] : 0)) * scale;
    }
    for (unsigned k = kBatchesUnknowns - 1; k-- > i / n;) value[k] -= upper[k] * value[k + 1];
    return value[i / n];
  };
  return Problem{[=] {
                   batches_tridiagonal<<<blocks_of(n, 64), 64>>>(below->data(), diagonal->data(),
                                                                 above->data(), right->data(), n);
                 },
                 [=] { return agrees(right, wanted, 1e-9); },
                 [=] {
                   above->restore();
                   right->restore();
                 }};
}

inline Problem batches_cholesky_problem(unsigned n) {
  auto in = array<float>(std::size_t{n} * kBatchesElements, [](unsigned i) {
    const unsigned first = i / kBatchesElements * kBatchesElements;
    const unsigned y = i / kBatchesOrder % kBatchesOrder, x = i % kBatchesOrder;
    return batches_number(first + std::max(x, y) * kBatchesOrder + std::min(x, y)) +
           (x == y ? kBatchesOrder : 0);
  });
  auto out = room<float>(std::size_t{n} * kBatchesElements);
  const auto wanted = [=](unsigned i) {
    const float* of = &in->host[i / kBatchesElements * kBatchesElements];
    double m[kBatchesOrder][kBatchesOrder] = {};
    for (unsigned y = 0; y < kBatchesOrder; ++y)
      for (unsigned x = 0; x <= y; ++x) {
        double sum = of[y * kBatchesOrder + x];
        for (unsigned k = 0; k < x; ++k) sum -= m[y][k] * m[x][k];
        m[y][x] = x == y ? std::sqrt(sum) : sum / m[x][x];
      }
    return m[i / kBatchesOrder % kBatchesOrder][i % kBatchesOrder];
  };
  return Problem{
      [=] {
        batches_cholesky<<<blocks_of(n, kBatchesTogether), kBatchesTogether * kBatchesOrder>>>(
            in->data(), out->data(), n);
      },
      [=] { return agrees(out, wanted); }};
}

inline void add_batches(Set& set) {
  set.add("batches_inverses", {3000, 400000, 3000003}, batches_inverses_problem);
  set.add("batches_products", {500, 40000, 120001}, batches_products_problem);
  set.add("batches_tridiagonal", {500, 12000, 50000}, batches_tridiagonal_problem);
  set.add("batches_cholesky", {203, 15000, 40001}, batches_cholesky_problem);
}

}  // namespace timing_set

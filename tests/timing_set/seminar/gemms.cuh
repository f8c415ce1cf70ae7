// SPDX-License-Identifier: MIT
// Products of matrices, with several outputs of each thread in registers: doubles straight from memory with the second
// matrix transposed, two by two; tiles of 64x64 in shared memory with the first one transposed, four by four; halves that
// are added up in single precision, four by four; and a tall matrix times one of eight columns, a row to a thread.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kGemmsDepth = 256, kGemmsColumns = 8;  // of the skinny product

// out = a * transposed(b); n is even.
__global__ void gemms_direct(const double* a, const double* b, double* out, unsigned n) {
  const unsigned column = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  const unsigned row = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
  if (row >= n || column >= n) return;
  const double2* a0 = reinterpret_cast<const double2*>(a + row * n);
  const double2* a1 = reinterpret_cast<const double2*>(a + (row + 1) * n);
  const double2* b0 = reinterpret_cast<const double2*>(b + column * n);
  const double2* b1 = reinterpret_cast<const double2*>(b + (column + 1) * n);
  double s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (unsigned k = 0; k < n / 2; ++k) {
    const double2 p = a0[k], q = a1[k], u = b0[k], v = b1[k];
    s00 += p.x * u.x + p.y * u.y;
    s01 += p.x * v.x + p.y * v.y;
    s10 += q.x * u.x + q.y * u.y;
    s11 += q.x * v.x + q.y * v.y;
  }
  out[row * n + column] = s00;
  out[row * n + column + 1] = s01;
  out[(row + 1) * n + column] = s10;
  out[(row + 1) * n + column + 1] = s11;
}

// out = transposed(a) * b, so that both are read along their rows.
__global__ void __launch_bounds__(256)
    gemms_tiles(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out,
                unsigned n) {
  __shared__ __align__(16) float as[16][64];
  __shared__ __align__(16) float bs[16][64];
  const unsigned tid = threadIdx.y * 16 + threadIdx.x;
  const unsigned row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
  const unsigned lane = tid % 64, first = tid / 64;
  float sum[4][4] = {};
  for (unsigned k0 = 0; k0 < n; k0 += 16) {
    for (unsigned k = first; k < 16; k += 4) {
      const bool inside = k0 + k < n;
      as[k][lane] = inside && row0 + lane < n ? a[(k0 + k) * n + row0 + lane] : 0;
      bs[k][lane] = inside && column0 + lane < n ? b[(k0 + k) * n + column0 + lane] : 0;
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const float4 p = *reinterpret_cast<const float4*>(&as[k][threadIdx.y * 4]);
      const float4 q = *reinterpret_cast<const float4*>(&bs[k][threadIdx.x * 4]);
      const float x[4] = {p.x, p.y, p.z, p.w}, y[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned row = row0 + threadIdx.y * 4 + i;
    for (unsigned j = 0; j < 4; ++j) {
      const unsigned column = column0 + threadIdx.x * 4 + j;
      if (row < n && column < n) out[row * n + column] = sum[i][j];
    }
  }
}

// Blocks of 16x8 threads for 32 rows and 64 columns; all indices of columns and of k count pairs. n is even.
__global__ void gemms_halves(const __half2* a, const __half2* b, float2* out, unsigned n) {
  __shared__ __half2 as[32][17], bs[32][32];
  const unsigned tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
  const unsigned row0 = blockIdx.y * 32, column0 = blockIdx.x * 32, pairs = n / 2;
  const __half2 zero = __floats2half2_rn(0, 0);
  float2 sum[4][2] = {};
  for (unsigned k0 = 0; k0 < pairs; k0 += 16) {
    for (unsigned r = tid / 16; r < 32; r += 8) {
      const bool inside = row0 + r < n && k0 + tx < pairs;
      as[r][tx] = inside ? a[(row0 + r) * pairs + k0 + tx] : zero;
    }
    for (unsigned k = tid / 32; k < 32; k += 4) {
      const unsigned column = column0 + tid % 32;
      const bool inside = 2 * k0 + k < n && column < pairs;
      bs[k][tid % 32] = inside ? b[(2 * k0 + k) * pairs + column] : zero;
    }
    __syncthreads();
    for (unsigned k = 0; k < 16; ++k) {
      float2 even[2], odd[2];
      for (int j = 0; j < 2; ++j) {
        even[j] = __half22float2(bs[2 * k][tx + 16 * j]);
        odd[j] = __half22float2(bs[2 * k + 1][tx + 16 * j]);
      }
      for (int i = 0; i < 4; ++i) {
        const float2 x = __half22float2(as[ty + 8 * i][k]);
        for (int j = 0; j < 2; ++j) {
          sum[i][j].x += x.x * even[j].x + x.y * odd[j].x;
          sum[i][j].y += x.x * even[j].y + x.y * odd[j].y;
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    const unsigned row = row0 + ty + 8 * i;
    for (int j = 0; j < 2; ++j) {
      const unsigned column = column0 + tx + 16 * j;
      if (row < n && column < pairs) out[row * pairs + column] = sum[i][j];
    }
  }
}

__global__ void gemms_skinny(const float4* a, const float4* b, float4* out, unsigned rows) {
  __shared__ float4 all[kGemmsDepth * kGemmsColumns / 4];
  for (unsigned i = threadIdx.x; i < kGemmsDepth * kGemmsColumns / 4; i += blockDim.x)
    all[i] = b[i];
  __syncthreads();
  const unsigned row = thread_number();
  if (row >= rows) return;
  float sum[kGemmsColumns] = {};
  for (unsigned k = 0; k < kGemmsDepth / 4; ++k) {
    const float4 four = a[row * (kGemmsDepth / 4) + k];
    const float x[4] = {four.x, four.y, four.z, four.w};
    for (unsigned j = 0; j < 4; ++j) {
      const float4 p = all[(4 * k + j) * 2], q = all[(4 * k + j) * 2 + 1];
      sum[0] += x[j] * p.x;
      sum[1] += x[j] * p.y;
      sum[2] += x[j] * p.z;
      sum[3] += x[j] * p.w;
      sum[4] += x[j] * q.x;
      sum[5] += x[j] * q.y;
      sum[6] += x[j] * q.z;
      sum[7] += x[j] * q.w;
    }
  }
  out[row * 2] = make_float4(sum[0], sum[1], sum[2], sum[3]);
  out[row * 2 + 1] = make_float4(sum[4], sum[5], sum[6], sum[7]);
}

// a(row, k) and b(k, column) are the elements on the host.
template <class T, class A, class B>
bool gemms_right(const Shared<T>& out, unsigned columns, unsigned depth, A a, B b) {
  return agrees(out, [&](unsigned i) {
    double sum = 0;
    for (unsigned k = 0; k < depth; ++k) sum += double(a(i / columns, k)) * b(k, i % columns);
    return sum;
  });
}

inline Problem gemms_direct_problem(unsigned n) {
  auto a = uniform<double>(n * n, 41), b = uniform<double>(n * n, 42);
  auto out = room<double>(n * n);
  return Problem{[=] {
                   const dim3 grid(blocks_of(n, 32), blocks_of(n, 32));
                   gemms_direct<<<grid, dim3(16, 16)>>>(a->data(), b->data(), out->data(), n);
                 },
                 [=] {
                   return gemms_right(
                       out, n, n, [&](unsigned r, unsigned k) { return a->host[r * n + k]; },
                       [&](unsigned k, unsigned c) { return b->host[c * n + k]; });
                 }};
}

inline Problem gemms_tiles_problem(unsigned n) {
  auto a = uniform(n * n, 43), b = uniform(n * n, 44), out = room<float>(n * n);
  return Problem{[=] {
                   const dim3 grid(blocks_of(n, 64), blocks_of(n, 64));
                   gemms_tiles<<<grid, dim3(16, 16)>>>(a->data(), b->data(), out->data(), n);
                 },
                 [=] {
                   return gemms_right(
                       out, n, n, [&](unsigned r, unsigned k) { return a->host[k * n + r]; },
                       [&](unsigned k, unsigned c) { return b->host[k * n + c]; });
                 }};
}

inline Problem gemms_halves_problem(unsigned n) {
  const auto halves = [](unsigned i) { return __half(float(int(mixed(i) % 65) - 32) / 16); };
  auto a = array<__half>(n * n, halves);
  auto b = array<__half>(n * n, [=](unsigned i) { return halves(i + 123456789); });
  auto out = room<float>(n * n);
  return Problem{[=] {
                   const dim3 grid(blocks_of(n, 64), blocks_of(n, 32));
                   gemms_halves<<<grid, dim3(16, 8)>>>(reinterpret_cast<const __half2*>(a->data()),
                                                       reinterpret_cast<const __half2*>(b->data()),
                                                       reinterpret_cast<float2*>(out->data()), n);
                 },
                 [=] {
                   return gemms_right(
                       out, n, n,
                       [&](unsigned r, unsigned k) { return __half2float(a->host[r * n + k]); },
                       [&](unsigned k, unsigned c) { return __half2float(b->host[k * n + c]); });
                 }};
}

inline Problem gemms_skinny_problem(unsigned rows) {
  auto a = uniform(std::size_t{rows} * kGemmsDepth, 45),
       b = uniform(kGemmsDepth * kGemmsColumns, 46);
  auto out = room<float>(rows * kGemmsColumns);
  const auto fours = [](const Shared<float>& x) { return reinterpret_cast<float4*>(x->data()); };
  return Problem{
      [=] { gemms_skinny<<<blocks_of(rows, 128), 128>>>(fours(a), fours(b), fours(out), rows); },
      [=] {
        return gemms_right(
            out, kGemmsColumns, kGemmsDepth,
            [&](unsigned r, unsigned k) { return a->host[r * kGemmsDepth + k]; },
            [&](unsigned k, unsigned c) { return b->host[k * kGemmsColumns + c]; });
      }};
}

inline void add_gemms(Set& set) {
  const std::vector<unsigned> sizes = {90, 330, 540};  // even
  set.add("gemms_direct", sizes, gemms_direct_problem);
  set.add("gemms_tiles", sizes, gemms_tiles_problem);
  set.add("gemms_halves", sizes, gemms_halves_problem);
  set.add("gemms_skinny", {1000, 12000, 60001}, gemms_skinny_problem);  // rows
}

}  // namespace timing_set

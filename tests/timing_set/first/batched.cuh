// SPDX-License-Identifier: MIT
// Many small problems, one per thread: systems of 3 x 3 (stored as structs and as planes), products of 4 x 4, and
// factors of 8 x 8 with the matrix in a local array.
#pragma once
#include "../set.cuh"

namespace timing_set {

// Cramer's rule. At in[k * step]: matrix 0 to 8 by rows, right-hand side 9 to 11.
__host__ __device__ inline float solution_of_3(const float* in, unsigned step, unsigned unknown) {
  float a[9];
  for (unsigned k = 0; k < 9; ++k) a[k] = in[k * step];
  const auto det = [&](int p, int q, int r, int s) { return a[p] * a[s] - a[q] * a[r]; };
  const float whole = a[0] * det(4, 5, 7, 8) - a[1] * det(3, 5, 6, 8) + a[2] * det(3, 4, 6, 7);
  for (unsigned k = 0; k < 3; ++k) a[3 * k + unknown] = in[(9 + k) * step];
  return (a[0] * det(4, 5, 7, 8) - a[1] * det(3, 5, 6, 8) + a[2] * det(3, 4, 6, 7)) / whole;
}
template <bool Planes>
__global__ void solve_3(const float* in, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
#pragma unroll
  for (unsigned k = 0; k < 3; ++k)
    out[Planes ? k * n + i : i * 3 + k] =
        solution_of_3(in + (Planes ? i : i * 12), Planes ? n : 1, k);
}
__global__ void multiply_4(const float4* a, const float4* b, float4* c, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  float4 rows[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) rows[k] = b[i * 4 + k];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const float4 x = a[i * 4 + r];
    float4 sum;
    sum.x = x.x * rows[0].x + x.y * rows[1].x + x.z * rows[2].x + x.w * rows[3].x;
    sum.y = x.x * rows[0].y + x.y * rows[1].y + x.z * rows[2].y + x.w * rows[3].y;
    sum.z = x.x * rows[0].z + x.y * rows[1].z + x.z * rows[2].z + x.w * rows[3].z;
    sum.w = x.x * rows[0].w + x.y * rows[1].w + x.z * rows[2].w + x.w * rows[3].w;
    c[i * 4 + r] = sum;
  }
}
// Cholesky's factor of a matrix of 8 x 8. The compiler is not told how many rows it has, so it unrolls no loop, and the
// matrix lies in local memory.
__host__ __device__ inline void factor(float* m, int rows) {
  for (int j = 0; j < rows; ++j) {
    float d = m[j * rows + j];
    for (int k = 0; k < j; ++k) d -= m[j * rows + k] * m[j * rows + k];
    d = sqrtf(d);
    m[j * rows + j] = d;
    for (int i = j + 1; i < rows; ++i) {
      float s = m[i * rows + j];
      for (int k = 0; k < j; ++k) s -= m[i * rows + k] * m[j * rows + k];
      m[i * rows + j] = s / d;
    }
  }
}
__global__ void cholesky_8(const float* in, float* out, unsigned n, int rows) {
  const unsigned i = thread_number();
  if (i >= n) return;
  float m[64];
#pragma unroll 1
  for (unsigned k = 0; k < 64; ++k) m[k] = in[k * n + i];
  factor(m, rows);
#pragma unroll 1
  for (unsigned k = 0; k < 64; ++k) out[k * n + i] = m[k];
}

template <bool Planes>
Problem solve_problem(unsigned n) {
  const auto place = [=](unsigned i, unsigned k, unsigned width) {
    return Planes ? k * n + i : i * width + k;
  };
  std::vector<float> values(n * 12);
  for (unsigned i = 0; i < n; ++i)
    for (unsigned k = 0; k < 12; ++k)
      values[place(i, k, 12)] = (mixed(i * 12 + k) >> 16) / 65536.f + (k < 9 && k % 4 == 0 ? 4 : 0);
  auto in = array(std::move(values)), out = room<float>(n * 3);
  return {[=] { solve_3<Planes><<<blocks_of(n), kBlock>>>(in->data(), out->data(), n); },
          [=] {
            return agrees(
                out,
                [=](unsigned at) {
                  const unsigned i = Planes ? at % n : at / 3, k = Planes ? at / n : at % 3;
                  return solution_of_3(&in->host[place(i, 0, 12)], Planes ? n : 1, k);
                },
                1e-3);
          }};
}
inline Problem multiply_problem(unsigned n) {
  auto a = uniform(n * 16, 1), b = uniform(n * 16, 2), c = room<float>(n * 16);
  const auto fours = [](const Shared<float>& x) { return reinterpret_cast<float4*>(x->data()); };
  return {[=] { multiply_4<<<blocks_of(n), kBlock>>>(fours(a), fours(b), fours(c), n); },
          [=] {
            return agrees(c, [=](unsigned at) {
              double sum = 0;
              for (unsigned k = 0; k < 4; ++k)
                sum += double{a->host[at / 4 * 4 + k]} * b->host[at / 16 * 16 + k * 4 + at % 4];
              return sum;
            });
          }};
}
inline Problem cholesky_problem(unsigned n) {
  // Symmetric, with a large diagonal.
  auto in = array<float>(n * 64, [=](unsigned at) {
    const unsigned i = at % n, r = at / n / 8, c = at / n % 8;
    return r == c ? 9.0 : (mixed(i * 64 + std::min(r, c) * 8 + std::max(r, c)) >> 16) / 65536.0;
  });
  auto out = room<float>(n * 64);
  return {[=] { cholesky_8<<<blocks_of(n, 128), 128>>>(in->data(), out->data(), n, 8); },
          [=] {
            return agrees(
                out,
                [=](unsigned at) {
                  float m[64];
                  for (unsigned k = 0; k < 64; ++k) m[k] = in->host[k * n + at % n];
                  factor(m, 8);
                  return m[at / n];
                },
                1e-3);
          }};
}

inline void add_batched(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 16, 1 << 19};
  set.add("solve_3_structs", sizes, solve_problem<false>);
  set.add("solve_3_planes", sizes, solve_problem<true>);
  set.add("multiply_4", sizes, multiply_problem);
  set.add("cholesky_8", {1 << 12, 1 << 14, 1 << 16}, cholesky_problem);
}

}  // namespace timing_set

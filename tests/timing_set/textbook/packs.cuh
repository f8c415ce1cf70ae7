// SPDX-License-Identifier: MIT
// Many small problems of 64 numbers each: linear systems with eight unknowns, one per thread;
// inverses of eight by eight matrices, one per eight lanes; products of such matrices, sixteen per
// block; and Fourier transforms of 32 complex numbers, one per warp.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kPacksSide = 8, kPacksAll = 64;

// The same element of all systems lies together. Elimination without a search for pivots.
__global__ void packs_solve(const float* __restrict__ a, const float* __restrict__ b,
                            float* __restrict__ x, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float m[kPacksSide][kPacksSide], v[kPacksSide];
#pragma unroll
  for (unsigned r = 0; r < kPacksSide; ++r) {
#pragma unroll
    for (unsigned c = 0; c < kPacksSide; ++c) m[r][c] = a[(r * kPacksSide + c) * count + i];
    v[r] = b[r * count + i];
  }
#pragma unroll
  for (unsigned k = 0; k < kPacksSide; ++k) {
    const float inverse = 1.0f / m[k][k];
#pragma unroll
    for (unsigned r = k + 1; r < kPacksSide; ++r) {
      const float factor = m[r][k] * inverse;
#pragma unroll
      for (unsigned c = k + 1; c < kPacksSide; ++c) m[r][c] -= factor * m[k][c];
      v[r] -= factor * v[k];
    }
  }
#pragma unroll
  for (int r = kPacksSide - 1; r >= 0; --r) {
#pragma unroll
    for (unsigned c = r + 1; c < kPacksSide; ++c) v[r] -= m[r][c] * v[c];
    v[r] /= m[r][r];
    x[r * count + i] = v[r];
  }
}

// Gauss and Jordan in place; a lane has a row.
__global__ void packs_inverse(const float4* a, float4* inverse, unsigned count) {
  const unsigned lane = threadIdx.x % kPacksSide;
  const unsigned number = thread_number() / kPacksSide;
  const unsigned at = (min(number, count - 1) * kPacksSide + lane) * 2;
  const float4 low = a[at], high = a[at + 1];
  float row[kPacksSide] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
  for (unsigned k = 0; k < kPacksSide; ++k) {
    const float scale = 1.0f / __shfl_sync(kAll, row[k], k, kPacksSide);
    const float factor = row[k];
#pragma unroll
    for (unsigned c = 0; c < kPacksSide; ++c) {
      if (c == k) continue;
      const float pivot = __shfl_sync(kAll, row[c], k, kPacksSide) * scale;
      row[c] = lane == k ? pivot : row[c] - factor * pivot;
    }
    row[k] = lane == k ? scale : -factor * scale;
  }
  if (number < count) {
    inverse[at] = make_float4(row[0], row[1], row[2], row[3]);
    inverse[at + 1] = make_float4(row[4], row[5], row[6], row[7]);
  }
}

constexpr unsigned kPacksProducts = 16;  // of a block of 128 threads

struct PacksMatrix {
  float at[kPacksSide][kPacksSide];
};

// A thread has a row of a product; the right factors of the block lie in shared memory.
__global__ void __launch_bounds__(kPacksProducts* kPacksSide)
    packs_product(const PacksMatrix* __restrict__ a, const PacksMatrix* __restrict__ b,
                  PacksMatrix* __restrict__ c, unsigned count) {
  __shared__ PacksMatrix right[kPacksProducts];
  const unsigned first = blockIdx.x * kPacksProducts;
  const unsigned here = min(kPacksProducts, count - first);
  const float* from = &b[first].at[0][0];
  float* to = &right[0].at[0][0];
  for (unsigned i = threadIdx.x; i < here * kPacksAll; i += blockDim.x) to[i] = from[i];
  __syncthreads();
  const unsigned which = threadIdx.x / kPacksSide, row = threadIdx.x % kPacksSide;
  if (which >= here) return;
  float left[kPacksSide], sums[kPacksSide] = {};
  for (unsigned k = 0; k < kPacksSide; ++k) left[k] = a[first + which].at[row][k];
  for (unsigned k = 0; k < kPacksSide; ++k)
    for (unsigned i = 0; i < kPacksSide; ++i) sums[i] += left[k] * right[which].at[k][i];
  for (unsigned i = 0; i < kPacksSide; ++i) c[first + which].at[row][i] = sums[i];
}

// A lane has one complex number. Its factors are the same in all transforms of the warp.
__global__ void packs_fourier(const float2* __restrict__ in, float2* __restrict__ out,
                              unsigned count) {
  const unsigned lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
  float sign[5], cosine[5], sine[5];
#pragma unroll
  for (int stage = 0; stage < 5; ++stage) {
    const unsigned half = 16u >> stage;
    const bool upper = (lane & half) != 0;
    const float angle = upper ? -static_cast<float>(lane & (half - 1)) / half : 0.0f;
    sign[stage] = upper ? -1.0f : 1.0f;
    sincospif(angle, &sine[stage], &cosine[stage]);
  }
  for (unsigned i = thread_number() / 32; i < count; i += warps) {
    float2 z = in[i * 32 + lane];
#pragma unroll
    for (int stage = 0; stage < 5; ++stage) {
      const float x = sign[stage] * z.x + __shfl_xor_sync(kAll, z.x, 16 >> stage);
      const float y = sign[stage] * z.y + __shfl_xor_sync(kAll, z.y, 16 >> stage);
      z.x = x * cosine[stage] - y * sine[stage];
      z.y = x * sine[stage] + y * cosine[stage];
    }
    out[i * 32 + (__brev(lane) >> 27)] = z;
  }
}

// Whether the matrices look like unit matrices, or vectors like others: a few hundred of them.
template <class Right>
bool packs_all(unsigned count, Right right) {
  for (unsigned i = 0; i < count; i += count / 300 | 1)
    if (!right(i)) return false;
  return right(count - 1);
}

// Element of matrix i, with a large diagonal.
inline float packs_element(unsigned i, unsigned element) {
  const float any = (mixed(i * kPacksAll + element) >> 16) / 65536.0f;
  return element % (kPacksSide + 1) == 0 ? any + 6 : any;
}

inline Problem packs_solve_problem(unsigned count) {
  auto a = array<float>(std::size_t{count} * kPacksAll,
                        [=](unsigned i) { return packs_element(i % count, i / count); });
  auto b = uniform(std::size_t{count} * kPacksSide, 4);
  auto x = room<float>(std::size_t{count} * kPacksSide);
  return Problem{
      [=] { packs_solve<<<blocks_of(count, 64), 64>>>(a->data(), b->data(), x->data(), count); },
      [=] {
        const std::vector<float> got = x->device.download();
        return packs_all(count, [&](unsigned i) {
          for (unsigned r = 0; r < kPacksSide; ++r) {
            double sum = 0;
            for (unsigned c = 0; c < kPacksSide; ++c)
              sum += double{packs_element(i, r * kPacksSide + c)} * got[c * count + i];
            if (!near(sum, b->host[r * count + i], 1e-4)) return false;
          }
          return true;
        });
      }};
}

inline Problem packs_inverse_problem(unsigned count) {
  auto a = array<float>(std::size_t{count} * kPacksAll,
                        [](unsigned i) { return packs_element(i / kPacksAll, i % kPacksAll); });
  auto inverse = room<float>(std::size_t{count} * kPacksAll);
  return Problem{[=] {
                   packs_inverse<<<blocks_of(count * kPacksSide, 192), 192>>>(
                       reinterpret_cast<const float4*>(a->data()),
                       reinterpret_cast<float4*>(inverse->data()), count);
                 },
                 [=] {
                   const std::vector<float> got = inverse->device.download();
                   return packs_all(count, [&](unsigned i) {
                     for (unsigned e = 0; e < kPacksAll; ++e) {
                       double sum = 0;
                       for (unsigned k = 0; k < kPacksSide; ++k)
                         sum += double{packs_element(i, e / kPacksSide * kPacksSide + k)} *
                                got[i * kPacksAll + k * kPacksSide + e % kPacksSide];
                       if (!near(sum, e / kPacksSide == e % kPacksSide, 1e-4)) return false;
                     }
                     return true;
                   });
                 }};
}

inline Problem packs_product_problem(unsigned count) {
  auto a = uniform(std::size_t{count} * kPacksAll, 1);
  auto b = uniform(std::size_t{count} * kPacksAll, 2);
  auto c = room<float>(std::size_t{count} * kPacksAll);
  return Problem{[=] {
                   packs_product<<<blocks_of(count, kPacksProducts), kPacksProducts * kPacksSide>>>(
                       reinterpret_cast<const PacksMatrix*>(a->data()),
                       reinterpret_cast<const PacksMatrix*>(b->data()),
                       reinterpret_cast<PacksMatrix*>(c->data()), count);
                 },
                 [=] {
                   return agrees(c, [&](unsigned i) {
                     double sum = 0;
                     for (unsigned k = 0; k < kPacksSide; ++k)
                       sum += double{a->host[i / kPacksSide * kPacksSide + k]} *
                              b->host[i / kPacksAll * kPacksAll + k * kPacksSide + i % kPacksSide];
                     return sum;
                   });
                 }};
}

inline Problem packs_fourier_problem(unsigned count) {
  auto in = uniform(std::size_t{count} * kPacksAll, 6);
  auto out = room<float>(std::size_t{count} * kPacksAll);
  return Problem{[=] {
                   packs_fourier<<<std::min(blocks_of(std::size_t{count} * 32), 528u), kBlock>>>(
                       reinterpret_cast<const float2*>(in->data()),
                       reinterpret_cast<float2*>(out->data()), count);
                 },
                 [=] {
                   return agrees(out, [&](unsigned i) {
                     const float* z = &in->host[i / kPacksAll * kPacksAll];
                     double sum = 0;
                     for (unsigned k = 0; k < 32; ++k) {
                       const double angle = -2 * std::acos(-1.0) / 32 * (i % kPacksAll / 2 * k);
                       sum += i % 2 == 0 ? z[2 * k] * cos(angle) - z[2 * k + 1] * sin(angle)
                                         : z[2 * k] * sin(angle) + z[2 * k + 1] * cos(angle);
                     }
                     return sum;
                   });
                 }};
}

inline void add_packs(Set& set) {
  const std::vector<unsigned> sizes = {150, 40000, 200000};  // problems
  set.add("packs_solve", sizes, packs_solve_problem);
  set.add("packs_inverse", sizes, packs_inverse_problem);
  set.add("packs_product", sizes, packs_product_problem);
  set.add("packs_fourier", sizes, packs_fourier_problem);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Many systems of 32 equations with a lower triangle: solved by a thread each, by a warp that sums along the rows, and by a
// warp that passes each unknown on to the equations below, with the triangle in shared memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kUnknowns = 32, kTriangle = kUnknowns * kUnknowns;
__global__ void triangular_thread(const float* l, const float* b, float* x, unsigned systems) {
  const unsigned s = thread_number();
  if (s >= systems) return;
  float got[kUnknowns];
#pragma unroll
  for (unsigned r = 0; r < kUnknowns; ++r) {
    float sum = b[s * kUnknowns + r];
#pragma unroll
    for (unsigned k = 0; k < r; ++k) sum -= l[s * kTriangle + r * kUnknowns + k] * got[k];
    got[r] = sum / l[s * kTriangle + r * kUnknowns + r];
    x[s * kUnknowns + r] = got[r];
  }
}
__global__ void triangular_rows(const float* l, const float* b, float* x, unsigned systems) {
  const unsigned s = thread_number() / 32, lane = threadIdx.x % 32;
  if (s >= systems) return;
  const float right = b[s * kUnknowns + lane];
  float got = 0;
  for (unsigned r = 0; r < kUnknowns; ++r) {
    const float factor = l[s * kTriangle + r * kUnknowns + lane];
    const float known = warp_sum(lane < r ? factor * got : 0);
    if (lane == r) got = (right - known) / factor;
  }
  x[s * kUnknowns + lane] = got;
}
__global__ void triangular_columns(const float* l, const float* b, float* x, unsigned systems) {
  __shared__ float kept[4][kUnknowns][kUnknowns + 1];
  const unsigned s = thread_number() / 32, lane = threadIdx.x % 32;
  if (s >= systems) return;
  float(*const own)[kUnknowns + 1] = kept[threadIdx.x / 32];
  for (unsigned r = 0; r < kUnknowns; ++r) own[r][lane] = l[s * kTriangle + r * kUnknowns + lane];
  __syncwarp();
  float right = b[s * kUnknowns + lane];
  for (unsigned k = 0; k < kUnknowns; ++k) {
    const float solved = __shfl_sync(kAll, right / own[lane][lane], static_cast<int>(k));
    if (lane > k) right -= own[lane][k] * solved;
  }
  x[s * kUnknowns + lane] = right / own[lane][lane];
}

template <unsigned Threads, unsigned Block, class Function>
std::function<Problem(unsigned)> triangular_problem(Function kernel) {
  return [=](unsigned n) {
    auto l = array<float>(n * kTriangle, [](unsigned i) {
      const bool diagonal = i / kUnknowns % kUnknowns == i % kUnknowns;
      return (diagonal ? 2 : 0) + (mixed(i) >> 16) / 65536.0 / 8;
    });
    auto b = uniform(n * kUnknowns, 11), x = room<float>(n * kUnknowns);
    return Problem{[=] {
                     kernel<<<blocks_of(n * Threads, Block), Block>>>(l->data(), b->data(),
                                                                      x->data(), n);
                   },
                   [=] {
                     return agrees(x, [=](unsigned i) {
                       const unsigned s = i / kUnknowns;
                       double got[kUnknowns] = {};
                       for (unsigned r = 0; r <= i % kUnknowns; ++r) {
                         const float* const row = &l->host[s * kTriangle + r * kUnknowns];
                         got[r] = b->host[s * kUnknowns + r];
                         for (unsigned k = 0; k < r; ++k) got[r] -= row[k] * got[k];
                         got[r] /= row[r];
                       }
                       return got[i % kUnknowns];
                     });
                   }};
  };
}

inline void add_triangular(Set& set) {
  const std::vector<unsigned> sizes = {50, 700, 10000};
  set.add("triangular_thread", sizes, triangular_problem<1, 64>(triangular_thread));
  set.add("triangular_rows", sizes, triangular_problem<32, 256>(triangular_rows));
  set.add("triangular_columns", sizes, triangular_problem<32, 128>(triangular_columns));
}

}  // namespace timing_set

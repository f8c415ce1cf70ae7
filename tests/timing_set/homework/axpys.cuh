// SPDX-License-Identifier: MIT
// Vector updates in place: y = a * x + y, for n elements. One thread per element, a grid-stride
// loop over doubles, four floats at a time, and with each x beside its y in an array of structs.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void axpys_plain(float a, const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void axpys_loop(double a, const double* __restrict__ x, double* __restrict__ y,
                           unsigned n) {
  const unsigned step = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) y[i] += a * x[i];
}

// Each thread has four elements; the first threads also have one of the up to three that are left.
__global__ void axpys_fours(float a, const float* __restrict__ x, float* __restrict__ y,
                            unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned fours = n / 4;
  if (i < fours) {
    const float4 xs = reinterpret_cast<const float4*>(x)[i];
    float4 ys = reinterpret_cast<float4*>(y)[i];
    ys.x += a * xs.x;
    ys.y += a * xs.y;
    ys.z += a * xs.z;
    ys.w += a * xs.w;
    reinterpret_cast<float4*>(y)[i] = ys;
  }
  const unsigned rest = 4 * fours + i;
  if (rest < n) y[rest] += a * x[rest];
}

struct AxpysPair {
  float x, y;
};
__global__ void axpys_pairs(float a, AxpysPair* pairs, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  pairs[i].y += a * pairs[i].x;
}

inline void add_axpys(Set& set) {
  const std::vector<unsigned> sizes = {1'000'003, 8'000'001};
  set.add("axpys_plain", sizes, [](unsigned n) {
    auto x = uniform(n, 1), y = uniform(n, 2);
    return Problem{
        [=] { axpys_plain<<<blocks_of(n, 256), 256>>>(2.5f, x->data(), y->data(), n); },
        [=] { return agrees(y, [=](unsigned i) { return 2.5 * x->host[i] + y->host[i]; }); },
        [=] { y->restore(); }};
  });
  set.add("axpys_loop", sizes, [](unsigned n) {
    auto x = uniform<double>(n, 3), y = uniform<double>(n, 4);
    return Problem{
        [=] { axpys_loop<<<4 * 132, 512>>>(-1.25, x->data(), y->data(), n); },
        [=] { return agrees(y, [=](unsigned i) { return -1.25 * x->host[i] + y->host[i]; }); },
        [=] { y->restore(); }};
  });
  set.add("axpys_fours", sizes, [](unsigned n) {
    auto x = uniform(n, 5), y = uniform(n, 6);
    return Problem{
        [=] { axpys_fours<<<blocks_of(n / 4, 128), 128>>>(0.75f, x->data(), y->data(), n); },
        [=] { return agrees(y, [=](unsigned i) { return 0.75 * x->host[i] + y->host[i]; }); },
        [=] { y->restore(); }};
  });
  set.add("axpys_pairs", sizes, [](unsigned n) {
    auto both = uniform(2 * n, 7);  // x0 y0 x1 y1 ...
    return Problem{[=] {
                     axpys_pairs<<<blocks_of(n, 192), 192>>>(
                         3.f, reinterpret_cast<AxpysPair*>(both->data()), n);
                   },
                   [=] {
                     return agrees(both, [=](unsigned i) {
                       return i % 2 == 0 ? both->host[i] : both->host[i] + 3.0 * both->host[i - 1];
                     });
                   },
                   [=] { both->restore(); }};
  });
}

}  // namespace timing_set

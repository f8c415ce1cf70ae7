// SPDX-License-Identifier: MIT
// Streams: each element is read once and written once, side by side.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void saxpy(float a, const float* x, const float* y, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = a * x[i] + y[i];
}
__global__ void copy_fours(const float4* in, float4* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n / 4) out[i] = in[i];
}
__global__ void triad_double(double a, const double* x, const double* y, double* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = x[i] + a * y[i];
}
__global__ void scale_loop(float a, const float* in, float* out, unsigned n) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) out[i] = a * in[i];
}

inline void add_stream(Set& set) {
  const std::vector<unsigned> sizes = {1 << 16, 1 << 21, 1 << 24};
  set.add("saxpy", sizes, [](unsigned n) {
    auto x = uniform(n, 1), y = uniform(n, 2), out = room<float>(n);
    return Problem{
        [=] { saxpy<<<blocks_of(n), kBlock>>>(2.5f, x->data(), y->data(), out->data(), n); },
        [=] { return agrees(out, [=](unsigned i) { return 2.5 * x->host[i] + y->host[i]; }); }};
  });
  set.add("copy_fours", sizes, [](unsigned n) {
    auto in = uniform(n, 1), out = room<float>(n);
    return Problem{[=] {
                     copy_fours<<<blocks_of(n / 4), kBlock>>>(
                         reinterpret_cast<const float4*>(in->data()),
                         reinterpret_cast<float4*>(out->data()), n);
                   },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return in->host[i]; }, 0);
                   }};
  });
  set.add("triad_double", sizes, [](unsigned n) {
    auto x = uniform<double>(n, 1), y = uniform<double>(n, 2), out = room<double>(n);
    return Problem{
        [=] { triad_double<<<blocks_of(n), kBlock>>>(1.5, x->data(), y->data(), out->data(), n); },
        [=] { return agrees(out, [=](unsigned i) { return x->host[i] + 1.5 * y->host[i]; }); }};
  });
  set.add("scale_loop", sizes, [](unsigned n) {
    auto in = uniform(n, 1), out = room<float>(n);
    return Problem{[=] { scale_loop<<<264, kBlock>>>(3.f, in->data(), out->data(), n); },
                   [=] { return agrees(out, [=](unsigned i) { return 3.0 * in->host[i]; }); }};
  });
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Sums and multiples of vectors: one element by each thread, eight neighbours by each thread, a
// loop over the grid's stride that works in place, and a vector in half precision that is scaled by
// eight elements at a time.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

// One element by each thread.
__global__ void copies_add(const float* a, const float* b, float* c, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

constexpr unsigned kCopiesChunk = 8;

// Neighbouring elements by one thread, as on a CPU.
__global__ void copies_add_chunks(const float* a, const float* b, float* c, unsigned n) {
  const unsigned begin = (blockIdx.x * blockDim.x + threadIdx.x) * kCopiesChunk;
  for (unsigned k = 0; k < kCopiesChunk; ++k)
    if (begin + k < n) c[begin + k] = a[begin + k] + b[begin + k];
}

// y = factor * x + y, by a grid that does not grow with the vectors.
__global__ void copies_saxpy_loop(float factor, const float* x, float* y, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = factor * x[i] + y[i];
}

// Eight halves are sixteen bytes; the first threads also do what is left at the end.
__global__ void copies_scale_halves(const __half* in, __half* out, float factor, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned wide = n / 8;
  const __half2 factors = __float2half2_rn(factor);
  if (i < wide) {
    uint4 bits = reinterpret_cast<const uint4*>(in)[i];
    __half2* pairs = reinterpret_cast<__half2*>(&bits);
#pragma unroll
    for (int k = 0; k < 4; ++k) pairs[k] = __hmul2(pairs[k], factors);
    reinterpret_cast<uint4*>(out)[i] = bits;
  }
  if (i < n % 8) out[wide * 8 + i] = __hmul(in[wide * 8 + i], __low2half(factors));
}

inline Problem copies_add_problem(unsigned n) {
  auto a = uniform(n, 21), b = uniform(n, 22), c = room<float>(n);
  return Problem{
      [=] { copies_add<<<blocks_of(n, 256), 256>>>(a->data(), b->data(), c->data(), n); },
      [=] {
        return agrees(
            c, [&](unsigned i) { return a->host[i] + b->host[i]; }, 1e-6);
      }};
}

inline Problem copies_add_chunks_problem(unsigned n) {
  auto a = uniform(n, 23), b = uniform(n, 24), c = room<float>(n);
  return Problem{[=] {
                   const unsigned blocks = blocks_of(blocks_of(n, kCopiesChunk), 128);
                   copies_add_chunks<<<blocks, 128>>>(a->data(), b->data(), c->data(), n);
                 },
                 [=] {
                   return agrees(
                       c, [&](unsigned i) { return a->host[i] + b->host[i]; }, 1e-6);
                 }};
}

inline Problem copies_saxpy_loop_problem(unsigned n) {
  auto x = uniform(n, 25), y = uniform(n, 26);
  const float factor = 2.5f;
  return Problem{[=] {
                   const unsigned blocks = std::min(blocks_of(n, 512), 1056u);
                   copies_saxpy_loop<<<blocks, 512>>>(factor, x->data(), y->data(), n);
                 },
                 [=] {
                   return agrees(
                       y, [&](unsigned i) { return factor * x->host[i] + y->host[i]; }, 1e-6);
                 },
                 [=] { y->restore(); }};
}

inline Problem copies_scale_halves_problem(unsigned n) {
  auto in = array<__half>(n, [](unsigned i) { return __half(float(mixed(i + 27) % 2048)); });
  auto out = room<__half>(n);
  const float factor = 1.5f;
  return Problem{[=] {
                   copies_scale_halves<<<blocks_of(std::max(n / 8, 8u), 192), 192>>>(
                       in->data(), out->data(), factor, n);
                 },
                 [=] {
                   const std::vector<__half> got = out->device.download();
                   const auto right = [&](unsigned i) {
                     return near(__half2float(got[i]), __half2float(in->host[i]) * factor, 1e-3);
                   };
                   for (unsigned i = 0; i < n; i += n / 1000 | 1)
                     if (!right(i)) return false;
                   for (unsigned i = n / 8 * 8; i < n; ++i)
                     if (!right(i)) return false;
                   return true;
                 }};
}

inline void add_copies(Set& set) {
  const std::vector<unsigned> sizes = {10007, 2000003, 26000003};
  set.add("copies_add", sizes, copies_add_problem);
  set.add("copies_add_chunks", sizes, copies_add_chunks_problem);
  set.add("copies_saxpy_loop", sizes, copies_saxpy_loop_problem);
  set.add("copies_scale_halves", {20005, 4500005, 70000005}, copies_scale_halves_problem);
}

}  // namespace timing_set

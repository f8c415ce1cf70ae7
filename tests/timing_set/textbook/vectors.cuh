// SPDX-License-Identifier: MIT
// Arithmetic on long vectors: saxpy in place with a thread for each element, the triad of STREAM
// in double precision in a grid-stride loop, the same in single precision with a run of neighbours
// for each thread, and a copy of bytes, sixteen at a time and four times a thread, as a memcpy of
// one's own would be.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void vectors_saxpy(unsigned n, float a, const float* x, float* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void __launch_bounds__(1024)
    vectors_triad(double* __restrict__ a, const double* __restrict__ b,
                  const double* __restrict__ c, double scalar, unsigned n) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = thread_number(); i < n; i += stride) a[i] = b[i] + scalar * c[i];
}

// Neighbouring elements by one thread, as one would share the work out among the threads of a CPU.
template <unsigned kRun>
__global__ void vectors_runs(float* __restrict__ z, const float* __restrict__ x,
                             const float* __restrict__ y, float a, unsigned n) {
  const unsigned first = thread_number() * kRun;
  for (unsigned k = 0; k < kRun; ++k)
    if (first + k < n) z[first + k] = a * x[first + k] + y[first + k];
}

constexpr unsigned kVectorsCopyBlock = 512, kVectorsCopyItems = 4;

__global__ void __launch_bounds__(kVectorsCopyBlock)
    vectors_copy(unsigned char* __restrict__ to, const unsigned char* __restrict__ from,
                 std::size_t bytes) {
  const uint4* wide_from = reinterpret_cast<const uint4*>(from);
  uint4* wide_to = reinterpret_cast<uint4*>(to);
  const std::size_t words = bytes / sizeof(uint4);
  const std::size_t first =
      std::size_t{blockIdx.x} * kVectorsCopyBlock * kVectorsCopyItems + threadIdx.x;
  if (first + (kVectorsCopyItems - 1) * kVectorsCopyBlock < words) {
    uint4 item[kVectorsCopyItems];
#pragma unroll
    for (unsigned k = 0; k < kVectorsCopyItems; ++k)
      item[k] = wide_from[first + k * kVectorsCopyBlock];
#pragma unroll
    for (unsigned k = 0; k < kVectorsCopyItems; ++k)
      wide_to[first + k * kVectorsCopyBlock] = item[k];
  } else {
    for (std::size_t i = first; i < words; i += kVectorsCopyBlock) wide_to[i] = wide_from[i];
  }
  const std::size_t tail = words * sizeof(uint4) + threadIdx.x;
  if (blockIdx.x == 0 && tail < bytes) to[tail] = from[tail];
}

inline Problem vectors_saxpy_problem(unsigned n) {
  auto x = uniform(n, 21), y = uniform(n, 22);
  const float a = 2.5f;
  return Problem{[=] { vectors_saxpy<<<blocks_of(n), kBlock>>>(n, a, x->data(), y->data()); },
                 [=] {
                   return agrees(
                       y, [&](unsigned i) { return a * x->host[i] + y->host[i]; }, 1e-5);
                 },
                 [=] { y->restore(); }};
}

inline Problem vectors_triad_problem(unsigned n) {
  auto b = uniform<double>(n, 23), c = uniform<double>(n, 24);
  auto a = room<double>(n);
  const double scalar = 3;
  return Problem{[=] {
                   vectors_triad<<<std::min(blocks_of(n, 1024), 264u), 1024>>>(
                       a->data(), b->data(), c->data(), scalar, n);
                 },
                 [=] {
                   return agrees(
                       a, [&](unsigned i) { return b->host[i] + scalar * c->host[i]; }, 1e-9);
                 }};
}

inline Problem vectors_runs_problem(unsigned n) {
  auto x = uniform(n, 25), y = uniform(n, 26);
  auto z = room<float>(n);
  const float a = -1.5f;
  constexpr unsigned kRun = 8, kThreads = 64;
  return Problem{[=] {
                   vectors_runs<kRun><<<blocks_of(n, kRun * kThreads), kThreads>>>(
                       z->data(), x->data(), y->data(), a, n);
                 },
                 [=] {
                   return agrees(
                       z, [&](unsigned i) { return a * x->host[i] + y->host[i]; }, 1e-5);
                 }};
}

inline Problem vectors_copy_problem(unsigned n) {
  auto from = array<unsigned>(n, [](unsigned i) { return mixed(i + 27); });
  auto to = room<unsigned>(n);
  const std::size_t bytes = n * sizeof(unsigned);
  const unsigned blocks =
      blocks_of(bytes / sizeof(uint4) + 1, kVectorsCopyBlock * kVectorsCopyItems);
  return Problem{[=] {
                   vectors_copy<<<blocks, kVectorsCopyBlock>>>(
                       reinterpret_cast<unsigned char*>(to->data()),
                       reinterpret_cast<const unsigned char*>(from->data()), bytes);
                 },
                 [=] {
                   return agrees(
                       to, [&](unsigned i) { return from->host[i]; }, 0);
                 }};
}

inline void add_vectors(Set& set) {
  const std::vector<unsigned> sizes = {10007, 1500001, 8000003};
  set.add("vectors_saxpy", sizes, vectors_saxpy_problem);
  set.add("vectors_triad", sizes, vectors_triad_problem);
  set.add("vectors_runs", sizes, vectors_runs_problem);
  set.add("vectors_copy", sizes, vectors_copy_problem);
}

}  // namespace timing_set

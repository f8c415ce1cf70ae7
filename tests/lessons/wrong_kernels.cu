// SPDX-License-Identifier: MIT
// Sums that are wrong on purpose. Those with a wrong element differ from the right one in what a
// thread brings; the others in how the sums of the blocks are put together.
#include "lessons/wrong_kernels.hpp"

#include <cuda_fp16.h>

#include <type_traits>

#include "common/device_buffer.cuh"

namespace wrong_kernels {
namespace {

using course::Rung;
using course::Sum;

template <bool kBarriers = true, class T>
__device__ T block_sum(T mine) {
  __shared__ T s[1024];
  s[threadIdx.x] = mine;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if constexpr (kBarriers) __syncthreads();
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
  }
  return s[0];  // for thread 0, which wrote it last
}

// ---- what a thread brings

__device__ std::size_t my_index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

template <class T>
__device__ T right_element(const T* in, std::size_t n) {
  return my_index() < n ? in[my_index()] : T{0};
}
// Only whole blocks of elements count.
template <class T>
__device__ T lost_tail(const T* in, std::size_t n) {
  return right_element(in, n / blockDim.x * blockDim.x);
}
template <class T>
__device__ T last_twice(const T* in, std::size_t n) {
  return my_index() + 1 == n ? 2 * in[my_index()] : right_element(in, n);
}
// Threads past the end bring the last element, where they should bring the identity.
template <class T>
__device__ T clamped_index(const T* in, std::size_t n) {
  return n == 0 ? T{0} : in[my_index() < n ? my_index() : n - 1];
}
// Small elements do not matter? Whole numbers do not show it, the error bound does.
template <class T>
__device__ T small_dropped(const T* in, std::size_t n) {
  const T v = right_element(in, n);
  return std::is_same_v<T, float> && v > T(-0.01f) && v < T(0.01f) ? T{0} : v;
}
template <class T>
__device__ T through_half(const T* in, std::size_t n) {
  const T v = right_element(in, n);
  if constexpr (std::is_same_v<T, float>) return __half2float(__float2half(v));
  return v;
}
// A float has 24 bits, an int 32.
template <class T>
__device__ T through_float(const T* in, std::size_t n) {
  return static_cast<T>(static_cast<float>(right_element(in, n)));
}

// ---- how the blocks' sums are put together

template <class T>
using Element = T (*)(const T*, std::size_t);

template <class T, Element<T> kElement, bool kBarriers = true>
__global__ void partial_sums(const T* in, std::size_t n, T* partial) {
  const T sum = block_sum<kBarriers>(kElement(in, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

template <class T>
__global__ void add_partials(const T* partial, unsigned count, T* out) {
  T mine = 0;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) mine += partial[i];
  const T sum = block_sum(mine);
  if (threadIdx.x == 0) *out = sum;
}

template <class T>
unsigned blocks_of(const Sum<T>& s) {
  return s.n == 0 ? 1 : static_cast<unsigned>((s.n + s.block - 1) / s.block);
}

template <class T, Element<T> kElement, bool kBarriers = true>
void two_passes(const Sum<T>& s) {
  partial_sums<T, kElement, kBarriers><<<blocks_of(s), s.block>>>(s.in, s.n, s.partials);
  add_partials<<<1, s.block>>>(s.partials, blocks_of(s), s.out);
}

// The second pass is forgotten: nobody writes the result.
template <class T>
void never_written(const Sum<T>& s) {
  partial_sums<T, right_element<T>><<<blocks_of(s), s.block>>>(s.in, s.n, s.partials);
}

// One block where many are needed.
template <class T>
void first_block_only(const Sum<T>& s) {
  partial_sums<T, right_element<T>><<<1, s.block>>>(s.in, s.n, s.out);
}

// A block adds up in half precision.
template <class T>
__global__ void partial_sums_in_half(const T* in, std::size_t n, T* partial) {
  using Narrow = std::conditional_t<std::is_same_v<T, float>, __half, T>;
  const Narrow sum = block_sum(static_cast<Narrow>(right_element(in, n)));
  if (threadIdx.x == 0) partial[blockIdx.x] = static_cast<T>(sum);
}
template <class T>
void half_precision(const Sum<T>& s) {
  partial_sums_in_half<<<blocks_of(s), s.block>>>(s.in, s.n, s.partials);
  add_partials<<<1, s.block>>>(s.partials, blocks_of(s), s.out);
}

// Two blocks write their partial sum to the same place.
template <class T>
__global__ void half_of_the_partials(const T* in, std::size_t n, T* partial) {
  const T sum = block_sum(right_element(in, n));
  if (threadIdx.x == 0) partial[blockIdx.x / 2] = sum;
}
template <class T>
void partial_overwritten(const Sum<T>& s) {
  half_of_the_partials<<<blocks_of(s), s.block>>>(s.in, s.n, s.partials);
  add_partials<<<1, s.block>>>(s.partials, (blocks_of(s) + 1) / 2, s.out);
}

// Adds to *out, which nobody has set to zero.
template <class T>
__global__ void add_to_out(const T* in, std::size_t n, T* out) {
  const T sum = block_sum(right_element(in, n));
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
template <class T>
void not_cleared(const Sum<T>& s) {
  add_to_out<<<blocks_of(s), s.block>>>(s.in, s.n, s.out);
}

// The block that draws the last ticket finishes, and leaves the counter as it is: right once.
template <class T>
__global__ void last_block_finishes(const T* in, std::size_t n, T* partial, unsigned* ticket,
                                    T* out) {
  const T sum = block_sum(right_element(in, n));
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = sum;
  __threadfence();
  if (atomicAdd(ticket, 1) != gridDim.x - 1) return;
  __threadfence();
  T total = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) total += reinterpret_cast<volatile T*>(partial)[i];
  *out = total;
}
template <class T>
void ticket_kept(const Sum<T>& s) {
  last_block_finishes<<<blocks_of(s), s.block>>>(s.in, s.n, s.partials, s.tickets, s.out);
}

// Loads of 16 bytes, wherever the input begins.
template <class T>
__global__ void fours(const T* in, std::size_t n, T* out) {
  struct alignas(16) Four {
    T x, y, z, w;
  };
  T mine = 0;
  for (std::size_t i = threadIdx.x; i < n / 4; i += blockDim.x) {
    const Four v = reinterpret_cast<const Four*>(in)[i];
    mine += v.x + v.y + v.z + v.w;
  }
  if (threadIdx.x < n % 4) mine += in[n - 1 - threadIdx.x];
  const T sum = block_sum(mine);
  if (threadIdx.x == 0) *out = sum;
}
template <class T>
void launch_fours(const Sum<T>& s) {
  fours<<<1, s.block>>>(s.in, s.n, s.out);
}

// From 2^31 on the index is negative, and as a size_t it is larger than any n.
template <class T>
__device__ T int_index_element(const T* in, std::size_t n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  return i < n ? in[i] : T{0};
}

__global__ void largest_of(const int* in, std::size_t n, int identity, int* out) {
  __shared__ int s[1024];
  int mine = identity;
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) mine = max(mine, in[i]);
  s[threadIdx.x] = mine;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) s[threadIdx.x] = max(s[threadIdx.x], s[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) *out = s[0];
}

double depth(std::size_t n, int block, const course::Device&) {
  return 22 + static_cast<double>(n) / block / block;
}

#define BY_ELEMENT(name) \
  { #name, "", &two_passes < float, name < float>>, &two_passes < int, name < int>>, &depth }
#define BY_LAUNCH(name) \
  { #name, "", &name < float>, &name < int>, &depth }

constexpr Rung kRefused[] = {
    BY_ELEMENT(lost_tail),     BY_ELEMENT(last_twice),      BY_ELEMENT(clamped_index),
    BY_ELEMENT(small_dropped), BY_LAUNCH(half_precision),   BY_ELEMENT(through_float),
    BY_LAUNCH(never_written),  BY_LAUNCH(first_block_only), BY_LAUNCH(partial_overwritten),
    BY_LAUNCH(not_cleared),    BY_LAUNCH(ticket_kept),
};
constexpr Rung kRight = BY_ELEMENT(right_element);
constexpr Rung kMissingBarrier{"missing_barrier", "",
                               &two_passes<float, right_element<float>, false>,
                               &two_passes<int, right_element<int>, false>, &depth};
constexpr Rung kThroughHalf = BY_ELEMENT(through_half);
constexpr Rung kUnaligned = BY_LAUNCH(launch_fours);
constexpr Rung kIntIndex = BY_ELEMENT(int_index_element);

}  // namespace

const Rung& right() { return kRight; }
std::span<const Rung> refused() { return kRefused; }
const Rung& missing_barrier() { return kMissingBarrier; }
const Rung& through_half() { return kThroughHalf; }
const Rung& unaligned_vector() { return kUnaligned; }
const Rung& int_index() { return kIntIndex; }

int largest(const int* in, std::size_t n, int identity) {
  course::DeviceBuffer<int> out(1);
  largest_of<<<1, 1024>>>(in, n, identity, out.data());
  COURSE_CHECK(cudaGetLastError());
  return out.download()[0];
}

}  // namespace wrong_kernels

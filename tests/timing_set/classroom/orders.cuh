// SPDX-License-Identifier: MIT
// Pieces of sorting: a bitonic sort of 1024 keys by each block in shared memory, an odd step of an
// odd-even sort in place with keys in half precision, merging two sorted arrays where each thread
// finds its part by bisection, and a pass of a radix sort that moves keys to their places by four
// of their bits.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kOrdersKeys = 1024;  // for a block, two for each thread

__global__ void orders_bitonic(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned keys[kOrdersKeys];
  const unsigned first = blockIdx.x * kOrdersKeys;
  for (unsigned k = threadIdx.x; k < kOrdersKeys; k += blockDim.x)
    keys[k] = first + k < n ? in[first + k] : 0xffffffffu;
  for (unsigned size = 2; size <= kOrdersKeys; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      const unsigned a = keys[low], b = keys[low + stride];
      const bool upwards = (low & size) == 0;
      if ((a > b) == upwards) {
        keys[low] = b;
        keys[low + stride] = a;
      }
    }
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < kOrdersKeys; k += blockDim.x)
    if (first + k < n) out[first + k] = keys[k];
}

__global__ void orders_odd(__half* keys, unsigned n) {
  const unsigned low = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1;
  if (low + 1 >= n) return;
  const __half a = keys[low], b = keys[low + 1];
  if (__hgt(a, b)) {
    keys[low] = b;
    keys[low + 1] = a;
  }
}

constexpr unsigned kOrdersMerged = 8;  // for each thread

__global__ void orders_merge(const int* a, unsigned a_size, const int* b, unsigned b_size,
                             int* out) {
  const unsigned start = thread_number() * kOrdersMerged, size = a_size + b_size;
  if (start >= size) return;
  // How many of the first `start` of the result are from a.
  unsigned least = start > b_size ? start - b_size : 0;
  unsigned most = start < a_size ? start : a_size;
  while (least < most) {
    const unsigned middle = (least + most) / 2;
    if (a[middle] <= b[start - 1 - middle])
      least = middle + 1;
    else
      most = middle;
  }
  unsigned i = least, j = start - least;
  for (unsigned k = start; k < start + kOrdersMerged && k < size; ++k) {
    if (j >= b_size || (i < a_size && a[i] <= b[j]))
      out[k] = a[i++];
    else
      out[k] = b[j++];
  }
}

constexpr unsigned kOrdersDigits = 16, kOrdersShift = 8, kOrdersWarps = 8;

__host__ __device__ inline unsigned orders_digit(unsigned key) {
  return key >> kOrdersShift & (kOrdersDigits - 1);
}

// offsets: where the keys of a block with a digit begin, for each digit the blocks one after the
// other.
__global__ void __launch_bounds__(kOrdersWarps * 32)
    orders_radix(const unsigned* __restrict__ keys, const unsigned* __restrict__ offsets,
                 unsigned* __restrict__ out, unsigned n) {
  __shared__ unsigned counts[kOrdersWarps][kOrdersDigits];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane < kOrdersDigits) counts[warp][lane] = 0;
  __syncwarp();
  const unsigned key = i < n ? keys[i] : 0;
  const unsigned digit = orders_digit(key);
  unsigned peers = __ballot_sync(kAll, i < n);  // lanes with the same digit
  for (unsigned bit = 1; bit < kOrdersDigits; bit *= 2) {
    const bool one = (digit & bit) != 0;
    const unsigned ones = __ballot_sync(kAll, one);
    peers &= one ? ones : ~ones;
  }
  const unsigned rank = __popc(peers & ((1u << lane) - 1));
  if (i < n && rank == 0) counts[warp][digit] = __popc(peers);
  __syncthreads();
  if (threadIdx.x < kOrdersDigits) {
    unsigned place = offsets[threadIdx.x * gridDim.x + blockIdx.x];
    for (unsigned k = 0; k < kOrdersWarps; ++k) {
      const unsigned count = counts[k][threadIdx.x];
      counts[k][threadIdx.x] = place;
      place += count;
    }
  }
  __syncthreads();
  if (i < n) out[counts[warp][digit] + rank] = key;
}

inline Problem orders_bitonic_problem(unsigned n) {
  auto in = array<unsigned>(n, [](unsigned i) { return mixed(i + 61); });
  auto out = room<unsigned>(n);
  return Problem{[=] {
                   orders_bitonic<<<blocks_of(n, kOrdersKeys), kOrdersKeys / 2>>>(in->data(),
                                                                                  out->data(), n);
                 },
                 [=] {
                   std::vector<unsigned> wanted = in->host;
                   for (unsigned i = 0; i < n; i += kOrdersKeys)
                     std::sort(wanted.begin() + i, wanted.begin() + std::min(n, i + kOrdersKeys));
                   return out->device.download() == wanted;
                 }};
}

inline Problem orders_odd_problem(unsigned n) {
  auto keys = array<__half>(n, [](unsigned i) { return __half(float(mixed(i + 62) % 2048)); });
  return Problem{
      [=] { orders_odd<<<blocks_of(n / 2, 128), 128>>>(keys->data(), n); },
      [=] {
        const std::vector<__half> got = keys->device.download();
        const auto was = [&](unsigned i) { return __half2float(keys->host[i]); };
        const auto is = [&](unsigned i) { return __half2float(got[i]); };
        if (is(0) != was(0) || (n % 2 == 0 && is(n - 1) != was(n - 1))) return false;
        for (unsigned i = 1; i + 1 < n; i += 2 * (n / 2000) + 2)
          if (is(i) != std::min(was(i), was(i + 1)) || is(i + 1) != std::max(was(i), was(i + 1)))
            return false;
        return true;
      },
      [=] { keys->restore(); }};
}

inline Problem orders_merge_problem(unsigned n) {
  const unsigned a_size = n / 8 * 3, b_size = n - a_size;
  auto a = array<int>(a_size, [](unsigned i) { return 5 * i + mixed(i / 3 + 63) % 5; });
  auto b = array<int>(b_size, [](unsigned i) { return 3 * i + mixed(i + 64) % 4; });
  std::sort(b->host.begin(), b->host.end());
  b->restore();
  auto out = room<int>(n);
  return Problem{[=] {
                   orders_merge<<<blocks_of(blocks_of(n, kOrdersMerged), 128), 128>>>(
                       a->data(), a_size, b->data(), b_size, out->data());
                 },
                 [=] {
                   std::vector<int> wanted(n);
                   std::merge(a->host.begin(), a->host.end(), b->host.begin(), b->host.end(),
                              wanted.begin());
                   return out->device.download() == wanted;
                 }};
}

inline Problem orders_radix_problem(unsigned n) {
  constexpr unsigned kThreads = kOrdersWarps * 32;
  const unsigned blocks = blocks_of(n, kThreads);
  auto keys = array<unsigned>(n, [](unsigned i) { return mixed(i + 65); });
  std::vector<unsigned> starts(kOrdersDigits * blocks);
  for (unsigned i = 0; i < n; ++i) ++starts[orders_digit(keys->host[i]) * blocks + i / kThreads];
  unsigned before = 0;
  for (unsigned& start : starts) before += std::exchange(start, before);
  auto offsets = array(std::move(starts));
  auto out = room<unsigned>(n);
  return Problem{
      [=] { orders_radix<<<blocks, kThreads>>>(keys->data(), offsets->data(), out->data(), n); },
      [=] {
        unsigned places[kOrdersDigits];  // keys with the same digit stay in order
        for (unsigned digit = 0; digit < kOrdersDigits; ++digit)
          places[digit] = offsets->host[digit * blocks];
        std::vector<unsigned> wanted(n);
        for (const unsigned key : keys->host) wanted[places[orders_digit(key)]++] = key;
        return out->device.download() == wanted;
      }};
}

inline void add_orders(Set& set) {
  set.add("orders_bitonic", {3000, 90000, 700000}, orders_bitonic_problem);
  set.add("orders_odd", {9001, 1500001, 26000001}, orders_odd_problem);
  const std::vector<unsigned> sizes = {6001, 700001, 6600001};
  set.add("orders_merge", sizes, orders_merge_problem);
  set.add("orders_radix", sizes, orders_radix_problem);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Histograms: how many of n measured values between 0 and 1 fall into each of 256 bins of the same
// width. The values lie more often in the middle than at the ends. Atomics on the result, on a copy
// of it per block or per warp, equal bins of a warp added together first, and bytes as counters.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kBincountsBins = 256;

__host__ __device__ inline unsigned bincounts_bin(float x) {
  const unsigned bin = static_cast<unsigned>(x * kBincountsBins);
  return bin < kBincountsBins ? bin : kBincountsBins - 1;
}
__host__ __device__ inline unsigned bincounts_bin(unsigned char x) { return x; }

__global__ void bincounts_plain(const float* x, unsigned* counts, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[bincounts_bin(x[i])], 1u);
}

__global__ void bincounts_shared(const float* __restrict__ x, unsigned* counts, unsigned n) {
  __shared__ unsigned own[kBincountsBins];
  for (unsigned b = threadIdx.x; b < kBincountsBins; b += blockDim.x) own[b] = 0;
  __syncthreads();
  const unsigned step = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    atomicAdd(&own[bincounts_bin(x[i])], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < kBincountsBins; b += blockDim.x)
    if (own[b] != 0) atomicAdd(&counts[b], own[b]);
}

// A copy for each of the eight warps, which then meet less often at the same counter.
constexpr unsigned kBincountsCopies = 8;
__global__ void bincounts_copies(const float* __restrict__ x, unsigned* counts, unsigned n) {
  __shared__ unsigned copies[kBincountsCopies][kBincountsBins];
  for (unsigned w = 0; w < kBincountsCopies; ++w) copies[w][threadIdx.x] = 0;
  __syncthreads();
  unsigned* own = copies[threadIdx.x / 32];
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned fours = n / 4;
  for (unsigned i = first; i < fours; i += gridDim.x * blockDim.x) {
    const float4 xs = reinterpret_cast<const float4*>(x)[i];
    atomicAdd(&own[bincounts_bin(xs.x)], 1u);
    atomicAdd(&own[bincounts_bin(xs.y)], 1u);
    atomicAdd(&own[bincounts_bin(xs.z)], 1u);
    atomicAdd(&own[bincounts_bin(xs.w)], 1u);
  }
  const unsigned rest = 4 * fours + first;
  if (rest < n) atomicAdd(&own[bincounts_bin(x[rest])], 1u);
  __syncthreads();
  unsigned sum = 0;
  for (unsigned w = 0; w < kBincountsCopies; ++w) sum += copies[w][threadIdx.x];
  atomicAdd(&counts[threadIdx.x], sum);
}

// Each thread has a chunk of its own, so that neighbouring threads read far from each other.
constexpr unsigned kBincountsChunk = 32;
__global__ void bincounts_chunks(const float* x, unsigned* counts, unsigned n) {
  __shared__ unsigned own[kBincountsBins];
  for (unsigned b = threadIdx.x; b < kBincountsBins; b += blockDim.x) own[b] = 0;
  __syncthreads();
  const unsigned begin = (blockIdx.x * blockDim.x + threadIdx.x) * kBincountsChunk;
  for (unsigned i = begin; i < begin + kBincountsChunk && i < n; ++i)
    atomicAdd(&own[bincounts_bin(x[i])], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < kBincountsBins; b += blockDim.x) atomicAdd(&counts[b], own[b]);
}

// The first of the lanes with the same bin adds for all of them. Lanes behind the end have a bin
// that does not exist.
__global__ void bincounts_match(const float* __restrict__ x, unsigned* counts, unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned bin = i < n ? bincounts_bin(x[i]) : kBincountsBins;
  const unsigned same = __match_any_sync(kAll, bin);
  const unsigned leader = __ffs(same) - 1;
  if (lane == leader && bin < kBincountsBins) atomicAdd(&counts[bin], __popc(same));
}

// The values are bytes here, as in an image. Each thread has a byte of its own for each bin and
// therefore needs no atomics; it must not count more than 255 values.
constexpr unsigned kBincountsThreads = 64, kBincountsRounds = 60;
__global__ void bincounts_bytes(const unsigned char* __restrict__ x, unsigned* counts, unsigned n) {
  constexpr unsigned row = kBincountsThreads / 4;  // words of one bin
  __shared__ unsigned words[kBincountsBins * row];
  const unsigned t = threadIdx.x;
  for (unsigned w = t; w < kBincountsBins * row; w += kBincountsThreads) words[w] = 0;
  __syncthreads();
  unsigned char* own = reinterpret_cast<unsigned char*>(words) + t;
  const unsigned fours = n / 4;
  const unsigned first = blockIdx.x * kBincountsThreads * kBincountsRounds + t;
  for (unsigned k = 0; k < kBincountsRounds; ++k) {
    const unsigned i = first + k * kBincountsThreads;
    if (i >= fours) break;
    const uchar4 xs = reinterpret_cast<const uchar4*>(x)[i];
    ++own[xs.x * kBincountsThreads];
    ++own[xs.y * kBincountsThreads];
    ++own[xs.z * kBincountsThreads];
    ++own[xs.w * kBincountsThreads];
  }
  if (blockIdx.x == 0 && 4 * fours + t < n) ++own[x[4 * fours + t] * kBincountsThreads];
  __syncthreads();
  for (unsigned bin = t; bin < kBincountsBins; bin += kBincountsThreads) {
    unsigned sum = 0;
    for (unsigned k = 0; k < row; ++k) {
      const unsigned word = words[bin * row + (k + t) % row];  // not all from the same bank
      sum += (word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24);
    }
    if (sum != 0) atomicAdd(&counts[bin], sum);
  }
}

// Means of two random numbers, exact as floats.
inline Shared<float> bincounts_values(std::size_t n, unsigned seed) {
  return array<float>(n, [seed](unsigned i) {
    const unsigned sum =
        (mixed(2 * i ^ seed << 26) >> 16) + (mixed((2 * i + 1) ^ seed << 26) >> 16);
    return sum / 131072.0;
  });
}
inline Shared<unsigned> bincounts_zeros() {
  auto counts = room<unsigned>(kBincountsBins);
  clear(counts);
  return counts;
}
template <class T>
bool bincounts_right(const Shared<T>& x, const Shared<unsigned>& counts) {
  std::vector<unsigned> wanted(kBincountsBins);
  for (const T value : x->host) ++wanted[bincounts_bin(value)];
  return counts->device.download() == wanted;
}

inline void bincounts_add_rest(Set& set, const std::vector<unsigned>& sizes) {
  set.add("bincounts_chunks", sizes, [](unsigned n) {
    auto x = bincounts_values(n, 4);
    auto counts = bincounts_zeros();
    const unsigned blocks = blocks_of(blocks_of(n, kBincountsChunk), 128);
    return Problem{[=] { bincounts_chunks<<<blocks, 128>>>(x->data(), counts->data(), n); },
                   [=] { return bincounts_right(x, counts); }, [=] { clear(counts); }};
  });
  set.add("bincounts_match", sizes, [](unsigned n) {
    auto x = bincounts_values(n, 5);
    auto counts = bincounts_zeros();
    return Problem{
        [=] { bincounts_match<<<blocks_of(n, 1024), 1024>>>(x->data(), counts->data(), n); },
        [=] { return bincounts_right(x, counts); }, [=] { clear(counts); }};
  });
  set.add("bincounts_bytes", sizes, [](unsigned n) {
    auto x = array<unsigned char>(
        n, [](unsigned i) { return ((mixed(2 * i) >> 24) + (mixed(2 * i + 1) >> 24)) / 2; });
    auto counts = bincounts_zeros();
    const unsigned blocks = blocks_of(n, 4 * kBincountsThreads * kBincountsRounds);
    return Problem{
        [=] { bincounts_bytes<<<blocks, kBincountsThreads>>>(x->data(), counts->data(), n); },
        [=] { return bincounts_right(x, counts); }, [=] { clear(counts); }};
  });
}

inline void add_bincounts(Set& set) {
  const std::vector<unsigned> sizes = {20'011, 4'000'001, 24'000'003};
  set.add("bincounts_plain", sizes, [](unsigned n) {
    auto x = bincounts_values(n, 1);
    auto counts = bincounts_zeros();
    return Problem{
        [=] { bincounts_plain<<<blocks_of(n, 256), 256>>>(x->data(), counts->data(), n); },
        [=] { return bincounts_right(x, counts); }, [=] { clear(counts); }};
  });
  set.add("bincounts_shared", sizes, [](unsigned n) {
    auto x = bincounts_values(n, 2);
    auto counts = bincounts_zeros();
    const unsigned blocks = std::min(blocks_of(n, 512), 4 * 132u);
    return Problem{[=] { bincounts_shared<<<blocks, 512>>>(x->data(), counts->data(), n); },
                   [=] { return bincounts_right(x, counts); }, [=] { clear(counts); }};
  });
  set.add("bincounts_copies", sizes, [](unsigned n) {
    auto x = bincounts_values(n, 3);
    auto counts = bincounts_zeros();
    constexpr unsigned block = 32 * kBincountsCopies;
    static_assert(block == kBincountsBins);  // the kernel gives each thread a bin
    const unsigned blocks = std::min(blocks_of(n / 4, block), 8 * 132u);
    return Problem{[=] { bincounts_copies<<<blocks, block>>>(x->data(), counts->data(), n); },
                   [=] { return bincounts_right(x, counts); }, [=] { clear(counts); }};
  });
  bincounts_add_rest(set, sizes);
}

}  // namespace timing_set

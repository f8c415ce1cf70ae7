// SPDX-License-Identifier: MIT
// Sorting each 256 keys on their own: a bitonic network in shared memory that carries indices along, ranks by counting
// the smaller keys with four keys a thread, and a radix sort by single bits of short keys. And one pass of a merge sort
// in global memory, whose threads find where their piece of the output begins.
#pragma once
#include <cfloat>
#include <climits>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSortingChunk = 256;

__global__ void sorting_bitonic(const float* in, float* out, unsigned* order, unsigned n) {
  __shared__ float key[kSortingChunk];
  __shared__ unsigned index[kSortingChunk];
  const unsigned start = blockIdx.x * kSortingChunk;
  for (unsigned k = threadIdx.x; k < kSortingChunk; k += blockDim.x) {
    key[k] = start + k < n ? in[start + k] : FLT_MAX;
    index[k] = start + k;
  }
  for (unsigned size = 2; size <= kSortingChunk; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned a = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      const unsigned b = a + stride;
      const bool up = (a & size) == 0;
      if ((key[a] > key[b]) == up) {
        const float other_key = key[a];
        key[a] = key[b];
        key[b] = other_key;
        const unsigned other_index = index[a];
        index[a] = index[b];
        index[b] = other_index;
      }
    }
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < kSortingChunk && start + k < n; k += blockDim.x) {
    out[start + k] = key[k];
    order[start + k] = index[k];
  }
}

__global__ void __launch_bounds__(64)
    sorting_ranks(const int* __restrict__ in, int* __restrict__ out, unsigned n) {
  __shared__ int keys[kSortingChunk];
  const unsigned start = blockIdx.x * kSortingChunk;
  const unsigned count = min(kSortingChunk, n - start);
  int mine[4];
  unsigned rank[4] = {};
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned at = threadIdx.x + 64 * k;
    mine[k] = at < count ? in[start + at] : INT_MAX;
    keys[at] = mine[k];
  }
  __syncthreads();
#pragma unroll 4
  for (unsigned j = 0; j < kSortingChunk; ++j) {
    const int key = keys[j];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (key < mine[k] || (key == mine[k] && j < threadIdx.x + 64 * k)) ++rank[k];
  }
#pragma unroll
  for (unsigned k = 0; k < 4; ++k)
    if (rank[k] < count) out[start + rank[k]] = mine[k];
}

template <class Key, unsigned kBits>
__global__ void sorting_digits(const Key* in, Key* out, unsigned n) {
  __shared__ Key sorted[kSortingChunk];
  __shared__ unsigned ones[kSortingChunk / 32];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned i = blockIdx.x * kSortingChunk + t;
  Key key = i < n ? in[i] : static_cast<Key>(~0u);
  for (unsigned bit = 0; bit < kBits; ++bit) {
    const bool one = key >> bit & 1;
    const unsigned mask = __ballot_sync(kAll, one);
    if (lane == 0) ones[warp] = __popc(mask);
    __syncthreads();
    unsigned before = __popc(mask & ((1u << lane) - 1)), all = 0;
    for (unsigned w = 0; w < kSortingChunk / 32; ++w) {
      if (w < warp) before += ones[w];
      all += ones[w];
    }
    sorted[one ? kSortingChunk - all + before : t - before] = key;
    __syncthreads();
    key = sorted[t];
  }
  if (i < n) out[i] = key;
}

// How many of the first k of the merged output are from a.
__device__ inline unsigned sorting_from_first(unsigned k, const int* a, unsigned a_size,
                                              const int* b, unsigned b_size) {
  unsigned low = k > b_size ? k - b_size : 0;
  unsigned high = min(k, a_size);
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (a[middle] <= b[k - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

constexpr unsigned kSortingRun = 3000;  // already sorted
constexpr unsigned kSortingPiece = 8;   // merged by a thread

__global__ void sorting_merges(const int* in, int* out, unsigned n) {
  const unsigned begin = (blockIdx.x * blockDim.x + threadIdx.x) * kSortingPiece;
  if (begin >= n) return;
  const unsigned start = begin / (2 * kSortingRun) * (2 * kSortingRun);
  const unsigned a_size = min(kSortingRun, n - start);
  const unsigned b_size = min(kSortingRun, n - start - a_size);
  const int* a = in + start;
  const int* b = a + a_size;
  unsigned i = sorting_from_first(begin - start, a, a_size, b, b_size);
  unsigned j = begin - start - i;
  const unsigned end = min(begin + kSortingPiece, start + a_size + b_size);
  for (unsigned k = begin; k < end; ++k) {
    if (j >= b_size || (i < a_size && a[i] <= b[j]))
      out[k] = a[i++];
    else
      out[k] = b[j++];
  }
}

// The keys with every `chunk` of them sorted.
template <class Key>
std::vector<Key> sorting_wanted(std::vector<Key> keys, std::size_t chunk) {
  for (std::size_t start = 0; start < keys.size(); start += chunk)
    std::sort(keys.begin() + start, keys.begin() + std::min(start + chunk, keys.size()));
  return keys;
}

inline Problem sorting_bitonic_problem(unsigned n) {
  auto in = uniform(n, 31);
  auto out = room<float>(n);
  auto order = room<unsigned>(n);
  return Problem{[=] {
                   sorting_bitonic<<<blocks_of(n, kSortingChunk), kSortingChunk / 2>>>(
                       in->data(), out->data(), order->data(), n);
                 },
                 [=] {
                   const std::vector<float> wanted = sorting_wanted(in->host, kSortingChunk);
                   const std::vector<unsigned> from = order->device.download();
                   if (out->device.download() != wanted) return false;
                   std::vector<bool> seen(n);
                   for (unsigned i = 0; i < n; ++i) {
                     if (from[i] >= n || seen[from[i]] || in->host[from[i]] != wanted[i])
                       return false;
                     seen[from[i]] = true;
                   }
                   return true;
                 }};
}

inline Problem sorting_ranks_problem(unsigned n) {
  // Some keys more than once, some chunks nearly in order.
  auto in = array<int>(n, [](unsigned i) {
    const unsigned wide = mixed(i / 2000) % 3 == 0 ? 40 : 5000;
    return static_cast<int>(i % kSortingChunk * 20 + mixed(i + 8) % wide) - 3000;
  });
  auto out = room<int>(n);
  return Problem{
      [=] { sorting_ranks<<<blocks_of(n, kSortingChunk), 64>>>(in->data(), out->data(), n); },
      [=] { return out->device.download() == sorting_wanted(in->host, kSortingChunk); }};
}

inline Problem sorting_digits_problem(unsigned n) {
  auto in = array<unsigned short>(n, [](unsigned i) { return mixed(i + 123) >> 16; });
  auto out = room<unsigned short>(n);
  return Problem{[=] {
                   sorting_digits<unsigned short, 16>
                       <<<blocks_of(n, kSortingChunk), kSortingChunk>>>(in->data(), out->data(), n);
                 },
                 [=] { return out->device.download() == sorting_wanted(in->host, kSortingChunk); }};
}

inline Problem sorting_merges_problem(unsigned n) {
  // Of the two runs that are merged, one has more of the small keys.
  auto in = array<int>(n, [](unsigned i) {
    const unsigned run = i / kSortingRun, step = 20 + mixed(run) % 100;
    return static_cast<int>(i % kSortingRun * step + mixed(i + 55) % step);
  });
  auto out = room<int>(n);
  const unsigned threads = blocks_of(n, kSortingPiece);
  return Problem{
      [=] { sorting_merges<<<blocks_of(threads, 512), 512>>>(in->data(), out->data(), n); },
      [=] {
        const auto& values = in->host;
        std::vector<int> wanted(n);
        for (std::size_t start = 0; start < n; start += 2 * kSortingRun) {
          const std::size_t middle = std::min<std::size_t>(start + kSortingRun, n);
          const std::size_t end = std::min<std::size_t>(middle + kSortingRun, n);
          std::merge(values.begin() + start, values.begin() + middle, values.begin() + middle,
                     values.begin() + end, wanted.begin() + start);
        }
        return out->device.download() == wanted;
      }};
}

inline void add_sorting(Set& set) {
  const std::vector<unsigned> sizes = {7000, 60000, 300000};
  set.add("sorting_bitonic", sizes, sorting_bitonic_problem);
  set.add("sorting_ranks", sizes, sorting_ranks_problem);
  set.add("sorting_digits", sizes, sorting_digits_problem);
  set.add("sorting_merges", {7000, 1200000, 8000000}, sorting_merges_problem);
}

}  // namespace timing_set

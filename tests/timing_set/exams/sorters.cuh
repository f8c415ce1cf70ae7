// SPDX-License-Identifier: MIT
// Sorts of parts: each part of 256 keys of an array is put in order by itself; the last part may be
// shorter. Bitonic networks in shared memory and with shuffles, odd-even transposition, counting of
// the smaller keys, merging, and splitting by one bit after the other.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSortersPart = 256;

__device__ inline void sorters_exchange(float& a, float& b, bool up) {
  if ((a > b) == up) {
    const float kept = a;
    a = b;
    b = kept;
  }
}

// Keys behind the end are larger than all others and stay behind the end.
__global__ void sorters_bitonic(const float* in, float* out, unsigned n) {
  __shared__ float keys[kSortersPart];
  const unsigned t = threadIdx.x;
  const unsigned begin = blockIdx.x * kSortersPart;
  for (unsigned k = t; k < kSortersPart; k += blockDim.x)
    keys[k] = begin + k < n ? in[begin + k] : INFINITY;
  for (unsigned size = 2; size <= kSortersPart; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned k = 2 * t - (t & (stride - 1));
      sorters_exchange(keys[k], keys[k + stride], (k & size) == 0);
    }
  }
  __syncthreads();
  for (unsigned k = t; k < kSortersPart; k += blockDim.x)
    if (begin + k < n) out[begin + k] = keys[k];
}

__global__ void sorters_oddeven(const float* in, float* out, unsigned n) {
  __shared__ float keys[kSortersPart];
  const unsigned t = threadIdx.x;
  const unsigned begin = blockIdx.x * kSortersPart;
  for (unsigned k = t; k < kSortersPart; k += blockDim.x)
    keys[k] = begin + k < n ? in[begin + k] : INFINITY;
  for (unsigned phase = 0; phase < kSortersPart; ++phase) {
    __syncthreads();
    const unsigned k = 2 * t + phase % 2;
    if (k + 1 < kSortersPart) sorters_exchange(keys[k], keys[k + 1], true);
  }
  __syncthreads();
  for (unsigned k = t; k < kSortersPart; k += blockDim.x)
    if (begin + k < n) out[begin + k] = keys[k];
}

// A key's place is the number of keys that come before it; each thread counts for four keys. Equal
// keys stay in their order.
__global__ void sorters_ranks(const float* __restrict__ in, float* __restrict__ out, unsigned n) {
  constexpr unsigned each = 4, threads = kSortersPart / each;
  __shared__ float keys[kSortersPart];
  const unsigned t = threadIdx.x;
  const unsigned begin = blockIdx.x * kSortersPart;
  float own[each];
  unsigned ranks[each];
  for (unsigned k = 0; k < each; ++k) {
    const unsigned i = begin + k * threads + t;
    own[k] = i < n ? in[i] : INFINITY;
    ranks[k] = 0;
    keys[k * threads + t] = own[k];
  }
  __syncthreads();
  for (unsigned j = 0; j < kSortersPart; ++j) {
    const float other = keys[j];
    for (unsigned k = 0; k < each; ++k)
      ranks[k] += other < own[k] || (other == own[k] && j < k * threads + t);
  }
  for (unsigned k = 0; k < each; ++k)
    if (begin + ranks[k] < n) out[begin + ranks[k]] = own[k];
}

// Runs of 1, 2, 4, ... keys are merged in pairs. Each thread looks for the place of its key in the
// other run of the pair; of equal keys those of the left run come first.
__global__ void sorters_merge(const double* in, double* out, unsigned n) {
  __shared__ double keys[2][kSortersPart];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * kSortersPart + t;
  keys[0][t] = i < n ? in[i] : INFINITY;
  __syncthreads();
  unsigned from = 0;
  for (unsigned width = 1; width < kSortersPart; width *= 2) {
    const double key = keys[from][t];
    const bool left = (t & width) == 0;
    const unsigned other = (t & ~(width - 1)) ^ width;
    unsigned low = 0, high = width;  // how many of the other run come before the key
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      const double with = keys[from][other + middle];
      if (left ? with < key : with <= key)
        low = middle + 1;
      else
        high = middle;
    }
    const unsigned pair = t & ~(2 * width - 1);
    keys[1 - from][pair + (t & (width - 1)) + low] = key;
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = keys[from][t];
}

// Keys with a zero go before those with a one, for each bit from the lowest to the highest.
__global__ void sorters_radix(const unsigned* in, unsigned* out, unsigned n) {
  constexpr unsigned warps = kSortersPart / 32;
  __shared__ unsigned keys[kSortersPart];
  __shared__ unsigned zeros[warps];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned i = blockIdx.x * kSortersPart + t;
  unsigned key = i < n ? in[i] : 0xffffffffu;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const bool one = (key >> bit & 1) != 0;
    const unsigned votes = __ballot_sync(kAll, !one);
    if (lane == 0) zeros[warp] = __popc(votes);
    __syncthreads();
    unsigned before = __popc(votes & ((1u << lane) - 1)), all = 0;
    for (unsigned w = 0; w < warps; ++w) {
      if (w < warp) before += zeros[w];
      all += zeros[w];
    }
    keys[one ? all + t - before : before] = key;
    __syncthreads();
    key = keys[t];
  }
  if (i < n) out[i] = key;
}

// The bitonic network with one key per thread in a register: shuffles where both keys are in the
// same warp, and shared memory elsewhere. A block has four parts.
constexpr unsigned kSortersRows = 4;
__global__ void sorters_shuffles(const int* __restrict__ in, int* __restrict__ out, unsigned n) {
  __shared__ int keys[kSortersRows][kSortersPart];
  const unsigned t = threadIdx.x;
  const unsigned i = (blockIdx.x * kSortersRows + threadIdx.y) * kSortersPart + t;
  int key = i < n ? in[i] : 0x7fffffff;
  for (unsigned size = 2; size <= kSortersPart; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      int other;
      if (stride >= 32) {
        __syncthreads();
        keys[threadIdx.y][t] = key;
        __syncthreads();
        other = keys[threadIdx.y][t ^ stride];
      } else {
        other = __shfl_xor_sync(kAll, key, stride);
      }
      const bool up = (t & size) == 0, first = (t & stride) == 0;
      key = up == first ? min(key, other) : max(key, other);
    }
  }
  if (i < n) out[i] = key;
}

template <class T>
bool sorters_right(const Shared<T>& in, const Shared<T>& out) {
  std::vector<T> wanted = in->host;
  for (std::size_t begin = 0; begin < wanted.size(); begin += kSortersPart) {
    const std::size_t end = std::min<std::size_t>(begin + kSortersPart, wanted.size());
    std::sort(wanted.begin() + begin, wanted.begin() + end);
  }
  return out->device.download() == wanted;
}

inline void sorters_add_rest(Set& set, const std::vector<unsigned>& sizes) {
  set.add("sorters_merge", sizes, [](unsigned n) {
    auto in = uniform<double>(n, 4), out = room<double>(n);
    const unsigned blocks = blocks_of(n, kSortersPart);
    return Problem{[=] { sorters_merge<<<blocks, kSortersPart>>>(in->data(), out->data(), n); },
                   [=] { return sorters_right(in, out); }};
  });
  set.add("sorters_radix", sizes, [](unsigned n) {
    auto in = array<unsigned>(n, [](unsigned i) { return mixed(i + 1'000'000'000); });
    auto out = room<unsigned>(n);
    const unsigned blocks = blocks_of(n, kSortersPart);
    return Problem{[=] { sorters_radix<<<blocks, kSortersPart>>>(in->data(), out->data(), n); },
                   [=] { return sorters_right(in, out); }};
  });
  set.add("sorters_shuffles", sizes, [](unsigned n) {
    auto in = array<int>(n, [](unsigned i) { return static_cast<int>(mixed(i)); });
    auto out = room<int>(n);
    const unsigned blocks = blocks_of(n, kSortersRows * kSortersPart);
    return Problem{[=] {
                     sorters_shuffles<<<blocks, dim3(kSortersPart, kSortersRows)>>>(in->data(),
                                                                                    out->data(), n);
                   },
                   [=] { return sorters_right(in, out); }};
  });
}

inline void add_sorters(Set& set) {
  const std::vector<unsigned> sizes = {5'003, 150'000, 800'007};
  set.add("sorters_bitonic", sizes, [](unsigned n) {
    auto in = uniform(n, 1), out = room<float>(n);
    const unsigned blocks = blocks_of(n, kSortersPart);
    return Problem{
        [=] { sorters_bitonic<<<blocks, kSortersPart / 2>>>(in->data(), out->data(), n); },
        [=] { return sorters_right(in, out); }};
  });
  set.add("sorters_oddeven", sizes, [](unsigned n) {
    auto in = uniform(n, 2), out = room<float>(n);
    const unsigned blocks = blocks_of(n, kSortersPart);
    return Problem{
        [=] { sorters_oddeven<<<blocks, kSortersPart / 2>>>(in->data(), out->data(), n); },
        [=] { return sorters_right(in, out); }};
  });
  set.add("sorters_ranks", sizes, [](unsigned n) {
    auto in = uniform(n, 3), out = room<float>(n);
    const unsigned blocks = blocks_of(n, kSortersPart);
    return Problem{[=] { sorters_ranks<<<blocks, kSortersPart / 4>>>(in->data(), out->data(), n); },
                   [=] { return sorters_right(in, out); }};
  });
  sorters_add_rest(set, sizes);
}

}  // namespace timing_set

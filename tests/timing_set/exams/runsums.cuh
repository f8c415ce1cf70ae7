// SPDX-License-Identifier: MIT
// Running sums of the parts of an array: each sum is of the elements from the beginning of its part
// of 512 up to its own. In shared memory step by step and as a tree, by shuffles, one warp for a
// part, one thread for a part, and the same idea used to find the places of the elements to keep.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kRunsumsPart = 512;

// One thread per element adds the one 1, 2, 4, ... places before it.
__global__ void runsums_steps(const float* x, float* sums, unsigned n) {
  __shared__ float parts[2][kRunsumsPart];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * kRunsumsPart + t;
  parts[0][t] = i < n ? x[i] : 0.f;
  __syncthreads();
  unsigned from = 0;
  for (unsigned d = 1; d < kRunsumsPart; d *= 2) {
    float sum = parts[from][t];
    if (t >= d) sum += parts[from][t - d];
    from = 1 - from;
    parts[from][t] = sum;
    __syncthreads();
  }
  if (i < n) sums[i] = parts[from][t];
}

// Sums of pairs, of fours and so on up the tree, and down again what lies before each.
__global__ void runsums_tree(const double* x, double* sums, unsigned n) {
  __shared__ double part[kRunsumsPart];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * kRunsumsPart + t;
  const unsigned j = i + kRunsumsPart / 2;
  const double first = i < n ? x[i] : 0.0;
  const double second = j < n ? x[j] : 0.0;
  part[t] = first;
  part[t + kRunsumsPart / 2] = second;
  unsigned stride = 1;
  for (unsigned pairs = kRunsumsPart / 2; pairs > 0; pairs /= 2) {
    __syncthreads();
    if (t < pairs) part[stride * (2 * t + 2) - 1] += part[stride * (2 * t + 1) - 1];
    stride *= 2;
  }
  if (t == 0) part[kRunsumsPart - 1] = 0.0;
  for (unsigned pairs = 1; pairs < kRunsumsPart; pairs *= 2) {
    stride /= 2;
    __syncthreads();
    if (t < pairs) {
      const unsigned left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
      const double before = part[right];
      part[right] = before + part[left];
      part[left] = before;
    }
  }
  __syncthreads();
  if (i < n) sums[i] = part[t] + first;
  if (j < n) sums[j] = part[t + kRunsumsPart / 2] + second;
}

template <class T>
__device__ T runsums_of_warp(T x) {
  for (unsigned d = 1; d < 32; d *= 2) {
    const T before = __shfl_up_sync(kAll, x, d);
    if (threadIdx.x % 32 >= d) x += before;
  }
  return x;
}

// Each warp by shuffles, then the first warp the sums of the warps.
__global__ void runsums_warps(const int* __restrict__ x, int* __restrict__ sums, unsigned n) {
  constexpr unsigned warps = kRunsumsPart / 32;
  __shared__ int totals[warps];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned i = blockIdx.x * kRunsumsPart + threadIdx.x;
  int sum = runsums_of_warp(i < n ? x[i] : 0);
  if (lane == 31) totals[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const int total = runsums_of_warp(lane < warps ? totals[lane] : 0);
    if (lane < warps) totals[lane] = total;
  }
  __syncthreads();
  if (warp > 0) sum += totals[warp - 1];
  if (i < n) sums[i] = sum;
}

// One warp has a whole part, 128 elements at a time, and carries the sum along.
__global__ void runsums_fours(const float* __restrict__ x, float* __restrict__ sums, unsigned n) {
  const unsigned part = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float carry = 0.f;
  for (unsigned k = 0; k < kRunsumsPart; k += 128) {
    const unsigned i = part * kRunsumsPart + k + 4 * (threadIdx.x % 32);
    float4 xs = make_float4(0.f, 0.f, 0.f, 0.f);
    if (i + 3 < n) {
      xs = *reinterpret_cast<const float4*>(&x[i]);
    } else {
      if (i < n) xs.x = x[i];
      if (i + 1 < n) xs.y = x[i + 1];
      if (i + 2 < n) xs.z = x[i + 2];
    }
    xs.y += xs.x;
    xs.z += xs.y;
    xs.w += xs.z;
    const float sum = runsums_of_warp(xs.w);
    const float before = carry + sum - xs.w;
    if (i + 3 < n) {
      *reinterpret_cast<float4*>(&sums[i]) =
          make_float4(before + xs.x, before + xs.y, before + xs.z, before + xs.w);
    } else {
      if (i < n) sums[i] = before + xs.x;
      if (i + 1 < n) sums[i + 1] = before + xs.y;
      if (i + 2 < n) sums[i + 2] = before + xs.z;
    }
    carry += __shfl_sync(kAll, sum, 31);
  }
}

// One thread has a whole part: no work is done twice, but neighbouring threads read far apart.
__global__ void runsums_serial(const float* x, float* sums, unsigned n) {
  const unsigned begin = (blockIdx.x * blockDim.x + threadIdx.x) * kRunsumsPart;
  float sum = 0.f;
  for (unsigned i = begin; i < begin + kRunsumsPart && i < n; ++i) {
    sum += x[i];
    sums[i] = sum;
  }
}

// Stream compaction: the numbers of the elements above the limit, of each block in their order. The
// blocks take their places as they come.
constexpr unsigned kRunsumsBlock = 256;
constexpr float kRunsumsLimit = 0.6f;
__global__ void runsums_keep(const float* __restrict__ x, unsigned* __restrict__ kept,
                             unsigned* count, unsigned n) {
  constexpr unsigned warps = kRunsumsBlock / 32;
  __shared__ unsigned totals[warps];
  __shared__ unsigned begin;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned i = blockIdx.x * kRunsumsBlock + threadIdx.x;
  const bool keep = i < n && x[i] > kRunsumsLimit;
  const unsigned votes = __ballot_sync(kAll, keep);
  if (lane == 0) totals[warp] = __popc(votes);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned w = 0; w < warps; ++w) {
      const unsigned total = totals[w];
      totals[w] = sum;
      sum += total;
    }
    begin = atomicAdd(count, sum);
  }
  __syncthreads();
  if (keep) kept[begin + totals[warp] + __popc(votes & ((1u << lane) - 1))] = i;
}

template <class T>
bool runsums_right(const Shared<T>& x, const Shared<T>& sums) {
  const std::vector<T> got = sums->device.download();
  double sum = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    sum = (i % kRunsumsPart == 0 ? 0 : sum) + x->host[i];
    if (!near(got[i], sum, 1e-5)) return false;
  }
  return true;
}
// Each element to keep is there once, wherever its block has put it, and no other one.
inline bool runsums_kept_right(const Shared<float>& x, const Shared<unsigned>& kept,
                               const Shared<unsigned>& count) {
  const std::vector<unsigned> got = kept->device.download();
  const unsigned number = count->device.download()[0];
  std::size_t wanted = 0;
  for (const float value : x->host) wanted += value > kRunsumsLimit;
  if (number != wanted) return false;
  std::vector<char> seen(got.size());
  for (unsigned k = 0; k < number; ++k) {
    const unsigned i = got[k];
    if (i >= got.size() || seen[i] || !(x->host[i] > kRunsumsLimit)) return false;
    seen[i] = true;
  }
  return true;
}

inline void runsums_add_rest(Set& set, const std::vector<unsigned>& sizes) {
  set.add("runsums_fours", sizes, [](unsigned n) {
    auto x = uniform(n, 4), sums = room<float>(n);
    const unsigned blocks = blocks_of(blocks_of(n, kRunsumsPart), 4);
    return Problem{[=] { runsums_fours<<<blocks, 128>>>(x->data(), sums->data(), n); },
                   [=] { return runsums_right(x, sums); }};
  });
  set.add("runsums_serial", sizes, [](unsigned n) {
    auto x = uniform(n, 5), sums = room<float>(n);
    const unsigned blocks = blocks_of(blocks_of(n, kRunsumsPart), 64);
    return Problem{[=] { runsums_serial<<<blocks, 64>>>(x->data(), sums->data(), n); },
                   [=] { return runsums_right(x, sums); }};
  });
  set.add("runsums_keep", sizes, [](unsigned n) {
    auto x = uniform(n, 6);
    auto kept = room<unsigned>(n), count = room<unsigned>(1);
    clear(count);
    return Problem{[=] {
                     runsums_keep<<<blocks_of(n, kRunsumsBlock), kRunsumsBlock>>>(
                         x->data(), kept->data(), count->data(), n);
                   },
                   [=] { return runsums_kept_right(x, kept, count); }, [=] { clear(count); }};
  });
}

inline void add_runsums(Set& set) {
  const std::vector<unsigned> sizes = {20'011, 2'500'000, 10'000'019};
  set.add("runsums_steps", sizes, [](unsigned n) {
    auto x = uniform(n, 1), sums = room<float>(n);
    const unsigned blocks = blocks_of(n, kRunsumsPart);
    return Problem{[=] { runsums_steps<<<blocks, kRunsumsPart>>>(x->data(), sums->data(), n); },
                   [=] { return runsums_right(x, sums); }};
  });
  set.add("runsums_tree", sizes, [](unsigned n) {
    auto x = uniform<double>(n, 2), sums = room<double>(n);
    const unsigned blocks = blocks_of(n, kRunsumsPart);
    return Problem{[=] { runsums_tree<<<blocks, kRunsumsPart / 2>>>(x->data(), sums->data(), n); },
                   [=] { return runsums_right(x, sums); }};
  });
  set.add("runsums_warps", sizes, [](unsigned n) {
    auto x = array<int>(n, [](unsigned i) { return static_cast<int>(mixed(i) % 2001) - 1000; });
    auto sums = room<int>(n);
    const unsigned blocks = blocks_of(n, kRunsumsPart);
    return Problem{[=] { runsums_warps<<<blocks, kRunsumsPart>>>(x->data(), sums->data(), n); },
                   [=] { return runsums_right(x, sums); }};
  });
  runsums_add_rest(set, sizes);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Stream compaction, which keeps what satisfies a condition, in any order: an atomic per kept value, one per warp in a
// grid-stride loop over points, one per block after a scan of four values a thread that keeps the indices; and a
// partition, where what is not kept goes to the other end.
#pragma once
#include <cstring>

#include "../set.cuh"

namespace timing_set {

constexpr float kSievesLimit = 0.6f;

__global__ void sieves_each(const float* values, float* kept, unsigned* count, float limit,
                            unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] > limit) {
    const unsigned place = atomicAdd(count, 1u);
    kept[place] = values[i];
  }
}

struct SievesPoint {
  float x, y;
};

__host__ __device__ inline bool sieves_inside(const SievesPoint& p) {
  return p.x > 0.25f && p.x < 0.85f && p.y > 0.3f && p.y < 0.9f;
}

__global__ void sieves_warps(const SievesPoint* points, SievesPoint* kept, unsigned* count,
                             unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned start = thread_number() - lane; start < n; start += gridDim.x * blockDim.x) {
    const unsigned i = start + lane;
    SievesPoint point = {0, 0};
    if (i < n) point = points[i];
    const bool keep = i < n && sieves_inside(point);
    const unsigned keepers = __ballot_sync(kAll, keep);
    if (keepers == 0) continue;
    unsigned base = 0;
    if (lane == 0) base = atomicAdd(count, __popc(keepers));
    base = __shfl_sync(kAll, base, 0);
    if (keep) kept[base + __popc(keepers & ((1u << lane) - 1))] = point;
  }
}

__global__ void __launch_bounds__(512)
    sieves_blocks(const float4* __restrict__ values, unsigned* __restrict__ kept,
                  unsigned* __restrict__ count, float limit, unsigned quarter) {
  __shared__ unsigned before_warp[16];
  __shared__ unsigned base;
  const unsigned i = thread_number();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  bool keep[4] = {};
  if (i < quarter) {
    const float4 v = values[i];
    keep[0] = v.x > limit;
    keep[1] = v.y > limit;
    keep[2] = v.z > limit;
    keep[3] = v.w > limit;
  }
  const unsigned mine = keep[0] + keep[1] + keep[2] + keep[3];
  unsigned upto = mine;
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned left = __shfl_up_sync(kAll, upto, d);
    if (lane >= d) upto += left;
  }
  if (lane == 31) before_warp[warp] = upto;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) {
      const unsigned of_warp = before_warp[w];
      before_warp[w] = sum;
      sum += of_warp;
    }
    base = atomicAdd(count, sum);
  }
  __syncthreads();
  unsigned place = base + before_warp[warp] + upto - mine;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (keep[k]) kept[place++] = 4 * i + k;
}

// counts[0] values less than the pivot at the front, the counts[1] others at the back.
__global__ void sieves_partition(const double* in, double* out, unsigned* counts, double pivot,
                                 unsigned n) {
  __shared__ unsigned in_block[2];
  __shared__ unsigned base[2];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 2) in_block[threadIdx.x] = 0;
  __syncthreads();
  double value = 0;
  unsigned side = 0, place = 0;
  if (i < n) {
    value = in[i];
    side = value < pivot ? 0 : 1;
    place = atomicAdd(&in_block[side], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 2) base[threadIdx.x] = atomicAdd(&counts[threadIdx.x], in_block[threadIdx.x]);
  __syncthreads();
  if (i < n) {
    place += base[side];
    out[side == 0 ? place : n - 1 - place] = value;
  }
}

// What was kept, without its order: how many, and a sum of something mixed from each.
struct SievesPile {
  std::size_t count = 0;
  std::uint64_t sum = 0;
  template <class T>
  void add(const T& value) {
    std::uint32_t words[sizeof(T) / 4];
    std::memcpy(words, &value, sizeof(T));
    std::uint64_t mark = 1;
    for (std::uint32_t word : words) mark = mark * 0x9e3779b97f4a7c15ull + mixed(word);
    ++count;
    sum += mark ^ mark >> 29;
  }
  bool operator==(const SievesPile&) const = default;
};

// The first `count` of what was written.
template <class T>
SievesPile sieves_pile(const Shared<T>& out, const Shared<unsigned>& count) {
  SievesPile pile;
  const std::size_t wrote = count->device.download()[0];
  if (wrote > out->size()) return pile;
  for (const T& value : out->device.download(wrote)) pile.add(value);
  return pile;
}

// Between 0 and 1; in some places mostly small, in others mostly large.
inline double sieves_value(unsigned i) {
  return ((mixed(i / 5000 + 3) >> 16) + (mixed(i) >> 16)) / 131072.0;
}

inline Shared<unsigned> sieves_counter(unsigned n) { return array(std::vector<unsigned>(n)); }

inline Problem sieves_each_problem(unsigned n) {
  auto values = array<float>(n, sieves_value);
  auto kept = room<float>(n);
  auto count = sieves_counter(1);
  return Problem{[=] {
                   sieves_each<<<blocks_of(n), kBlock>>>(values->data(), kept->data(),
                                                         count->data(), kSievesLimit, n);
                 },
                 [=] {
                   SievesPile wanted;
                   for (float value : values->host)
                     if (value > kSievesLimit) wanted.add(value);
                   return sieves_pile(kept, count) == wanted;
                 },
                 [=] { clear(count); }};
}

inline Problem sieves_warps_problem(unsigned n) {
  auto points = array<SievesPoint>(n, [](unsigned i) {
    const float y = (mixed(i + 4000000000u) >> 16) / 65536.0f;
    return SievesPoint{static_cast<float>(sieves_value(i)), y};
  });
  auto kept = room<SievesPoint>(n);
  auto count = sieves_counter(1);
  return Problem{[=] {
                   sieves_warps<<<std::min(blocks_of(n, 128), 2112u), 128>>>(
                       points->data(), kept->data(), count->data(), n);
                 },
                 [=] {
                   SievesPile wanted;
                   for (const SievesPoint& point : points->host)
                     if (sieves_inside(point)) wanted.add(point);
                   return sieves_pile(kept, count) == wanted;
                 },
                 [=] { clear(count); }};
}

inline Problem sieves_blocks_problem(unsigned n) {
  auto values = array<float>(n, sieves_value);
  auto kept = room<unsigned>(n);
  auto count = sieves_counter(1);
  return Problem{[=] {
                   sieves_blocks<<<blocks_of(n / 4, 512), 512>>>(
                       reinterpret_cast<const float4*>(values->data()), kept->data(), count->data(),
                       kSievesLimit, n / 4);
                 },
                 [=] {
                   SievesPile wanted;
                   for (unsigned i = 0; i < n; ++i)
                     if (values->host[i] > kSievesLimit) wanted.add(i);
                   return sieves_pile(kept, count) == wanted;
                 },
                 [=] { clear(count); }};
}

inline Problem sieves_partition_problem(unsigned n) {
  auto in = array<double>(n, sieves_value);
  auto out = room<double>(n);
  auto counts = sieves_counter(2);
  const double pivot = 0.45;
  return Problem{[=] {
                   sieves_partition<<<blocks_of(n, 1024), 1024>>>(in->data(), out->data(),
                                                                  counts->data(), pivot, n);
                 },
                 [=] {
                   SievesPile front, back, wanted_front, wanted_back;
                   for (double value : in->host)
                     (value < pivot ? wanted_front : wanted_back).add(value);
                   const std::vector<double> got = out->device.download();
                   const std::size_t fronts = counts->device.download()[0];
                   for (std::size_t i = 0; i < n; ++i) (i < fronts ? front : back).add(got[i]);
                   return front == wanted_front && back == wanted_back;
                 },
                 [=] { clear(counts); }};
}

inline void add_sieves(Set& set) {
  const std::vector<unsigned> sizes = {10000, 1500000, 10000000};  // multiples of four
  set.add("sieves_each", sizes, sieves_each_problem);
  set.add("sieves_warps", sizes, sieves_warps_problem);
  set.add("sieves_blocks", sizes, sieves_blocks_problem);
  set.add("sieves_partition", sizes, sieves_partition_problem);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// A step of k-means: the nearest of 16 centres for each point of eight coordinates, and the sums of each centre's points.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kDims = 8, kCentres = 16;

template <bool InShared>
__global__ void nearest(const float* points, const float* centres, unsigned* label, unsigned n) {
  __shared__ float kept[kCentres * kDims];
  if (InShared) {
    if (threadIdx.x < kCentres * kDims) kept[threadIdx.x] = centres[threadIdx.x];
    __syncthreads();
  }
  const float* const from = InShared ? kept : centres;
  const unsigned i = thread_number();
  if (i >= n) return;
  float x[kDims];
#pragma unroll
  for (unsigned d = 0; d < kDims; ++d) x[d] = points[d * n + i];
  float best = 1e30f;
  unsigned at = 0;
  for (unsigned c = 0; c < kCentres; ++c) {
    float distance = 0;
#pragma unroll
    for (unsigned d = 0; d < kDims; ++d) {
      const float away = x[d] - from[c * kDims + d];
      distance += away * away;
    }
    if (distance < best) {
      best = distance;
      at = c;
    }
  }
  label[i] = at;
}
__global__ void sums_global(const float* points, const unsigned* label, float* sums, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const unsigned c = label[i];
  for (unsigned d = 0; d < kDims; ++d) atomicAdd(&sums[c * kDims + d], points[d * n + i]);
}
__global__ void sums_block(const float* points, const unsigned* label, float* sums, unsigned n) {
  __shared__ float part[kCentres * kDims];
  if (threadIdx.x < kCentres * kDims) part[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const unsigned c = label[i];
    for (unsigned d = 0; d < kDims; ++d) atomicAdd(&part[c * kDims + d], points[d * n + i]);
  }
  __syncthreads();
  if (threadIdx.x < kCentres * kDims) atomicAdd(&sums[threadIdx.x], part[threadIdx.x]);
}

inline unsigned nearest_of(const std::vector<float>& points, const std::vector<float>& centres,
                           unsigned n, unsigned i) {
  double best = 1e30;
  unsigned at = 0;
  for (unsigned c = 0; c < kCentres; ++c) {
    double distance = 0;
    for (unsigned d = 0; d < kDims; ++d) {
      const double away = double{points[d * n + i]} - centres[c * kDims + d];
      distance += away * away;
    }
    if (distance < best) best = distance, at = c;
  }
  return at;
}
template <bool InShared>
Problem nearest_problem(unsigned n) {
  auto points = uniform(n * kDims, 1), centres = uniform(kCentres * kDims, 2);
  auto label = room<unsigned>(n);
  return {[=] {
            nearest<InShared>
                <<<blocks_of(n), kBlock>>>(points->data(), centres->data(), label->data(), n);
          },
          [=] {
            return agrees(
                label, [=](unsigned i) { return nearest_of(points->host, centres->host, n, i); },
                0);
          }};
}
template <class Launch>
std::function<Problem(unsigned)> sums_problem(Launch launch) {
  return [=](unsigned n) {
    auto points = uniform(n * kDims, 1), sums = room<float>(kCentres * kDims);
    auto label = array<unsigned>(n, [](unsigned i) { return mixed(i + 5) % kCentres; });
    return Problem{[=] { launch(points->data(), label->data(), sums->data(), n); },
                   [=] {
                     std::vector<double> wanted(kCentres * kDims);
                     for (unsigned i = 0; i < n * kDims; ++i)
                       wanted[label->host[i % n] * kDims + i / n] += points->host[i];
                     return agrees(sums, [&](unsigned i) { return wanted[i]; });
                   },
                   [=] { clear(sums); }};
  };
}

inline void add_means(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 16, 1 << 19};
  set.add("nearest_global", sizes, nearest_problem<false>);
  set.add("nearest_shared", sizes, nearest_problem<true>);
  using In = const float*;
  set.add("sums_global", sizes,
          sums_problem([](In points, const unsigned* label, float* sums, unsigned n) {
            sums_global<<<blocks_of(n), kBlock>>>(points, label, sums, n);
          }));
  set.add("sums_block", sizes,
          sums_problem([](In points, const unsigned* label, float* sums, unsigned n) {
            sums_block<<<std::min(blocks_of(n), 264u), kBlock>>>(points, label, sums, n);
          }));
}

}  // namespace timing_set

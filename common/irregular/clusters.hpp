// SPDX-License-Identifier: MIT
// Points in space, and which of them belong together: DBSCAN. A point is a core point if at least so many
// points, itself among them, are no further away than eps. Core points that near each other are of one
// cluster; another point that near a core point is on the border of its cluster; all others are noise.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/function_ref.hpp"
#include "common/program/family.cuh"

namespace course {

// A cluster is named by the smallest index of a core point in it.
inline constexpr std::uint32_t kNoise = 0xffffffff;

// Pointers are device memory. Of a point x, y and z count.
struct Clustering {
  const float4* points = nullptr;
  std::size_t n = 0;  // below 2^31
  float eps = 0.5f;
  unsigned min_points = 10;
  std::uint32_t* labels = nullptr;  // out: the cluster of each point, or kNoise
  std::byte* room = nullptr;        // for anything, aligned to 256 bytes
  std::size_t room_bytes = 0;       // room_for_clusters(n)
  int block = 256;
  const Device* device = nullptr;
  // Told at the end of each phase, where phases are timed apart.
  const FunctionRef<void(const char*)>* ended = nullptr;
};
std::size_t room_for_clusters(std::size_t n);

// Whether the algorithm looks at a point at all. A coordinate that is no number, or so large that a float
// cannot tell points eps apart any more, makes it noise.
__host__ __device__ inline bool is_usable(float4 p, float eps) {
  const float far = eps * 16384;  // NaN is not less either
  return p.x < far && p.x > -far && p.y < far && p.y > -far && p.z < far && p.z > -far;
}
// The square of a distance, rounded to float after each step: the same on every machine. (Left alone, a
// compiler may fuse a product and a sum, and a pair at a distance of exactly eps would be near on one
// machine and not on another. A product of two floats is exact in double.)
__host__ __device__ inline float squared_distance(float4 a, float4 b) {
  const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
#ifdef __CUDA_ARCH__
  return __fadd_rn(__fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)), __fmul_rn(z, z));
#else
  const auto squared = [](double d) { return static_cast<float>(d * d); };
  return squared(x) + squared(y) + squared(z);
#endif
}
__host__ __device__ inline bool is_near(float4 a, float4 b, float eps) {
  return squared_distance(a, b) <= eps * eps;
}

// The CPU's answer. A border point's label is the smallest that it may have.
struct Clustered {
  std::vector<std::uint32_t> labels;
  std::vector<std::uint8_t> core;  // whether a point is a core point
  // The other clusters that border points may belong to: (point, label), in order.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> others;
};
Clustered cluster_all_pairs(std::span<const float4> points, float eps, unsigned min_points);
Clustered cluster_by_grid(std::span<const float4> points, float eps, unsigned min_points,
                          unsigned threads);

// What is wrong with labels, in words; empty: nothing. Border points may have any label that is allowed.
families::Finding compare_labels(std::span<const std::uint32_t> labels, const Clustered& truth);

// --cloud, --order, --rings, --eps, --neighbours.
std::span<const Choice> clusters_choices();
std::unique_ptr<families::ProblemOf<Clustering>> make_clustering(const families::Setup& setup);

}  // namespace course

// SPDX-License-Identifier: MIT
// After the labels: clusters with numbers, how many points each has, and the box around them. And clusters
// that keep their name from one scan to the next.
#pragma once

#include "common/device_buffer.cuh"
#include "lessons/13_point_cloud/box.cuh"
#include "lessons/13_point_cloud/stages.cuh"

namespace lesson13 {

// Pointers are device memory; room for as many clusters as there are points.
struct Clusters {
  std::uint32_t* count;    // how many clusters there are
  std::uint32_t* numbers;  // of the cluster whose label is i
  std::uint32_t* sizes;    // points of cluster number k
  int* boxes;              // six for each, as in box.cuh
};

// The point that gave a cluster its name gives it a number: those of a warp take theirs together.
static __global__ void number_clusters(const std::uint32_t* labels, std::uint32_t n, Clusters c) {
  for (std::uint32_t i = thread_number(); i - lane() < n; i += thread_count()) {
    const bool names = i < n && labels[i] == i;
    const unsigned who = __ballot_sync(kAllLanes, names);
    std::uint32_t first = 0;
    if (who != 0 && lane() == 0) first = atomicAdd(c.count, __popc(who));
    first = __shfl_sync(kAllLanes, first, 0);
    if (!names) continue;
    const std::uint32_t k = first + lesson07::rank_in(who);
    c.numbers[i] = k;
    c.sizes[k] = 0;
    for (int d = 0; d < 6; ++d) c.boxes[6 * std::size_t{k} + d] = d < 3 ? INT_MAX : INT_MIN;
  }
}

// A reduction by segments, where a segment is the lanes of a warp with the same label: in a scan, neighbours
// mostly have it. One lane adds for all of them.
static __global__ void measure_clusters(const float4* points, const std::uint32_t* labels,
                                        std::uint32_t n, Clusters c) {
  for (std::uint32_t i = thread_number(); i - lane() < n; i += thread_count()) {
    const std::uint32_t label = i < n ? labels[i] : kNoise;
    const unsigned same = __match_any_sync(kAllLanes, label);
    if (label == kNoise) continue;
    const float4 p = points[i];
    const float at[] = {p.x, p.y, p.z};
    int low[3], high[3];
    for (int d = 0; d < 3; ++d) {
      low[d] = __reduce_min_sync(same, ordered(at[d]));
      high[d] = __reduce_max_sync(same, ordered(at[d]));
    }
    if (lane() != lesson07::leader_of(same)) continue;
    const std::uint32_t k = c.numbers[label];
    atomicAdd(c.sizes + k, __popc(same));
    for (int d = 0; d < 3; ++d) {
      atomicMin(c.boxes + 6 * std::size_t{k} + d, low[d]);
      atomicMax(c.boxes + 6 * std::size_t{k} + 3 + d, high[d]);
    }
  }
}

// ---- from one scan to the next

// A cluster goes on under the name of the nearest one before, if that is near enough and has no nearer
// one that wants its name. Others get new names.
struct Tracks {
  std::uint32_t* names;  // of the clusters of this scan
  unsigned long long*
      wanted;  // for each cluster before: the nearest that wants it, distance << 32 | number
  std::uint32_t* next;  // the next name that nobody has had
};
inline constexpr float kFurthest = 2;  // metres that something moves between two scans, at most

__device__ inline float3 middle_of(const int* box) {
  const Box b = Box::from(box);
  return {(b.low[0] + b.high[0]) / 2, (b.low[1] + b.high[1]) / 2, (b.low[2] + b.high[2]) / 2};
}
__device__ inline float distance_between(const int* a, const int* b) {
  const float3 p = middle_of(a), q = middle_of(b);
  return norm3df(p.x - q.x, p.y - q.y, p.z - q.z);
}
__device__ inline std::uint32_t nearest_before(const int* box, Clusters before, float& distance) {
  std::uint32_t best = kNowhere;
  distance = kFurthest;
  for (std::uint32_t k = 0; k < *before.count; ++k) {
    const float d = distance_between(box, before.boxes + 6 * std::size_t{k});
    if (d < distance) distance = d, best = k;
  }
  return best;
}
__device__ inline unsigned long long wish(float distance, std::uint32_t k) {
  return static_cast<unsigned long long>(__float_as_uint(distance)) << 32 | k;
}
static __global__ void want_names(Clusters now, Clusters before, Tracks t) {
  for (std::uint32_t k = thread_number(); k < *now.count; k += thread_count()) {
    float distance;
    const std::uint32_t best = nearest_before(now.boxes + 6 * std::size_t{k}, before, distance);
    if (best != kNowhere) atomicMin(t.wanted + best, wish(distance, k));
  }
}
static __global__ void give_names(Clusters now, Clusters before, const std::uint32_t* old,
                                  Tracks t) {
  for (std::uint32_t k = thread_number(); k < *now.count; k += thread_count()) {
    float distance;
    const std::uint32_t best = nearest_before(now.boxes + 6 * std::size_t{k}, before, distance);
    const bool mine = best != kNowhere && t.wanted[best] == wish(distance, k);
    t.names[k] = mine ? old[best] : atomicAdd(t.next, 1u);
  }
}

}  // namespace lesson13

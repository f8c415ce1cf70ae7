// SPDX-License-Identifier: MIT
// Questions to a k-d tree with 32 points in each leaf: how dense the points lie around the places of a lattice, by one
// thread for each with points as structures, and by one warp for each; how far the nearest point is; and in place, the
// leaf that each of many particles is in.
#pragma once
#include "../set.cuh"

namespace timing_set {

// Inner node i splits x, y and z in turn, at splits[i], and has the children 2 i + 1 and 2 i + 2.
constexpr int kKdtreeWarps = 4, kKdtreeLeaf = 32, kKdtreeDeep = 32, kKdtreeTop = 1023,
              kKdtreeEach = 4;
struct KdtreePoints {
  const float3* together;
  const float *x, *y, *z;
};
__host__ __device__ inline float3 kdtree_place(int x, int y, int z, int side) {
  return {(x + 0.5f) / side, (y + 0.5f) / side, (z + 0.5f) / side};
}

__global__ void kdtree_thread(const float* splits, int inner, KdtreePoints points, int side,
                              float radius, float* density) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= side || y >= side || z >= side) return;
  const float3 place = kdtree_place(x, y, z, side);
  const float coordinate[3] = {place.x, place.y, place.z};
  int nodes[kKdtreeDeep], axes[kKdtreeDeep], top = 1;
  nodes[0] = axes[0] = 0;
  float sum = 0;
  while (top > 0) {
    top--;
    int node = nodes[top], axis = axes[top];
    if (node >= inner) {
      for (int k = 0; k < kKdtreeLeaf; k++) {
        const float3 p = points.together[(node - inner) * kKdtreeLeaf + k];
        float d = sqrtf((p.x - place.x) * (p.x - place.x) + (p.y - place.y) * (p.y - place.y) +
                        (p.z - place.z) * (p.z - place.z));
        if (d < radius) sum += 1 - d * d / (radius * radius);
      }
    } else {
      float over = coordinate[axis] - splits[node];
      if (over < radius) {
        nodes[top] = 2 * node + 1;
        axes[top++] = (axis + 1) % 3;
      }
      if (over > -radius) {
        nodes[top] = 2 * node + 2;
        axes[top++] = (axis + 1) % 3;
      }
    }
  }
  density[(z * side + y) * side + x] = sum;
}

__global__ void __launch_bounds__(32 * kKdtreeWarps)
    kdtree_warp(const float* __restrict__ splits, int inner, KdtreePoints points, int side,
                float radius, float* __restrict__ density) {
  __shared__ int stacks[kKdtreeWarps][kKdtreeDeep];
  const int x = blockIdx.x, y = blockIdx.y, z = blockIdx.z * kKdtreeWarps + threadIdx.y;
  const int lane = threadIdx.x;
  const float3 place = kdtree_place(x, y, z, side);
  int* const stack = stacks[threadIdx.y];
  int top = 0, node = 0;
  float sum = 0;
  for (;;) {
    while (node < inner) {
      const int axis = (31 - __clz(node + 1)) % 3;
      const float over = (axis == 0 ? place.x : axis == 1 ? place.y : place.z) - splits[node];
      const bool right = over > 0;
      if (fabsf(over) < radius) {
        if (lane == 0) stack[top] = 2 * node + 2 - right;
        ++top;
      }
      node = 2 * node + 1 + right;
    }
    const int at = (node - inner) * kKdtreeLeaf + lane;
    const float dx = points.x[at] - place.x, dy = points.y[at] - place.y,
                dz = points.z[at] - place.z;
    sum += fmaxf(0.0f, 1 - (dx * dx + dy * dy + dz * dz) / (radius * radius));
    if (top == 0) break;
    __syncwarp();
    node = stack[--top];
    __syncwarp();
  }
  sum = warp_sum(sum);
  if (lane == 0) density[(z * side + y) * side + x] = sum;
}

// The nearer side first.
__global__ void kdtree_nearest(const float* __restrict__ splits, int inner, KdtreePoints points,
                               int side, float, float* __restrict__ distance) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= side || y >= side || z >= side) return;
  const float3 place = kdtree_place(x, y, z, side);
  float2 stack[kKdtreeDeep];  // the node as bits, and how far away it begins
  int top = 0, node = 0;
  float least = 1e30f;
  for (;;) {
    for (int axis = (31 - __clz(node + 1)) % 3; node < inner; axis = axis == 2 ? 0 : axis + 1) {
      const float over = (axis == 0 ? place.x : axis == 1 ? place.y : place.z) - splits[node];
      stack[top++] = {__int_as_float(2 * node + 2 - (over > 0)), over * over};
      node = 2 * node + 1 + (over > 0);
    }
    const int first = (node - inner) * kKdtreeLeaf;
#pragma unroll 4
    for (int k = first; k < first + kKdtreeLeaf; ++k) {
      const float dx = points.x[k] - place.x, dy = points.y[k] - place.y,
                  dz = points.z[k] - place.z;
      least = fminf(least, dx * dx + dy * dy + dz * dz);
    }
    while (top > 0 && stack[top - 1].y >= least) --top;
    if (top == 0) break;
    node = __float_as_int(stack[--top].x);
  }
  distance[(z * side + y) * side + x] = sqrtf(least);
}

struct alignas(16) KdtreeParticle {
  float x, y, z, leaf;
  float vx, vy, vz, mass;
};
__global__ void kdtree_leaf(const float* __restrict__ splits, int inner, KdtreeParticle* particles,
                            unsigned n) {
  __shared__ float tops[kKdtreeTop];
  for (int k = threadIdx.x; k < min(kKdtreeTop, inner); k += blockDim.x) tops[k] = splits[k];
  __syncthreads();
  for (int e = 0; e < kKdtreeEach; ++e) {
    const unsigned i = (blockIdx.x * kKdtreeEach + e) * blockDim.x + threadIdx.x;
    if (i >= n) break;
    float4 p = *reinterpret_cast<const float4*>(&particles[i]);
    int node = 0;
    while (node < inner) {
      node = 2 * node + 1 + (p.x > (node < kKdtreeTop ? tops[node] : splits[node]));
      const float x = p.x;  // the next axis comes first
      p.x = p.y, p.y = p.z, p.z = x;
    }
    particles[i].leaf = static_cast<float>(node - inner);
  }
}

inline float kdtree_part(unsigned x) { return (mixed(x) >> 12) / 1048576.0f; }
// Made from the root down: a node splits its box somewhere in the middle, and a leaf's points are all over its box.
struct KdtreeSpace {
  explicit KdtreeSpace(unsigned levels)
      : inner((1u << levels) - 1), splits(inner), points((inner + 1) * kKdtreeLeaf) {
    struct Box {
      float low[3], size[3];
    };
    std::vector<Box> boxes(2 * inner + 1);
    boxes[0] = {{0, 0, 0}, {1, 1, 1}};
    for (unsigned i = 0, last = 0, axis = 0; i < boxes.size(); ++i) {
      const Box box = boxes[i];
      if (i >= inner) {
        for (unsigned k = 0, at = (i - inner) * kKdtreeLeaf; k < kKdtreeLeaf; ++k, ++at)
          points[at] = {box.low[0] + kdtree_part(3 * at) * box.size[0],
                        box.low[1] + kdtree_part(3 * at + 1) * box.size[1],
                        box.low[2] + kdtree_part(3 * at + 2) * box.size[2]};
        continue;
      }
      const float left = (0.4f + 0.2f * kdtree_part(i)) * box.size[axis];
      splits[i] = box.low[axis] + left;
      boxes[2 * i + 1] = boxes[2 * i + 2] = box;
      boxes[2 * i + 1].size[axis] = left;
      boxes[2 * i + 2].low[axis] = splits[i];
      boxes[2 * i + 2].size[axis] -= left;
      if (i == last) axis = (axis + 1) % 3, last = 2 * last + 2;
    }
  }
  unsigned inner;
  std::vector<float> splits;
  std::vector<float3> points;
};

template <class Function>
std::function<Problem(unsigned)> kdtree_lattice(Function kernel, dim3 block, dim3 places,
                                                bool nearest) {
  return [=](unsigned side) {
    const KdtreeSpace space(side < 20 ? 8 : side <= 40 ? 12 : 15);
    auto splits = array(space.splits), out = room<float>(side * side * side);
    auto points = array(space.points);
    const auto part = [&](float float3::*axis) {
      return array<float>(points->size(), [=](unsigned i) { return points->host[i].*axis; });
    };
    auto xs = part(&float3::x), ys = part(&float3::y), zs = part(&float3::z);
    const float radius = std::cbrt(8.0f / points->size());
    const int inner = static_cast<int>(space.inner), s = static_cast<int>(side);
    const dim3 grid(blocks_of(side, places.x), blocks_of(side, places.y),
                    blocks_of(side, places.z));
    return Problem{[=] {
                     const KdtreePoints all = {points->data(), xs->data(), ys->data(), zs->data()};
                     kernel<<<grid, block>>>(splits->data(), inner, all, s, radius, out->data());
                   },
                   [=] {
                     const std::vector<float> got = out->device.download();
                     for (unsigned i = 0; i < got.size(); i += 1 + got.size() / 20) {
                       const float3 q = kdtree_place(i % s, i / s % s, i / s / s, s);
                       double sum = 0, least = 3;
                       for (const float3& p : points->host) {
                         const double x = p.x - q.x, y = p.y - q.y, z = p.z - q.z,
                                      d = x * x + y * y + z * z;
                         sum += std::max(0.0, 1 - d / radius / radius);
                         least = std::min(least, d);
                       }
                       if (nearest ? !near(got[i] / radius, std::sqrt(least) / radius, 1e-4)
                                   : !near(got[i], sum, 1e-3))
                         return false;
                     }
                     return true;
                   }};
  };
}
inline Problem kdtree_leaf_problem(unsigned n) {
  auto splits = array(KdtreeSpace(n < 100000 ? 8 : 13).splits);
  auto particles = array<KdtreeParticle>(n, [](unsigned i) {
    return KdtreeParticle{
        kdtree_part(3 * i), kdtree_part(3 * i + 1), kdtree_part(3 * i + 2), -1, 1, 0, 0, 1};
  });
  const int inner = static_cast<int>(splits->size());
  return {[=] {
            kdtree_leaf<<<blocks_of(n, 256 * kKdtreeEach), 256>>>(splits->data(), inner,
                                                                  particles->data(), n);
          },
          [=] {
            const std::vector<KdtreeParticle> got = particles->device.download();
            for (unsigned i = 0; i < n; i += 1 + n / 1000) {
              const KdtreeParticle& p = particles->host[i];
              int node = 0;
              for (int level = 0; node < inner; ++level) {
                const float x = level % 3 == 0 ? p.x : level % 3 == 1 ? p.y : p.z;
                node = 2 * node + 1 + (x > splits->host[node]);
              }
              if (got[i].leaf != static_cast<float>(node - inner)) return false;
            }
            return true;
          }};
}

inline void add_kdtree(Set& set) {
  const dim3 cube(8, 4, 4), warps(32, kKdtreeWarps);
  set.add("kdtree_thread", {18, 36, 44},
          kdtree_lattice(kdtree_thread, {8, 8, 8}, {8, 8, 8}, false));
  set.add("kdtree_warp", {8, 24, 44}, kdtree_lattice(kdtree_warp, warps, {1, 1, 4}, false));
  set.add("kdtree_nearest", {18, 36, 60}, kdtree_lattice(kdtree_nearest, cube, cube, true));
  set.add("kdtree_leaf", {7000, 300000, 2000000}, kdtree_leaf_problem);
}

}  // namespace timing_set

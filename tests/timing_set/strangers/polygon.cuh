// SPDX-License-Identifier: MIT
// Points in a polygon, and areas and bounding boxes of many polygons: every edge for every point, corners in shared
// memory and an early exit for four points of a thread, a thread for each polygon, and a warp for each.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kPolygonCorners = 48;

// Is the edge from a to b crossed by the ray from p to the right?
template <class Corner>
__host__ __device__ inline bool polygon_crosses(Corner a, Corner b, float px, float py) {
  return (a.y > py) != (b.y > py) && px < (b.x - a.x) * (py - a.y) / (b.y - a.y) + a.x;
}

__global__ void polygon_inside(const float2* corners, int count, const float* x, const float* y,
                               unsigned char* inside, int points) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points) return;
  bool in = false;
  for (int k = 0, before = count - 1; k < count; before = k++)
    if (polygon_crosses(corners[k], corners[before], x[i], y[i])) in = !in;
  inside[i] = in;
}

struct PolygonBox {
  float left, low, right, high;
};
__global__ void polygon_early(const float2* corners, PolygonBox box, const float4* x,
                              const float4* y, uchar4* inside, int fours) {
  __shared__ float2 ring[kPolygonCorners + 1];
  for (int k = threadIdx.x; k <= kPolygonCorners; k += blockDim.x)
    ring[k] = corners[k % kPolygonCorners];
  __syncthreads();
  for (int i = thread_number(); i < fours; i += gridDim.x * blockDim.x) {
    const float4 px = x[i], py = y[i];
    const float xs[4] = {px.x, px.y, px.z, px.w}, ys[4] = {py.x, py.y, py.z, py.w};
    unsigned parity = 0;
    bool any = false;
#pragma unroll
    for (int j = 0; j < 4; ++j)
      any |= xs[j] >= box.left && xs[j] <= box.right && ys[j] >= box.low && ys[j] <= box.high;
    if (!any) {
      inside[i] = make_uchar4(0, 0, 0, 0);
      continue;
    }
    float2 a = ring[0];
    for (int k = 1; k <= kPolygonCorners; ++k) {
      const float2 b = ring[k];
#pragma unroll
      for (int j = 0; j < 4; ++j)
        if (polygon_crosses(b, a, xs[j], ys[j])) parity ^= 1u << j;
      a = b;
    }
    inside[i] = make_uchar4(parity & 1, parity >> 1 & 1, parity >> 2 & 1, parity >> 3 & 1);
  }
}

__global__ void polygon_areas(const float2* corners, const int* start, float* areas,
                              PolygonBox* boxes, int polygons) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= polygons) return;
  PolygonBox box = {1e30f, 1e30f, -1e30f, -1e30f};
  float twice = 0;
  for (int k = start[p]; k < start[p + 1]; ++k) {
    const float2 a = corners[k], b = corners[k + 1 < start[p + 1] ? k + 1 : start[p]];
    twice += a.x * b.y - b.x * a.y;
    if (a.x < box.left) box.left = a.x;
    if (a.x > box.right) box.right = a.x;
    if (a.y < box.low) box.low = a.y;
    if (a.y > box.high) box.high = a.y;
  }
  areas[p] = 0.5f * fabsf(twice);
  boxes[p] = box;
}

__global__ void __launch_bounds__(1024)
    polygon_warps(const float2* __restrict__ corners, const int* __restrict__ start,
                  float* __restrict__ areas, PolygonBox* __restrict__ boxes, int polygons) {
  const int lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
  for (int p = thread_number() / 32; p < polygons; p += warps) {
    const int first = start[p], end = start[p + 1];
    float left = 1e30f, low = 1e30f, right = -1e30f, high = -1e30f, twice = 0;
    for (int k = first + lane; k < end; k += 32) {
      const float2 a = corners[k], b = corners[k + 1 < end ? k + 1 : first];
      twice += a.x * b.y - b.x * a.y;
      left = fminf(left, a.x);
      right = fmaxf(right, a.x);
      low = fminf(low, a.y);
      high = fmaxf(high, a.y);
    }
    twice = warp_sum(twice);
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
      left = fminf(left, __shfl_xor_sync(kAll, left, d));
      right = fmaxf(right, __shfl_xor_sync(kAll, right, d));
      low = fminf(low, __shfl_xor_sync(kAll, low, d));
      high = fmaxf(high, __shfl_xor_sync(kAll, high, d));
    }
    if (lane == 0) {
      areas[p] = 0.5f * fabsf(twice);
      boxes[p] = {left, low, right, high};
    }
  }
}

// A star with its centre in the middle of the unit square.
inline float2 polygon_corner(unsigned seed, int k, int count) {
  const double turn = 4.0 * k / count;  // around a square that stands on a corner
  const double dx = std::abs(turn - 2) - 1;
  const double dy = turn <= 2 ? 1 - std::abs(turn - 1) : std::abs(turn - 3) - 1;
  const double radius = 0.2 + 0.28 * (mixed(seed + k) >> 16) / 65536.0;
  return {static_cast<float>(0.5 + radius * dx), static_cast<float>(0.5 + radius * dy)};
}

inline Problem polygon_points_problem(unsigned n, bool early) {
  std::vector<float2> ring;
  for (int k = 0; k < kPolygonCorners; ++k) ring.push_back(polygon_corner(11, k, kPolygonCorners));
  PolygonBox box = {1, 1, 0, 0};
  for (const float2 c : ring)
    box = {std::min(box.left, c.x), std::min(box.low, c.y), std::max(box.right, c.x),
           std::max(box.high, c.y)};
  auto corners = array(ring);
  auto x = array<float>(
      n, [](unsigned i) { return (mixed(i + 3) >> 16) / 65536.0f * 1.5f - 0.25f + 1e-6f; });
  auto y = array<float>(n, [n](unsigned i) { return 1.5 * i / n - 0.25; });  // row by row
  auto inside = room<unsigned char>(n);
  return {[=] {
            const int points = static_cast<int>(n);
            if (early)
              polygon_early<<<std::min(528u, blocks_of(n / 4, 128)), 128>>>(
                  corners->data(), box, reinterpret_cast<const float4*>(x->data()),
                  reinterpret_cast<const float4*>(y->data()),
                  reinterpret_cast<uchar4*>(inside->data()), points / 4);
            else
              polygon_inside<<<blocks_of(n), kBlock>>>(corners->data(), kPolygonCorners, x->data(),
                                                       y->data(), inside->data(), points);
          },
          [=] {
            return agrees(inside, [=](unsigned i) {
              bool in = false;
              for (int k = 0; k < kPolygonCorners; ++k)
                in ^= polygon_crosses(corners->host[k],
                                      corners->host[(k + kPolygonCorners - 1) % kPolygonCorners],
                                      x->host[i], y->host[i]);
              return in;
            });
          }};
}

inline Problem polygon_many_problem(unsigned n, bool warps) {
  std::vector<int> start(n + 1);
  for (unsigned p = 0; p < n; ++p) start[p + 1] = start[p] + 3 + mixed(p + 19) % 58;
  std::vector<float2> all(start[n]);
  for (unsigned p = 0; p < n; ++p)
    for (int k = start[p]; k < start[p + 1]; ++k)
      all[k] = polygon_corner(p * 64, k - start[p], start[p + 1] - start[p]);
  auto corners = array(all);
  auto starts = array(start);
  auto areas = room<float>(n), boxes = room<float>(4 * n);
  return {[=] {
            auto* to = reinterpret_cast<PolygonBox*>(boxes->data());
            if (warps)
              polygon_warps<<<std::min(264u, blocks_of(32 * n, 1024)), 1024>>>(
                  corners->data(), starts->data(), areas->data(), to, static_cast<int>(n));
            else
              polygon_areas<<<blocks_of(n, 96), 96>>>(corners->data(), starts->data(),
                                                      areas->data(), to, static_cast<int>(n));
          },
          [=] {
            const auto area = [=](unsigned p) {
              const int first = starts->host[p], count = starts->host[p + 1] - first;
              double twice = 0;
              for (int k = 0; k < count; ++k) {
                const float2 a = corners->host[first + k],
                             b = corners->host[first + (k + 1) % count];
                twice += static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y;
              }
              return std::abs(twice) / 2;
            };
            const auto bound = [=](unsigned i) {
              const bool upper = i % 4 >= 2;
              float best = upper ? -1e30f : 1e30f;
              for (int k = starts->host[i / 4]; k < starts->host[i / 4 + 1]; ++k) {
                const float at = i % 2 ? corners->host[k].y : corners->host[k].x;
                best = upper ? std::max(best, at) : std::min(best, at);
              }
              return best;
            };
            return agrees(areas, area, 1e-5) && agrees(boxes, bound, 0);
          }};
}

inline void add_polygon(Set& set) {
  set.add("polygon_inside", {2000, 100000, 1000000},
          [](unsigned n) { return polygon_points_problem(n, false); });
  set.add("polygon_early", {4000, 200000, 3000000},
          [](unsigned n) { return polygon_points_problem(n, true); });
  const std::vector<unsigned> many = {500, 20000, 270000};
  set.add("polygon_areas", many, [](unsigned n) { return polygon_many_problem(n, false); });
  set.add("polygon_warps", many, [](unsigned n) { return polygon_many_problem(n, true); });
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Triangles are drawn into a picture, the nearest wins: a thread per triangle over its bounding
// box, with 64-bit atomics on depth and number; a warp per triangle; a thread per row of a
// triangle, which first finds where the row begins and ends, with 32-bit atomics; and a block
// per tile of the picture with a list of triangles, without atomics. Coordinates are sixteenths
// of a pixel, so that all is exact.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr int kRasterTile = 8;
constexpr unsigned kRasterRows = 8;  // rows of a triangle at a time

struct RasterTriangle {
  short x[3], y[3];  // counter-clockwise
  unsigned depth;    // at the first corner of the bounding box
  short across, down;
};
struct RasterBox {
  int left, top, right, bottom;  // pixels, the last ones included
};
using RasterKey = unsigned long long;

__host__ __device__ inline int raster_least(int a, int b, int c) {
  return a < b ? (a < c ? a : c) : (b < c ? b : c);
}
// As the negative of the least of the negatives, ptxas 13.0 gets it wrong when it optimises.
__host__ __device__ inline int raster_most(int a, int b, int c) {
  return a > b ? (a > c ? a : c) : (b > c ? b : c);
}
__host__ __device__ inline RasterBox raster_box(const RasterTriangle& t) {
  return {raster_least(t.x[0], t.x[1], t.x[2]) >> 4, raster_least(t.y[0], t.y[1], t.y[2]) >> 4,
          raster_most(t.x[0], t.x[1], t.x[2]) >> 4, raster_most(t.y[0], t.y[1], t.y[2]) >> 4};
}
// Not negative on the inner side of an edge.
struct RasterEdge {
  int a, b, c;  // a * column + b * row + c
};
__host__ __device__ inline RasterEdge raster_edge(int x0, int y0, int x1, int y1) {
  const int a = y0 - y1, b = x1 - x0;
  return {16 * a, 16 * b, a * (8 - x0) + b * (8 - y0)};
}
__host__ __device__ inline bool raster_inside(const RasterTriangle& t, int x, int y) {
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    const RasterEdge e = raster_edge(t.x[k], t.y[k], t.x[next], t.y[next]);
    if (e.a * x + e.b * y + e.c < 0) return false;
  }
  return true;
}
__host__ __device__ inline unsigned raster_depth(const RasterTriangle& t, RasterBox box, int x,
                                                 int y) {
  return t.depth + t.across * (x - box.left) + t.down * (y - box.top);
}
__host__ __device__ inline RasterKey raster_key(unsigned depth, unsigned number) {
  return static_cast<RasterKey>(depth) << 32 | number;
}

__global__ void raster_triangle(const RasterTriangle* triangles, unsigned n, RasterKey* picture,
                                int width) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const RasterTriangle t = triangles[i];
  const RasterBox box = raster_box(t);
  for (int y = box.top; y <= box.bottom; ++y)
    for (int x = box.left; x <= box.right; ++x)
      if (raster_inside(t, x, y))
        atomicMin(&picture[y * width + x], raster_key(raster_depth(t, box, x, y), i));
}

// Lanes are a patch of 8 by 4 pixels, which moves over the bounding box.
__global__ void raster_warp(const RasterTriangle* __restrict__ triangles, unsigned n,
                            RasterKey* picture, int width) {
  const unsigned warps = gridDim.x * blockDim.x / 32;
  const int column = threadIdx.x % 8, row = threadIdx.x % 32 / 8;
  for (unsigned i = thread_number() / 32; i < n; i += warps) {
    const RasterTriangle t = triangles[i];
    const RasterBox box = raster_box(t);
    for (int y = box.top + row; y <= box.bottom; y += 4)
      for (int x = box.left + column; x <= box.right; x += 8)
        if (raster_inside(t, x, y))
          atomicMin(&picture[y * width + x], raster_key(raster_depth(t, box, x, y), i));
  }
}

// Rounds down, as / does not.
__device__ inline int raster_floor(int a, int b) { return a / b - (a / b * b > a); }

__global__ void raster_rows(const RasterTriangle* triangles, unsigned n, unsigned* picture,
                            int width) {
  const unsigned i = blockIdx.x * blockDim.y + threadIdx.y;
  if (i >= n) return;
  const RasterTriangle t = triangles[i];
  const RasterBox box = raster_box(t);
  for (int y = box.top + threadIdx.x; y <= box.bottom; y += kRasterRows) {
    int first = box.left, last = box.right;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      const RasterEdge e = raster_edge(t.x[k], t.y[k], t.x[(k + 1) % 3], t.y[(k + 1) % 3]);
      const int rest = e.b * y + e.c;
      if (e.a > 0)
        first = max(first, -raster_floor(rest, e.a));
      else if (e.a < 0)
        last = min(last, raster_floor(rest, -e.a));
      else if (rest < 0)
        last = -1;
    }
    unsigned depth = raster_depth(t, box, first, y);
    for (int x = first; x <= last; ++x, depth += t.across)
      atomicMin(&picture[y * width + x], depth << 8 | (i & 255));
  }
}

__global__ void raster_tiles(const RasterTriangle* __restrict__ triangles,
                             const unsigned* __restrict__ begins,
                             const unsigned* __restrict__ lists, RasterKey* __restrict__ picture,
                             int width, int height) {
  constexpr unsigned kThreads = kRasterTile * kRasterTile;
  __shared__ RasterEdge edges[kThreads][3];
  __shared__ int4 depths[kThreads];  // at column 0 and row 0, across, down, number
  const unsigned tile = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned me = threadIdx.y * kRasterTile + threadIdx.x;
  const int x = blockIdx.x * kRasterTile + threadIdx.x;
  const int y = blockIdx.y * kRasterTile + threadIdx.y;
  RasterKey nearest = ~RasterKey{0};
  for (unsigned at = begins[tile]; at < begins[tile + 1]; at += kThreads) {
    const unsigned batch = min(kThreads, begins[tile + 1] - at);
    if (me < batch) {
      const unsigned number = lists[at + me];
      const RasterTriangle t = triangles[number];
      const RasterBox box = raster_box(t);
      for (int k = 0; k < 3; ++k)
        edges[me][k] = raster_edge(t.x[k], t.y[k], t.x[(k + 1) % 3], t.y[(k + 1) % 3]);
      depths[me] =
          make_int4(t.depth - t.across * box.left - t.down * box.top, t.across, t.down, number);
    }
    __syncthreads();
    for (unsigned k = 0; k < batch; ++k) {
      const RasterEdge e = edges[k][0], f = edges[k][1], g = edges[k][2];
      if (e.a * x + e.b * y + e.c < 0 || f.a * x + f.b * y + f.c < 0 || g.a * x + g.b * y + g.c < 0)
        continue;
      const int4 d = depths[k];
      nearest = min(nearest, raster_key(d.x + d.y * x + d.z * y, d.w));
    }
    __syncthreads();
  }
  if (x < width && y < height) picture[y * width + x] = nearest;
}

inline RasterTriangle raster_any(unsigned i, int width, int height) {
  unsigned bits = mixed(i + 1000003);
  const auto next = [&bits](int below) {
    bits = mixed(bits + 1);
    return static_cast<int>(bits % below);
  };
  const auto within = [](int x, int pixels) {
    return static_cast<short>(std::min(std::max(x, 0), 16 * pixels - 1));
  };
  const int reach = 16 * (next(50) == 0 ? 25 : 3 + next(4));
  const int x = next(16 * width), y = next(16 * height);
  RasterTriangle t;
  for (int k = 0; k < 3; ++k) {
    t.x[k] = within(x + next(2 * reach) - reach, width);
    t.y[k] = within(y + next(2 * reach) - reach, height);
  }
  const int turn = (t.x[1] - t.x[0]) * (t.y[2] - t.y[0]) - (t.x[2] - t.x[0]) * (t.y[1] - t.y[0]);
  if (turn == 0) return raster_any(i + 500000, width, height);  // a line has no inner side
  if (turn < 0) std::swap(t.x[1], t.x[2]), std::swap(t.y[1], t.y[2]);
  t.depth = next(1 << 20);
  t.across = static_cast<short>(next(200));
  t.down = static_cast<short>(next(200));
  return t;
}
struct RasterScene {
  int width, height;
  Shared<RasterTriangle> triangles;
};
inline RasterScene raster_scene(unsigned n) {
  const int width = static_cast<int>(std::sqrt(n * 12.0 * 16 / 9)), height = width * 9 / 16;
  return {width, height,
          array<RasterTriangle>(n, [=](unsigned i) { return raster_any(i, width, height); })};
}
template <class Key, class Make>
bool raster_right(const RasterScene& scene, const Shared<Key>& picture, Make make) {
  std::vector<Key> wanted(picture->size(), static_cast<Key>(~Key{0}));
  for (unsigned i = 0; i < scene.triangles->size(); ++i) {
    const RasterTriangle& t = scene.triangles->host[i];
    const RasterBox box = raster_box(t);
    for (int y = box.top; y <= box.bottom; ++y)
      for (int x = box.left; x <= box.right; ++x)
        if (raster_inside(t, x, y)) {
          Key& here = wanted[y * scene.width + x];
          here = std::min(here, static_cast<Key>(make(raster_depth(t, box, x, y), i)));
        }
  }
  return picture->device.download() == wanted;
}
template <class Key, class Kernel, class Make>
Problem raster_problem(Kernel kernel, unsigned blocks, dim3 block, unsigned n, Make make) {
  const RasterScene scene = raster_scene(n);
  auto picture = room<Key>(scene.width * scene.height);
  return Problem{
      [=] { kernel<<<blocks, block>>>(scene.triangles->data(), n, picture->data(), scene.width); },
      [=] { return raster_right(scene, picture, make); },
      [=] { COURSE_CHECK(cudaMemset(picture->data(), 0xff, picture->device.bytes())); }};
}

inline Problem raster_tiles_problem(unsigned n) {
  const RasterScene scene = raster_scene(n);
  const unsigned across = blocks_of(scene.width, kRasterTile);
  const unsigned down = blocks_of(scene.height, kRasterTile);
  std::vector<std::vector<unsigned>> bins(across * down);
  for (unsigned i = 0; i < n; ++i) {
    const RasterBox box = raster_box(scene.triangles->host[i]);
    for (int y = box.top / kRasterTile; y <= box.bottom / kRasterTile; ++y)
      for (int x = box.left / kRasterTile; x <= box.right / kRasterTile; ++x)
        bins[y * across + x].push_back(i);
  }
  std::vector<unsigned> first = {0}, all;
  for (const std::vector<unsigned>& bin : bins) {
    all.insert(all.end(), bin.begin(), bin.end());
    first.push_back(static_cast<unsigned>(all.size()));
  }
  auto begins = array(std::move(first)), lists = array(std::move(all));
  auto picture = room<RasterKey>(scene.width * scene.height);
  return Problem{[=] {
                   raster_tiles<<<dim3(across, down), dim3(kRasterTile, kRasterTile)>>>(
                       scene.triangles->data(), begins->data(), lists->data(), picture->data(),
                       scene.width, scene.height);
                 },
                 [=] { return raster_right(scene, picture, raster_key); }};
}

inline void add_raster(Set& set) {
  const std::vector<unsigned> sizes = {700, 15000, 180000};
  set.add("raster_triangle", sizes, [](unsigned n) {
    return raster_problem<RasterKey>(raster_triangle, blocks_of(n, 64), dim3(64), n, raster_key);
  });
  set.add("raster_warp", sizes, [](unsigned n) {
    const unsigned blocks = std::min(blocks_of(32 * n), 1056u);
    return raster_problem<RasterKey>(raster_warp, blocks, dim3(kBlock), n, raster_key);
  });
  set.add("raster_rows", sizes, [](unsigned n) {
    return raster_problem<unsigned>(
        raster_rows, blocks_of(n, 32), dim3(kRasterRows, 32), n,
        [](unsigned depth, unsigned i) { return depth << 8 | (i & 255); });
  });
  set.add("raster_tiles", sizes, raster_tiles_problem);
}

}  // namespace timing_set

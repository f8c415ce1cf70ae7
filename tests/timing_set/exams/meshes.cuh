// SPDX-License-Identifier: MIT
// One step of heat flowing through a mesh; cells at the border keep their value. Three kernels have
// a two-dimensional sheet and five points, three a solid cube and seven points, with (nearly) as
// many cells: one thread per cell, tiles in shared memory, threads that march through a dimension,
// and a cube whose neighbouring threads are not neighbours in memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kMeshesRate = 0.125f;

__global__ void meshes_sheet(const float* in, float* out, unsigned width, unsigned height) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const unsigned i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = in[i];
    return;
  }
  out[i] =
      in[i] + kMeshesRate * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4 * in[i]);
}

constexpr unsigned kMeshesTile = 32;

__global__ void meshes_sheet_tile(const float* __restrict__ in, float* __restrict__ out,
                                  unsigned width, unsigned height) {
  __shared__ float tile[kMeshesTile + 2][kMeshesTile + 2];
  const unsigned x = blockIdx.x * kMeshesTile + threadIdx.x;
  const unsigned y = blockIdx.y * kMeshesTile + threadIdx.y;
  const unsigned column = threadIdx.x + 1, row = threadIdx.y + 1;
  const unsigned i = y * width + x;
  const bool inside = x < width && y < height;
  if (inside) {
    tile[row][column] = in[i];
    if (column == 1 && x > 0) tile[row][0] = in[i - 1];
    if (column == kMeshesTile && x + 1 < width) tile[row][kMeshesTile + 1] = in[i + 1];
    if (row == 1 && y > 0) tile[0][column] = in[i - width];
    if (row == kMeshesTile && y + 1 < height) tile[kMeshesTile + 1][column] = in[i + width];
  }
  __syncthreads();
  if (!inside) return;
  const float here = tile[row][column];
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = here;
  } else {
    out[i] = here + kMeshesRate * (tile[row][column - 1] + tile[row][column + 1] +
                                   tile[row - 1][column] + tile[row + 1][column] - 4 * here);
  }
}

constexpr unsigned kMeshesRows = 32;

// Each thread goes down some rows of its column and keeps the cells above and below in registers.
__global__ void meshes_sheet_march(const float* __restrict__ in, float* __restrict__ out,
                                   unsigned width, unsigned height) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned first = blockIdx.y * kMeshesRows;
  if (x >= width) return;
  const unsigned end = min(first + kMeshesRows, height);
  const bool side = x == 0 || x == width - 1;
  float above = 0, here = in[first * width + x];
  if (first > 0) above = in[(first - 1) * width + x];
  for (unsigned y = first; y < end; ++y) {
    const unsigned i = y * width + x;
    const float below = y + 1 < height ? in[i + width] : 0;
    float next = here;
    if (!side && y > 0 && y + 1 < height)
      next += kMeshesRate * (in[i - 1] + in[i + 1] + above + below - 4 * here);
    out[i] = next;
    above = here;
    here = below;
  }
}

__device__ inline void meshes_cell(const float* in, float* out, unsigned x, unsigned y, unsigned z,
                                   unsigned n) {
  const unsigned area = n * n, i = z * area + y * n + x;
  const float here = in[i];
  if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) {
    out[i] = here;
    return;
  }
  const float sum = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - area] + in[i + area];
  out[i] = here + kMeshesRate * (sum - 6 * here);
}

__global__ void meshes_solid(const float* in, float* out, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < n && y < n && z < n) meshes_cell(in, out, x, y, z, n);
}

// The mistake: the first index of the thread is the one that memory steps through slowest.
__global__ void meshes_solid_upended(const float* in, float* out, unsigned n) {
  const unsigned z = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned y = blockIdx.z;
  if (x < n && z < n) meshes_cell(in, out, x, y, z, n);
}

constexpr unsigned kMeshesWide = 32, kMeshesHigh = 16;

// A block marches through all planes: the plane it is at lies in shared memory, and what each
// thread needs of the planes before and behind lies in registers.
__global__ void meshes_solid_march(const float* __restrict__ in, float* __restrict__ out,
                                   unsigned n) {
  __shared__ float plane[kMeshesHigh + 2][kMeshesWide + 2];
  const unsigned x = blockIdx.x * kMeshesWide + threadIdx.x;
  const unsigned y = blockIdx.y * kMeshesHigh + threadIdx.y;
  const unsigned column = threadIdx.x + 1, row = threadIdx.y + 1, area = n * n;
  const bool inside = x < n && y < n;
  const bool border = x == 0 || y == 0 || x + 1 >= n || y + 1 >= n;
  unsigned i = y * n + x;
  float before, here = inside ? in[i] : 0, behind = inside ? in[i + area] : 0;
  if (inside) out[i] = here;
  for (unsigned z = 1; z + 1 < n; ++z) {
    i += area;
    before = here;
    here = behind;
    if (inside) behind = in[i + area];
    __syncthreads();  // the plane of the last step is no longer needed
    if (inside) {
      plane[row][column] = here;
      if (column == 1 && x > 0) plane[row][0] = in[i - 1];
      if (column == kMeshesWide && x + 1 < n) plane[row][kMeshesWide + 1] = in[i + 1];
      if (row == 1 && y > 0) plane[0][column] = in[i - n];
      if (row == kMeshesHigh && y + 1 < n) plane[kMeshesHigh + 1][column] = in[i + n];
    }
    __syncthreads();
    float next = here;
    if (!border)
      next +=
          kMeshesRate * (plane[row][column - 1] + plane[row][column + 1] + plane[row - 1][column] +
                         plane[row + 1][column] + before + behind - 6 * here);
    if (inside) out[i] = next;
  }
  if (inside) out[i + area] = behind;
}

inline unsigned meshes_width(unsigned n) { return 16 * n; }
inline unsigned meshes_height(unsigned n) { return n * n / 16; }

inline bool meshes_sheet_right(const Shared<float>& in, const Shared<float>& out, unsigned width,
                               unsigned height) {
  const std::vector<float>& old = in->host;
  return agrees(
      out,
      [&](unsigned i) {
        const unsigned x = i % width, y = i / width;
        const double here = old[i];
        if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return here;
        const double sum = 0.0 + old[i - 1] + old[i + 1] + old[i - width] + old[i + width];
        return here + kMeshesRate * (sum - 4 * here);
      },
      1e-5);
}

inline bool meshes_solid_right(const Shared<float>& in, const Shared<float>& out, unsigned n) {
  const std::vector<float>& old = in->host;
  return agrees(
      out,
      [&](unsigned i) {
        const unsigned x = i % n, y = i / n % n, z = i / n / n, area = n * n;
        const double here = old[i];
        if (std::min({x, y, z}) == 0 || std::max({x, y, z}) == n - 1) return here;
        const double sum =
            0.0 + old[i - 1] + old[i + 1] + old[i - n] + old[i + n] + old[i - area] + old[i + area];
        return here + kMeshesRate * (sum - 6 * here);
      },
      1e-5);
}

using MeshesLaunch = void (*)(const float* in, float* out, unsigned n);

inline void meshes_add_sheet(Set& set, const char* id, const std::vector<unsigned>& sizes,
                             MeshesLaunch launch) {
  set.add(id, sizes, [=](unsigned n) {
    const std::size_t cells = std::size_t{meshes_width(n)} * meshes_height(n);
    auto in = uniform(cells, 1), out = room<float>(cells);
    return Problem{[=] { launch(in->data(), out->data(), n); },
                   [=] { return meshes_sheet_right(in, out, meshes_width(n), meshes_height(n)); }};
  });
}

inline void meshes_add_solid(Set& set, const char* id, const std::vector<unsigned>& sizes,
                             MeshesLaunch launch) {
  set.add(id, sizes, [=](unsigned n) {
    const std::size_t cells = std::size_t{n} * n * n;
    auto in = uniform(cells, 2), out = room<float>(cells);
    return Problem{[=] { launch(in->data(), out->data(), n); },
                   [=] { return meshes_solid_right(in, out, n); }};
  });
}

inline void add_meshes(Set& set) {
  const std::vector<unsigned> sizes = {45, 211, 331};
  meshes_add_sheet(set, "meshes_sheet", sizes, [](const float* in, float* out, unsigned n) {
    const unsigned width = meshes_width(n), height = meshes_height(n);
    const dim3 grid(blocks_of(width, 16), blocks_of(height, 16));
    meshes_sheet<<<grid, dim3(16, 16)>>>(in, out, width, height);
  });
  meshes_add_sheet(set, "meshes_sheet_tile", sizes, [](const float* in, float* out, unsigned n) {
    const unsigned width = meshes_width(n), height = meshes_height(n);
    const dim3 grid(blocks_of(width, kMeshesTile), blocks_of(height, kMeshesTile));
    meshes_sheet_tile<<<grid, dim3(kMeshesTile, kMeshesTile)>>>(in, out, width, height);
  });
  meshes_add_sheet(set, "meshes_sheet_march", sizes, [](const float* in, float* out, unsigned n) {
    const unsigned width = meshes_width(n), height = meshes_height(n);
    const dim3 grid(blocks_of(width, 128), blocks_of(height, kMeshesRows));
    meshes_sheet_march<<<grid, 128>>>(in, out, width, height);
  });
  meshes_add_solid(set, "meshes_solid", sizes, [](const float* in, float* out, unsigned n) {
    const dim3 grid(blocks_of(n, 32), blocks_of(n, 4), blocks_of(n, 2));
    meshes_solid<<<grid, dim3(32, 4, 2)>>>(in, out, n);
  });
  meshes_add_solid(set, "meshes_solid_upended", sizes, [](const float* in, float* out, unsigned n) {
    const dim3 grid(blocks_of(n, 16), blocks_of(n, 16), n);
    meshes_solid_upended<<<grid, dim3(16, 16)>>>(in, out, n);
  });
  meshes_add_solid(set, "meshes_solid_march", sizes, [](const float* in, float* out, unsigned n) {
    const dim3 grid(blocks_of(n, kMeshesWide), blocks_of(n, kMeshesHigh));
    meshes_solid_march<<<grid, dim3(kMeshesWide, kMeshesHigh)>>>(in, out, n);
  });
}

}  // namespace timing_set

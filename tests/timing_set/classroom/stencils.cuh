// SPDX-License-Identifier: MIT
// Stencils: sums of seven neighbours along a line, from shared memory; a step of Jacobi's method in
// the plane, which keeps the border, from global memory and from tiles with a halo in shared
// memory; and a step of diffusion in space, where a block marches through the planes and keeps what
// lies before and behind in registers.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kStencilsRadius = 3, kStencilsLine = 512;
constexpr unsigned kStencilsWide = 32, kStencilsHigh = 8;
constexpr double kStencilsRate = 0.1;

// The input has kStencilsRadius more elements at each end.
__global__ void stencils_line(const int* in, int* out, unsigned n) {
  __shared__ int part[kStencilsLine + 2 * kStencilsRadius];
  const unsigned i = blockIdx.x * kStencilsLine + threadIdx.x;
  if (i < n + 2 * kStencilsRadius) part[threadIdx.x] = in[i];
  if (threadIdx.x < 2 * kStencilsRadius && i + kStencilsLine < n + 2 * kStencilsRadius)
    part[threadIdx.x + kStencilsLine] = in[i + kStencilsLine];
  __syncthreads();
  if (i < n) {
    int sum = 0;
    for (unsigned k = 0; k <= 2 * kStencilsRadius; ++k) sum += part[threadIdx.x + k];
    out[i] = sum;
  }
}

__global__ void stencils_plane(const float* in, float* out, unsigned side) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  const unsigned i = y * side + x;
  if (x == 0 || y == 0 || x == side - 1 || y == side - 1)
    out[i] = in[i];
  else
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side]);
}

__global__ void stencils_plane_tiled(const float* in, float* out, unsigned side) {
  __shared__ float tile[kStencilsHigh + 2][kStencilsWide + 2];
  const unsigned x = blockIdx.x * kStencilsWide + threadIdx.x;
  const unsigned y = blockIdx.y * kStencilsHigh + threadIdx.y;
  const unsigned tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const unsigned i = y * side + x;
  const bool inside = x < side && y < side;
  if (inside) {
    tile[ty][tx] = in[i];
    if (tx == 1 && x > 0) tile[ty][0] = in[i - 1];
    if (tx == kStencilsWide && x + 1 < side) tile[ty][tx + 1] = in[i + 1];
    if (ty == 1 && y > 0) tile[0][tx] = in[i - side];
    if (ty == kStencilsHigh && y + 1 < side) tile[ty + 1][tx] = in[i + side];
  }
  __syncthreads();
  if (!inside) return;
  float result = tile[ty][tx];
  if (x > 0 && y > 0 && x < side - 1 && y < side - 1)
    result = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
  out[i] = result;
}

// Outside of the cube all is zero.
__host__ __device__ inline double stencils_at(const double* field, int x, int y, int z, int side) {
  const bool inside = x >= 0 && y >= 0 && z >= 0 && x < side && y < side && z < side;
  return inside ? field[(z * side + y) * side + x] : 0;
}

__global__ void stencils_space(const double* in, double* out, int side) {
  __shared__ double tile[kStencilsHigh + 2][kStencilsWide + 2];
  const int x = static_cast<int>(blockIdx.x * kStencilsWide + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * kStencilsHigh + threadIdx.y);
  const unsigned tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  double before = 0, here = stencils_at(in, x, y, 0, side);
  for (int z = 0; z < side; ++z) {
    const double behind = stencils_at(in, x, y, z + 1, side);
    tile[ty][tx] = here;
    if (tx == 1) tile[ty][0] = stencils_at(in, x - 1, y, z, side);
    if (tx == kStencilsWide) tile[ty][tx + 1] = stencils_at(in, x + 1, y, z, side);
    if (ty == 1) tile[0][tx] = stencils_at(in, x, y - 1, z, side);
    if (ty == kStencilsHigh) tile[ty + 1][tx] = stencils_at(in, x, y + 1, z, side);
    __syncthreads();
    if (x < side && y < side) {
      const double around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                            tile[ty + 1][tx] + before + behind;
      out[(z * side + y) * side + x] = here + kStencilsRate * (around - 6 * here);
    }
    __syncthreads();
    before = here;
    here = behind;
  }
}

inline Problem stencils_line_problem(unsigned n) {
  auto in = array<int>(n + 2 * kStencilsRadius,
                       [](unsigned i) { return static_cast<int>(mixed(i + 31) % 1000); });
  auto out = room<int>(n);
  return Problem{[=] {
                   stencils_line<<<blocks_of(n, kStencilsLine), kStencilsLine>>>(in->data(),
                                                                                 out->data(), n);
                 },
                 [=] {
                   return agrees(
                       out,
                       [&](unsigned i) {
                         int sum = 0;
                         for (unsigned k = 0; k <= 2 * kStencilsRadius; ++k) sum += in->host[i + k];
                         return sum;
                       },
                       1e-9);
                 }};
}

inline bool stencils_plane_right(const Shared<float>& in, const Shared<float>& out, unsigned side) {
  return agrees(
      out,
      [&](unsigned i) {
        const std::vector<float>& all = in->host;
        const unsigned x = i % side, y = i / side;
        if (x == 0 || y == 0 || x == side - 1 || y == side - 1) return all[i];
        return 0.25f * (all[i - 1] + all[i + 1] + all[i - side] + all[i + side]);
      },
      1e-5);
}

inline Problem stencils_plane_problem(unsigned side) {
  auto in = uniform(side * side, 32);
  auto out = room<float>(side * side);
  return Problem{[=] {
                   const dim3 block(16, 16), grid(blocks_of(side, 16), blocks_of(side, 16));
                   stencils_plane<<<grid, block>>>(in->data(), out->data(), side);
                 },
                 [=] { return stencils_plane_right(in, out, side); }};
}

inline Problem stencils_plane_tiled_problem(unsigned side) {
  auto in = uniform(side * side, 33);
  auto out = room<float>(side * side);
  return Problem{[=] {
                   const dim3 block(kStencilsWide, kStencilsHigh);
                   const dim3 grid(blocks_of(side, block.x), blocks_of(side, block.y));
                   stencils_plane_tiled<<<grid, block>>>(in->data(), out->data(), side);
                 },
                 [=] { return stencils_plane_right(in, out, side); }};
}

inline Problem stencils_space_problem(unsigned side) {
  auto in = uniform<double>(side * side * side, 34);
  auto out = room<double>(side * side * side);
  const int length = static_cast<int>(side);
  return Problem{[=] {
                   const dim3 block(kStencilsWide, kStencilsHigh);
                   const dim3 grid(blocks_of(side, block.x), blocks_of(side, block.y));
                   stencils_space<<<grid, block>>>(in->data(), out->data(), length);
                 },
                 [=] {
                   return agrees(
                       out,
                       [&](unsigned i) {
                         const int place = static_cast<int>(i);
                         const int x = place % length, y = place / length % length;
                         const int z = place / length / length;
                         const auto at = [&](int dx, int dy, int dz) {
                           return stencils_at(in->host.data(), x + dx, y + dy, z + dz, length);
                         };
                         const double around = at(-1, 0, 0) + at(1, 0, 0) + at(0, -1, 0) +
                                               at(0, 1, 0) + at(0, 0, -1) + at(0, 0, 1);
                         return at(0, 0, 0) + kStencilsRate * (around - 6 * at(0, 0, 0));
                       },
                       1e-9);
                 }};
}

inline void add_stencils(Set& set) {
  const std::vector<unsigned> sides = {91, 1500, 3301};
  set.add("stencils_line", {10000, 2500000, 10000003}, stencils_line_problem);
  set.add("stencils_plane", sides, stencils_plane_problem);
  set.add("stencils_plane_tiled", sides, stencils_plane_tiled_problem);
  set.add("stencils_space", {20, 120, 180}, stencils_space_problem);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Stencils on regular grids: a step of heat flow in three dimensions, one thread a point, and
// marching along z with a shared tile; an average over neighbours on a line, with several points a
// thread; and a step of a wave on a plane in double precision, where a thread walks down a few
// rows.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr float kGridsRate = 0.125f;
constexpr int kGridsWide = 32, kGridsHigh = 8;      // the tile of grids_marching
constexpr int kGridsReach = 6;                      // neighbours to each side of grids_line
constexpr int kGridsThreads = 128, kGridsEach = 4;  // of grids_line
constexpr int kGridsRows = 4;                       // rows that a thread of grids_wave walks

__global__ void grids_plain(const float* in, float* out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= side || y >= side || z >= side) return;
  const int i = (z * side + y) * side + x;
  if (x == 0 || x == side - 1 || y == 0 || y == side - 1 || z == 0 || z == side - 1) {
    out[i] = in[i];
    return;
  }
  out[i] = in[i] + kGridsRate * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side] +
                                 in[i - side * side] + in[i + side * side] - 6 * in[i]);
}

// A block has a column of the grid; a layer lies in shared memory, the layers above and below it in
// registers.
__global__ void grids_marching(const float* __restrict__ in, float* __restrict__ out, int side) {
  __shared__ float tile[kGridsHigh + 2][kGridsWide + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * kGridsWide + threadIdx.x;
  const int y = blockIdx.y * kGridsHigh + threadIdx.y;
  const bool inside = x < side && y < side;
  const bool edge = x == 0 || x >= side - 1 || y == 0 || y >= side - 1;
  const int layer = side * side;
  int i = y * side + x;
  float below, here = inside ? in[i] : 0.0f, above = inside ? in[i + layer] : 0.0f;
  if (inside) out[i] = here;
  for (int z = 1; z < side - 1; ++z) {
    i += layer;
    below = here;
    here = above;
    above = inside ? in[i + layer] : 0.0f;
    __syncthreads();  // the last layer is no longer needed
    tile[ty][tx] = here;
    if (tx == 1 && x > 0 && y < side) tile[ty][0] = in[i - 1];
    if (tx == kGridsWide && x + 1 < side && y < side) tile[ty][tx + 1] = in[i + 1];
    if (ty == 1 && y > 0 && x < side) tile[0][tx] = in[i - side];
    if (ty == kGridsHigh && y + 1 < side && x < side) tile[ty + 1][tx] = in[i + side];
    __syncthreads();
    if (!inside) continue;
    if (edge)
      out[i] = here;
    else
      out[i] = here + kGridsRate * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                    tile[ty + 1][tx] + below + above - 6 * here);
  }
  if (inside) out[i + layer] = above;
}

__global__ void grids_line(const float* __restrict__ in, float* __restrict__ out, int n) {
  constexpr int kPoints = kGridsThreads * kGridsEach;
  __shared__ float points[kPoints + 2 * kGridsReach];
  const int first = blockIdx.x * kPoints;
  for (int k = threadIdx.x; k < kPoints + 2 * kGridsReach; k += kGridsThreads) {
    const int from = first + k - kGridsReach;
    points[k] = from >= 0 && from < n ? in[from] : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int each = 0; each < kGridsEach; ++each) {
    const int k = each * kGridsThreads + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int d = 0; d <= 2 * kGridsReach; ++d) sum += points[k + d];
    if (first + k < n) out[first + k] = sum * (1.0f / (2 * kGridsReach + 1));
  }
}

// What was is replaced by what will be; the border stays.
__global__ void __launch_bounds__(256)
    grids_wave(const double* __restrict__ now, double* __restrict__ other, int width, int height,
               double speed) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = 1 + (blockIdx.y * blockDim.y + threadIdx.y) * kGridsRows;
  if (x < 1 || x >= width - 1 || first >= height - 1) return;
  double up = now[(first - 1) * width + x];
  double here = now[first * width + x];
  const int end = min(first + kGridsRows, height - 1);
  for (int y = first; y < end; ++y) {
    const int i = y * width + x;
    const double down = now[i + width];
    other[i] = 2 * here - other[i] + speed * (now[i - 1] + now[i + 1] + up + down - 4 * here);
    up = here;
    here = down;
  }
}

inline bool grids_heated(const Shared<float>& in, const Shared<float>& out, unsigned side) {
  return agrees(
      out,
      [&](unsigned i) -> double {
        const std::vector<float>& t = in->host;
        const unsigned place[3] = {i % side, i / side % side, i / side / side};
        const unsigned stride[3] = {1, side, side * side};
        double flow = 0;
        for (int k = 0; k < 3; ++k) {
          if (place[k] == 0 || place[k] == side - 1) return t[i];
          flow += double(t[i - stride[k]]) + t[i + stride[k]] - 2.0 * t[i];
        }
        return t[i] + kGridsRate * flow;
      },
      1e-5);
}

inline Problem grids_plain_problem(unsigned side) {
  auto in = uniform(side * side * side, 21);
  auto out = room<float>(side * side * side);
  return Problem{[=] {
                   const dim3 block(32, 4, 2);
                   const dim3 grid(blocks_of(side, 32), blocks_of(side, 4), blocks_of(side, 2));
                   grids_plain<<<grid, block>>>(in->data(), out->data(), side);
                 },
                 [=] { return grids_heated(in, out, side); }};
}

inline Problem grids_marching_problem(unsigned side) {
  auto in = uniform(side * side * side, 22);
  auto out = room<float>(side * side * side);
  return Problem{[=] {
                   const dim3 grid(blocks_of(side, kGridsWide), blocks_of(side, kGridsHigh));
                   grids_marching<<<grid, dim3(kGridsWide, kGridsHigh)>>>(in->data(), out->data(),
                                                                          side);
                 },
                 [=] { return grids_heated(in, out, side); }};
}

inline Problem grids_line_problem(unsigned side) {
  const int n = side * side * side;
  auto in = uniform(n, 23);
  auto out = room<float>(n);
  return Problem{[=] {
                   grids_line<<<blocks_of(n, kGridsThreads * kGridsEach), kGridsThreads>>>(
                       in->data(), out->data(), n);
                 },
                 [=] {
                   return agrees(out, [&](int i) {
                     double sum = 0;
                     for (int k = std::max(i - kGridsReach, 0);
                          k <= std::min(i + kGridsReach, n - 1); ++k)
                       sum += in->host[k];
                     return sum / (2 * kGridsReach + 1);
                   });
                 }};
}

inline Problem grids_wave_problem(unsigned side) {
  const unsigned width = side * 8, height = side * side / 8;
  const double speed = 0.25;
  auto now = uniform<double>(width * height, 24);
  auto other = uniform<double>(width * height, 25);
  return Problem{
      [=] {
        const dim3 grid(blocks_of(width, 64), blocks_of(height - 2, 4 * kGridsRows));
        grids_wave<<<grid, dim3(64, 4)>>>(now->data(), other->data(), width, height, speed);
      },
      [=] {
        return agrees(
            other,
            [&](unsigned i) {
              const std::vector<double>& u = now->host;
              const unsigned x = i % width, y = i / width;
              if (x == 0 || x == width - 1 || y == 0 || y == height - 1) return other->host[i];
              const double bend = u[i - 1] + u[i + 1] + u[i - width] + u[i + width] - 4 * u[i];
              return 2 * u[i] - other->host[i] + speed * bend;
            },
            1e-9);
      },
      [=] { other->restore(); }};
}

inline void add_grids(Set& set) {
  const std::vector<unsigned> sizes = {24, 125, 213};  // points on a side of a cube
  set.add("grids_plain", sizes, grids_plain_problem);
  set.add("grids_marching", sizes, grids_marching_problem);
  set.add("grids_line", sizes, grids_line_problem);
  set.add("grids_wave", sizes, grids_wave_problem);
}

}  // namespace timing_set

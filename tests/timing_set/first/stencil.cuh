// SPDX-License-Identifier: MIT
// Stencils on a line, a plane and a volume, with neighbours read from memory again, from shared memory, or kept.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kReach = 3;

__global__ void line_plain(const float* in, float* out, int n) {
  const int i = static_cast<int>(thread_number());
  if (i < kReach || i >= n - kReach) return;
  float sum = 0;
#pragma unroll
  for (int d = -kReach; d <= kReach; ++d) sum += in[i + d];
  out[i] = sum;
}
__global__ void line_shared(const float* in, float* out, int n) {
  __shared__ float part[kBlock + 2 * kReach];
  const int i = static_cast<int>(thread_number()), t = static_cast<int>(threadIdx.x) + kReach;
  part[t] = in[i];
  if (threadIdx.x < kReach) {
    part[t - kReach] = i >= kReach ? in[i - kReach] : 0;
    part[t + kBlock] = i + static_cast<int>(kBlock) < n ? in[i + kBlock] : 0;
  }
  __syncthreads();
  if (i < kReach || i >= n - kReach) return;
  float sum = 0;
#pragma unroll
  for (int d = -kReach; d <= kReach; ++d) sum += part[t + d];
  out[i] = sum;
}

__global__ void plane_plain(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
}
__global__ void plane_shared(const float* in, float* out, int width, int height) {
  __shared__ float part[10][34];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int i = y * width + x;
  part[ty][tx] = in[i];
  if (tx == 1 && x > 0) part[ty][0] = in[i - 1];
  if (tx == 32 && x < width - 1) part[ty][33] = in[i + 1];
  if (ty == 1 && y > 0) part[0][tx] = in[i - width];
  if (ty == 8 && y < height - 1) part[9][tx] = in[i + width];
  __syncthreads();
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  out[i] = part[ty][tx] + part[ty][tx - 1] + part[ty][tx + 1] + part[ty - 1][tx] + part[ty + 1][tx];
}

__global__ void volume_plain(const float* in, float* out, int side) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= side - 1 || y >= side - 1 || z >= side - 1) return;
  const int row = side, layer = side * side, i = z * layer + y * row + x;
  out[i] =
      in[i] + in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + in[i - layer] + in[i + layer];
}
// One thread for a column of the volume: the layers above and below stay in registers.
__global__ void volume_marching(const float* in, float* out, int side) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < 1 || y < 1 || x >= side - 1 || y >= side - 1) return;
  const int row = side, layer = side * side;
  int i = y * row + x;
  float below = in[i], here = in[i + layer];
  for (int z = 1; z < side - 1; ++z) {
    i += layer;
    const float above = in[i + layer];
    out[i] = here + in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + below + above;
    below = here;
    here = above;
  }
}

// The same boxes of cells for all: n of them, and which neighbours a cell has.
struct Cells {
  int width, height, depth;
  std::vector<int> neighbours;
  bool inside(unsigned i, int border) const {
    const int x = i % width, y = i / width % height, z = i / (width * height);
    return x >= border && x < width - border && (height == 1 || (y >= 1 && y < height - 1)) &&
           (depth == 1 || (z >= 1 && z < depth - 1));
  }
};

template <class Launch>
Problem stencil_problem(unsigned n, const Cells& cells, int border, Launch launch) {
  auto in = uniform(n, 1), out = array<float>(n, [](unsigned) { return -1; });
  return {[=] { launch(in->data(), out->data()); },
          [=] {
            return agrees(out, [=](unsigned i) {
              if (!cells.inside(i, border)) return -1.0;
              double sum = in->host[i];
              for (const int d : cells.neighbours) sum += in->host[i + d];
              return sum;
            });
          }};
}
template <class Function>
std::function<Problem(unsigned)> line_problem(Function kernel) {
  return [=](unsigned n) {
    const Cells cells{static_cast<int>(n), 1, 1, {-3, -2, -1, 1, 2, 3}};
    return stencil_problem(n, cells, kReach, [=](const float* in, float* out) {
      kernel<<<blocks_of(n), kBlock>>>(in, out, static_cast<int>(n));
    });
  };
}
template <class Function>
std::function<Problem(unsigned)> plane_problem(Function kernel) {
  return [=](unsigned n) {
    int width = 1;
    while (width * width < static_cast<int>(n)) width *= 2;
    const int height = static_cast<int>(n) / width;
    const Cells cells{width, height, 1, {-1, 1, -width, width}};
    return stencil_problem(n, cells, 1, [=](const float* in, float* out) {
      kernel<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(in, out, width, height);
    });
  };
}
template <class Function>
std::function<Problem(unsigned)> volume_problem(Function kernel, bool layers) {
  return [=](unsigned n) {
    const int side = static_cast<int>(std::lround(std::cbrt(n))), layer = side * side;
    const Cells cells{side, side, side, {-1, 1, -side, side, -layer, layer}};
    return stencil_problem(n, cells, 1, [=](const float* in, float* out) {
      kernel<<<dim3(side / 32, side / 8, layers ? side : 1), dim3(32, 8)>>>(in, out, side);
    });
  };
}

inline void add_stencil(Set& set) {
  const std::vector<unsigned> sizes = {1 << 15, 1 << 21, 1 << 24};
  set.add("line_plain", sizes, line_problem(line_plain));
  set.add("line_shared", sizes, line_problem(line_shared));
  set.add("plane_plain", sizes, plane_problem(plane_plain));
  set.add("plane_shared", sizes, plane_problem(plane_shared));
  set.add("volume_plain", sizes, volume_problem(volume_plain, true));
  set.add("volume_marching", sizes, volume_problem(volume_marching, false));
}

}  // namespace timing_set

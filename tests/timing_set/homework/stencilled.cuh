// SPDX-License-Identifier: MIT
// Stencilled: one step of the heat equation in a cube of n x n x n cells, x fastest: a cell moves
// towards its six neighbours; the cells of the six faces keep their heat.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kStencilledRate = 0.125f;

__device__ inline bool stencilled_face(int x, int y, int z, int n) {
  return x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
}

// A cell by each thread, everything from global memory.
__global__ void stencilled_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= n) return;
  const int i = (z * n + y) * n + x;
  if (stencilled_face(x, y, z, n)) {
    out[i] = in[i];
    return;
  }
  const float around =
      in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n];
  out[i] = in[i] + kStencilledRate * (around - 6 * in[i]);
}

// A tile of one plane with its border in shared memory; the planes below and above from global.
constexpr int kStencilledX = 32, kStencilledY = 8;
__global__ void stencilled_tile(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[kStencilledY + 2][kStencilledX + 2];
  const int x = blockIdx.x * kStencilledX + threadIdx.x;
  const int y = blockIdx.y * kStencilledY + threadIdx.y;
  const int z = blockIdx.z;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int i = (z * n + y) * n + x;
  if (x < n && y < n) {
    tile[ty][tx] = in[i];
    if (tx == 1 && x > 0) tile[ty][0] = in[i - 1];
    if (tx == kStencilledX && x < n - 1) tile[ty][kStencilledX + 1] = in[i + 1];
    if (ty == 1 && y > 0) tile[0][tx] = in[i - n];
    if (ty == kStencilledY && y < n - 1) tile[kStencilledY + 1][tx] = in[i + n];
  }
  __syncthreads();
  if (x >= n || y >= n) return;
  const float here = tile[ty][tx];
  if (stencilled_face(x, y, z, n)) {
    out[i] = here;
    return;
  }
  const float around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] +
                       in[i - n * n] + in[i + n * n];
  out[i] = here + kStencilledRate * (around - 6 * here);
}

// Doubles: each thread goes up through 32 planes and keeps the cells below, here and above.
constexpr int kStencilledPlanes = 32;
__global__ void stencilled_march(const double* in, double* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const int first = blockIdx.z * kStencilledPlanes;
  const int end = min(first + kStencilledPlanes, n);
  int i = (first * n + y) * n + x;
  double below = first > 0 ? in[i - n * n] : 0;
  double here = in[i];
  for (int z = first; z < end; ++z) {
    const double above = z < n - 1 ? in[i + n * n] : 0;
    double next = here;
    if (!stencilled_face(x, y, z, n)) {
      const double around = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + below + above;
      next += kStencilledRate * (around - 6 * here);
    }
    out[i] = next;
    below = here;
    here = above;
    i += n * n;
  }
}

// Four cells one behind the other in y by each thread, which uses each as a neighbour of the next.
constexpr int kStencilledEach = 4;
__global__ void stencilled_four(const float* __restrict__ in, float* __restrict__ out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = (blockIdx.y * blockDim.y + threadIdx.y) * kStencilledEach;
  const int z = blockIdx.z;
  if (x >= n) return;
  const int i = (z * n + y) * n + x;
  float column[kStencilledEach + 2];  // from y - 1 to y + 4
#pragma unroll
  for (int k = 0; k < kStencilledEach + 2; ++k) {
    const int from = y + k - 1;
    column[k] = from >= 0 && from < n ? in[i + (k - 1) * n] : 0;
  }
#pragma unroll
  for (int k = 0; k < kStencilledEach; ++k) {
    if (y + k >= n) break;
    const int cell = i + k * n;
    float next = column[k + 1];
    if (!stencilled_face(x, y + k, z, n)) {
      const float around = column[k] + column[k + 2] + in[cell - 1] + in[cell + 1] +
                           in[cell - n * n] + in[cell + n * n];
      next += kStencilledRate * (around - 6 * column[k + 1]);
    }
    out[cell] = next;
  }
}

// A problem for a kernel whose blocks make so many cells along x, y and z.
template <class T>
Problem stencilled_problem(unsigned n, void (*kernel)(const T*, T*, int), dim3 block, dim3 cells) {
  auto in = uniform<T>(n * n * n, 1), out = room<T>(n * n * n);
  const dim3 grid(blocks_of(n, cells.x), blocks_of(n, cells.y), blocks_of(n, cells.z));
  return Problem{[=] { kernel<<<grid, block>>>(in->data(), out->data(), n); },
                 [=] {
                   return agrees(out, [=](unsigned i) {
                     const unsigned x = i % n, y = i / n % n, z = i / n / n;
                     const T* at = in->host.data() + i;
                     const double here = *at;
                     if (std::min({x, y, z}) == 0 || std::max({x, y, z}) == n - 1) return here;
                     const int line = n, plane = n * n;
                     const double around = static_cast<double>(at[-1]) + at[1] + at[-line] +
                                           at[line] + at[-plane] + at[plane];
                     return here + kStencilledRate * (around - 6 * here);
                   });
                 }};
}

inline void add_stencilled(Set& set) {
  const std::vector<unsigned> sizes = {52, 220};
  set.add("stencilled_naive", sizes, [](unsigned n) {
    return stencilled_problem<float>(n, stencilled_naive, dim3(16, 4, 2), dim3(16, 4, 2));
  });
  set.add("stencilled_tile", sizes, [](unsigned n) {
    const dim3 block(kStencilledX, kStencilledY);
    return stencilled_problem<float>(n, stencilled_tile, block, block);
  });
  set.add("stencilled_march", sizes, [](unsigned n) {
    const dim3 cells(16, 16, kStencilledPlanes);
    return stencilled_problem<double>(n, stencilled_march, dim3(16, 16), cells);
  });
  set.add("stencilled_four", sizes, [](unsigned n) {
    return stencilled_problem<float>(n, stencilled_four, dim3(64, 3), dim3(64, 12, 1));
  });
}

}  // namespace timing_set

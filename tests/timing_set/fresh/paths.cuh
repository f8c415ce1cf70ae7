// SPDX-License-Identifier: MIT
// Shortest paths between all vertices: one round of the plain algorithm, by cell and by row, and a product of minima of
// sums with tiles.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

__global__ void paths_cell(int* length, int n, int k) {
  const int i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  const int by = length[i * n + k] + length[k * n + j];
  if (by < length[i * n + j]) length[i * n + j] = by;
}
__global__ void paths_row(int* length, int n, int k) {
  __shared__ int first;
  if (threadIdx.x == 0) first = length[blockIdx.x * n + k];
  __syncthreads();
  int4* const own = reinterpret_cast<int4*>(length + blockIdx.x * n);
  const int4* const middle = reinterpret_cast<const int4*>(length + k * n);
  for (int j = threadIdx.x; j < n / 4; j += blockDim.x) {
    int4 a = own[j];
    const int4 b = middle[j];
    a.x = min(a.x, first + b.x);
    a.y = min(a.y, first + b.y);
    a.z = min(a.z, first + b.z);
    a.w = min(a.w, first + b.w);
    own[j] = a;
  }
}
// The block's 32 x 32 cells through all vertices of a strip of 32.
__global__ void paths_tile(int* length, int n, int k) {
  __shared__ int rows[32][33], columns[32][32];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  rows[threadIdx.y][threadIdx.x] = length[y * n + k + threadIdx.x];
  columns[threadIdx.y][threadIdx.x] = length[(k + threadIdx.y) * n + x];
  __syncthreads();
  if (y / 32 == k / 32 || x / 32 == k / 32) return;  // others read these
  int best = length[y * n + x];
  for (int m = 0; m < 32; ++m) best = min(best, rows[threadIdx.y][m] + columns[m][threadIdx.x]);
  length[y * n + x] = best;
}

// `strip`: through how many vertices from the middle one on.
template <class Launch>
std::function<Problem(unsigned)> paths_problem(int strip, Launch launch) {
  return [=](unsigned side) {
    const int n = static_cast<int>(side), k = n / 2;
    auto length = array<int>(side * side, [=](unsigned at) {
      return at / side == at % side ? 0 : 1 + mixed(at) % 1000;
    });
    return Problem{[=] { launch(length->data(), n, k); },
                   [=] {
                     return agrees(
                         length,
                         [=](unsigned at) {
                           const int i = static_cast<int>(at) / n, j = static_cast<int>(at) % n;
                           const std::vector<int>& v = length->host;
                           int best = v[at];
                           const bool kept =
                               strip > 1 && (i / strip == k / strip || j / strip == k / strip);
                           for (int m = k; m < k + strip && !kept; ++m)
                             best = std::min(best, v[i * n + m] + v[m * n + j]);
                           return best;
                         },
                         0);
                   },
                   [=] { length->restore(); }};
  };
}

inline void add_paths(Set& set) {
  const std::vector<unsigned> sizes = {128, 512, 2048};
  set.add("paths_cell", sizes, paths_problem(1, [](int* length, int n, int k) {
            paths_cell<<<dim3(n / 128, n), 128>>>(length, n, k);
          }));
  set.add("paths_row", sizes,
          paths_problem(1, [](int* length, int n, int k) { paths_row<<<n, 128>>>(length, n, k); }));
  set.add("paths_tile", sizes, paths_problem(32, [](int* length, int n, int k) {
            paths_tile<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(length, n, k);
          }));
}

}  // namespace timing_set

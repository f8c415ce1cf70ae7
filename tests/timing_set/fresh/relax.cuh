// SPDX-License-Identifier: MIT
// A round of relaxation on a plane with a source term: out of place, with tiles and their halos in shared memory, and in
// place for every other cell.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void relax_plain(const float* __restrict__ in, const float* __restrict__ source,
                            float* __restrict__ out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  float value = in[i];
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    value = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - source[i]);
  out[i] = value;
}
constexpr int kTileSide = 32;
__global__ void relax_halo(const float* in, const float* source, float* out, int width,
                           int height) {
  __shared__ float tile[kTileSide + 2][kTileSide + 2];
  const int left = blockIdx.x * kTileSide - 1, top = blockIdx.y * kTileSide - 1;
  const int t = threadIdx.y * kTileSide + threadIdx.x;
  for (int k = t; k < (kTileSide + 2) * (kTileSide + 2); k += kTileSide * 8) {
    const int x = left + k % (kTileSide + 2), y = top + k / (kTileSide + 2);
    const bool inside = x >= 0 && y >= 0 && x < width && y < height;
    tile[k / (kTileSide + 2)][k % (kTileSide + 2)] = inside ? in[y * width + x] : 0;
  }
  __syncthreads();
  for (int r = threadIdx.y; r < kTileSide; r += 8) {
    const int x = left + 1 + threadIdx.x, y = top + 1 + r, i = y * width + x;
    const int tx = threadIdx.x + 1, ty = r + 1;
    float value = tile[ty][tx];
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
      value = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] -
                       source[i]);
    out[i] = value;
  }
}
// The red cells of a chess board, from the black ones around them.
__global__ void relax_red(const float* source, float* cells, int width, int height) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + y % 2;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  cells[i] =
      0.25f * (cells[i - 1] + cells[i + 1] + cells[i - width] + cells[i + width] - source[i]);
}

template <class Launch>
std::function<Problem(unsigned)> relax_problem(bool in_place, Launch launch) {
  return [=](unsigned side) {
    const unsigned n = side * side;
    const int w = static_cast<int>(side);
    auto in = uniform(n, 1), source = uniform(n, 2), out = in_place ? in : room<float>(n);
    return Problem{[=] { launch(in->data(), source->data(), out->data(), w); },
                   [=] {
                     return agrees(out, [=](unsigned at) {
                       const int i = static_cast<int>(at), x = i % w, y = i / w;
                       const std::vector<float>& v = in->host;
                       if (x < 1 || y < 1 || x == w - 1 || y == w - 1) return double{v[i]};
                       if (in_place && (x + y) % 2) return double{v[i]};
                       return 0.25 *
                              (double{v[i - 1]} + v[i + 1] + v[i - w] + v[i + w] - source->host[i]);
                     });
                   },
                   in_place ? std::function<void()>([=] { in->restore(); }) : nullptr};
  };
}

inline void add_relax(Set& set) {
  const std::vector<unsigned> sizes = {128, 512, 2048};
  using In = const float*;
  set.add("relax_plain", sizes, relax_problem(false, [](In in, In source, float* out, int w) {
            relax_plain<<<dim3(w / 64, w / 4), dim3(64, 4)>>>(in, source, out, w, w);
          }));
  set.add("relax_halo", sizes, relax_problem(false, [](In in, In source, float* out, int w) {
            relax_halo<<<dim3(w / 32, w / 32), dim3(32, 8)>>>(in, source, out, w, w);
          }));
  set.add("relax_red", sizes, relax_problem(true, [](In, In source, float* cells, int w) {
            relax_red<<<dim3(w / 64, w / 8), dim3(32, 8)>>>(source, cells, w, w);
          }));
}

}  // namespace timing_set

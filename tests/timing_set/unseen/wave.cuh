// SPDX-License-Identifier: MIT
// A step of a wave in the plane, of fourth order: from global memory, with a tile in shared memory, and by threads that walk
// down their column with what they need in registers.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr float kNearby = 16.0f / 12, kAway = -1.0f / 12, kCentre = -5, kSpeed = 0.1f;
template <class At>
__host__ __device__ float wave_next(At at, float before) {
  const float bend = kCentre * at(0, 0) + kNearby * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1)) +
                     kAway * (at(-2, 0) + at(2, 0) + at(0, -2) + at(0, 2));
  return 2 * at(0, 0) - before + kSpeed * bend;
}
__host__ __device__ inline bool wave_inside(int x, int y, int side) {
  return x >= 2 && y >= 2 && x < side - 2 && y < side - 2;
}
struct Around {
  const float* own;
  int side;
  __host__ __device__ float operator()(int dx, int dy) const { return own[dy * side + dx]; }
};
__global__ void wave_plain(const float* now, const float* before, float* next, int side) {
  const int x = static_cast<int>(thread_number());
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (!wave_inside(x, y, side)) return;
  next[y * side + x] = wave_next(Around{&now[y * side + x], side}, before[y * side + x]);
}
__global__ void wave_tile(const float* now, const float* before, float* next, int side) {
  __shared__ float tile[12][36];
  const int left = static_cast<int>(blockIdx.x * 32) - 2,
            top = static_cast<int>(blockIdx.y * 8) - 2;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  for (int k = ty * 32 + tx; k < 12 * 36; k += 256) {
    const int x = left + k % 36, y = top + k / 36;
    const bool there = x >= 0 && y >= 0 && x < side && y < side;
    tile[k / 36][k % 36] = there ? now[y * side + x] : 0;
  }
  __syncthreads();
  const int x = left + 2 + tx, y = top + 2 + ty;
  if (!wave_inside(x, y, side)) return;
  next[y * side + x] = wave_next([&](int dx, int dy) { return tile[ty + 2 + dy][tx + 2 + dx]; },
                                 before[y * side + x]);
}
__global__ void wave_walk(const float* now, const float* before, float* next, int side) {
  constexpr int kWalk = 16;
  const int x = static_cast<int>(thread_number()), top = static_cast<int>(blockIdx.y) * kWalk + 2;
  if (x < 2 || x >= side - 2) return;
  float column[5];
  for (int k = 0; k < 4; ++k) column[k + 1] = now[(top - 2 + k) * side + x];
  for (int y = top; y < min(top + kWalk, side - 2); ++y) {
    for (int k = 0; k < 4; ++k) column[k] = column[k + 1];
    column[4] = now[(y + 2) * side + x];
    const auto at = [&](int dx, int dy) {
      return dx == 0 ? column[dy + 2] : now[y * side + x + dx];
    };
    next[y * side + x] = wave_next(at, before[y * side + x]);
  }
}

template <class Launch>
std::function<Problem(unsigned)> wave_problem(Launch launch) {
  return [=](unsigned n) {
    const int side = static_cast<int>(n);
    auto now = uniform(n * n, 7), before = uniform(n * n, 8), next = room<float>(n * n);
    clear(next);  // the border stays
    return Problem{[=] { launch(now->data(), before->data(), next->data(), side); },
                   [=] {
                     return agrees(next, [=](unsigned i) {
                       const int x = static_cast<int>(i) % side, y = static_cast<int>(i) / side;
                       if (!wave_inside(x, y, side)) return 0.0f;
                       return wave_next(Around{&now->host[i], side}, before->host[i]);
                     });
                   }};
  };
}

inline void add_wave(Set& set) {
  const std::vector<unsigned> sizes = {100, 500, 3500};
  using In = const float*;
  const auto parts = [](int side, int part) {
    return blocks_of(static_cast<unsigned>(side), part);
  };
  set.add("wave_plain", sizes, wave_problem([=](In now, In before, float* next, int side) {
            const dim3 grid(parts(side, 32), parts(side, 8));
            wave_plain<<<grid, dim3(32, 8)>>>(now, before, next, side);
          }));
  set.add("wave_tile", sizes, wave_problem([=](In now, In before, float* next, int side) {
            const dim3 grid(parts(side, 32), parts(side, 8));
            wave_tile<<<grid, dim3(32, 8)>>>(now, before, next, side);
          }));
  set.add("wave_walk", sizes, wave_problem([=](In now, In before, float* next, int side) {
            wave_walk<<<dim3(parts(side, 128), parts(side - 4, 16)), 128>>>(now, before, next,
                                                                            side);
          }));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// One sweep of an iterative solver of Poisson's equation. On a square with a fixed boundary: a thread for each point, a
// thread for sixteen points below each other which keeps three of them at hand, and over-relaxation in double, in place,
// of the points of one colour. On a cube with zeros around it: damped, with planes in shared memory, upwards.
#pragma once

#include "../set.cuh"

namespace timing_set {

__global__ void jacobis_plain(const float* old, const float* source, float* next, int width,
                              int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    next[i] = old[i];
  else
    next[i] = 0.25f * (old[i - 1] + old[i + 1] + old[i - width] + old[i + width] - source[i]);
}

constexpr int kJacobisRows = 16;  // of one thread

__global__ void __launch_bounds__(128)
    jacobis_rows(const float* __restrict__ old, const float* __restrict__ source,
                 float* __restrict__ next, int width, int height) {
  const int x = blockIdx.x * 128 + threadIdx.x;
  if (x >= width) return;
  const int first = blockIdx.y * kJacobisRows;
  const int last = min(first + kJacobisRows, height);
  const bool side = x == 0 || x == width - 1;
  int i = first * width + x;
  float up = first > 0 ? old[i - width] : 0;
  float here = old[i];
  for (int y = first; y < last; ++y, i += width) {
    const float down = y + 1 < height ? old[i + width] : 0;
    if (side || y == 0 || y == height - 1)
      next[i] = here;
    else
      next[i] = 0.25f * (old[i - 1] + old[i + 1] + up + down - source[i]);
    up = here;
    here = down;
  }
}

constexpr double kJacobisOmega = 1.3;

// Updates the points inside where x + y is even (colour 1) or odd (colour 0).
__global__ void jacobis_colour(double* field, const double* source, int n, int colour) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + ((y + colour) & 1);
  if (x >= n - 1 || y >= n - 1) return;
  const size_t i = static_cast<size_t>(y) * n + x;
  const double around = field[i - 1] + field[i + 1] + field[i - n] + field[i + n];
  const double wanted = 0.25 * (around - source[i]);
  field[i] = (1 - kJacobisOmega) * field[i] + kJacobisOmega * wanted;
}

constexpr int kJacobisWide = 32, kJacobisHigh = 8, kJacobisDeep = 32;
constexpr float kJacobisDamping = 0.8f;

__global__ void jacobis_tile(const float* __restrict__ old, const float* __restrict__ source,
                             float* __restrict__ next, int n) {
  __shared__ float tile[kJacobisHigh + 2][kJacobisWide + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * kJacobisWide + threadIdx.x;
  const int y = blockIdx.y * kJacobisHigh + threadIdx.y;
  const int first = blockIdx.z * kJacobisDeep, last = min(first + kJacobisDeep, n);
  const auto at = [=](int px, int py, int pz) {
    const bool inside = px >= 0 && py >= 0 && pz >= 0 && px < n && py < n && pz < n;
    return inside ? old[(pz * n + py) * n + px] : 0.0f;
  };
  float below = at(x, y, first - 1), here = at(x, y, first);
  for (int z = first; z < last; ++z) {
    const float above = at(x, y, z + 1);
    tile[ty][tx] = here;
    if (threadIdx.x == 0) tile[ty][0] = at(x - 1, y, z);
    if (threadIdx.x == kJacobisWide - 1) tile[ty][kJacobisWide + 1] = at(x + 1, y, z);
    if (threadIdx.y == 0) tile[0][tx] = at(x, y - 1, z);
    if (threadIdx.y == kJacobisHigh - 1) tile[kJacobisHigh + 1][tx] = at(x, y + 1, z);
    __syncthreads();
    if (x < n && y < n) {
      const int i = (z * n + y) * n + x;
      const float sum =
          tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + below + above;
      next[i] = here + kJacobisDamping * ((sum - source[i]) * (1.0f / 6) - here);
    }
    __syncthreads();
    below = here;
    here = above;
  }
}

// What is to be at point i of the square after a sweep.
inline double jacobis_square(const std::vector<float>& old, const std::vector<float>& source,
                             unsigned i, unsigned n) {
  const unsigned x = i % n, y = i / n;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return old[i];
  return 0.25 * (double(old[i - 1]) + old[i + 1] + old[i - n] + old[i + n] - source[i]);
}

inline Problem jacobis_plain_problem(unsigned n) {
  auto old = uniform(std::size_t(n) * n, 21);
  auto source = uniform(std::size_t(n) * n, 22);
  auto next = room<float>(std::size_t(n) * n);
  return Problem{
      [=] {
        const dim3 block(32, 8);
        const dim3 grid(blocks_of(n, 32), blocks_of(n, 8));
        jacobis_plain<<<grid, block>>>(old->data(), source->data(), next->data(), int(n), int(n));
      },
      [=] {
        return agrees(next,
                      [&](unsigned i) { return jacobis_square(old->host, source->host, i, n); });
      }};
}

inline Problem jacobis_rows_problem(unsigned n) {
  auto old = uniform(std::size_t(n) * n, 23);
  auto source = uniform(std::size_t(n) * n, 24);
  auto next = room<float>(std::size_t(n) * n);
  return Problem{
      [=] {
        const dim3 grid(blocks_of(n, 128), blocks_of(n, kJacobisRows));
        jacobis_rows<<<grid, 128>>>(old->data(), source->data(), next->data(), int(n), int(n));
      },
      [=] {
        return agrees(next,
                      [&](unsigned i) { return jacobis_square(old->host, source->host, i, n); });
      }};
}

inline Problem jacobis_colour_problem(unsigned n) {
  auto field = uniform<double>(std::size_t(n) * n, 25);
  auto source = uniform<double>(std::size_t(n) * n, 26);
  const int colour = 1;
  return Problem{[=] {
                   const dim3 block(64, 4);
                   const dim3 grid(blocks_of((n - 1) / 2, 64), blocks_of(n - 2, 4));
                   jacobis_colour<<<grid, block>>>(field->data(), source->data(), int(n), colour);
                 },
                 [=] {
                   const std::vector<double>& old = field->host;
                   const auto wanted = [&](unsigned i) {
                     const unsigned x = i % n, y = i / n;
                     if (x == 0 || y == 0 || x == n - 1 || y == n - 1 || (x + y) % 2 != 0)
                       return old[i];
                     const double around = old[i - 1] + old[i + 1] + old[i - n] + old[i + n];
                     return (1 - kJacobisOmega) * old[i] +
                            kJacobisOmega * 0.25 * (around - source->host[i]);
                   };
                   return agrees(field, wanted, 1e-10);
                 },
                 [=] { field->restore(); }};
}

inline Problem jacobis_tile_problem(unsigned n) {
  const std::size_t points = std::size_t(n) * n * n;
  auto old = uniform(points, 27);
  auto source = uniform(points, 28);
  auto next = room<float>(points);
  return Problem{[=] {
                   const dim3 block(kJacobisWide, kJacobisHigh);
                   const dim3 grid(blocks_of(n, kJacobisWide), blocks_of(n, kJacobisHigh),
                                   blocks_of(n, kJacobisDeep));
                   jacobis_tile<<<grid, block>>>(old->data(), source->data(), next->data(), int(n));
                 },
                 [=] {
                   return agrees(next, [&](unsigned i) {
                     const unsigned x = i % n, y = i / n % n, z = i / (n * n);
                     double sum = 0;
                     if (x > 0) sum += old->host[i - 1];
                     if (x + 1 < n) sum += old->host[i + 1];
                     if (y > 0) sum += old->host[i - n];
                     if (y + 1 < n) sum += old->host[i + n];
                     if (z > 0) sum += old->host[i - n * n];
                     if (z + 1 < n) sum += old->host[i + n * n];
                     const double here = old->host[i];
                     return here + kJacobisDamping * ((sum - source->host[i]) / 6 - here);
                   });
                 }};
}

inline void add_jacobis(Set& set) {
  const std::vector<unsigned> sizes = {150, 1500, 4001};
  set.add("jacobis_plain", sizes, jacobis_plain_problem);
  set.add("jacobis_rows", sizes, jacobis_rows_problem);
  set.add("jacobis_colour", {150, 1500, 3201}, jacobis_colour_problem);
  set.add("jacobis_tile", {21, 140, 220}, jacobis_tile_problem);
}

}  // namespace timing_set

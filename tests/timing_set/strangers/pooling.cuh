// SPDX-License-Identifier: MIT
// The largest of three by three, every second pixel, of 48 feature maps: a thread for each output, a thread for a whole
// row of outputs, from a tile in shared memory, and with the channels innermost, where it also keeps which of the nine
// it was.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kPoolingMaps = 48;
constexpr float kPoolingLowest = -1e30f;

__global__ void pooling_plain(const float* in, float* out, int side, int half) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= half || y >= half) return;
  const float* const map = in + blockIdx.z * side * side;
  float best = kPoolingLowest;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int row = 2 * y + dy, column = 2 * x + dx;
      if (row >= 0 && row < side && column >= 0 && column < side)
        best = fmaxf(best, map[row * side + column]);
    }
  }
  out[(blockIdx.z * half + y) * half + x] = best;
}

__global__ void pooling_rows(const float* in, float* out, int side, int half) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;  // of all maps
  if (row >= kPoolingMaps * half) return;
  const int map = row / half, y = row % half;
  const int first = max(0, 2 * y - 1), last = min(side - 1, 2 * y + 1);
  for (int x = 0; x < half; ++x) {
    float best = kPoolingLowest;
    for (int r = first; r <= last; ++r)
      for (int c = max(0, 2 * x - 1); c <= min(side - 1, 2 * x + 1); ++c)
        best = fmaxf(best, in[(map * side + r) * side + c]);
    out[row * half + x] = best;
  }
}

template <int kTile>
__global__ void pooling_shared(const float* in, float* out, int side, int half) {
  constexpr int kWide = 2 * kTile + 1;
  __shared__ float tile[kWide][kWide + 1];
  const float* const map = in + blockIdx.z * side * side;
  const int left = 2 * blockIdx.x * kTile - 1, top = 2 * blockIdx.y * kTile - 1;
  for (int i = threadIdx.y * kTile + threadIdx.x; i < kWide * kWide; i += kTile * kTile) {
    const int r = top + i / kWide, c = left + i % kWide;
    tile[i / kWide][i % kWide] =
        r >= 0 && r < side && c >= 0 && c < side ? map[r * side + c] : kPoolingLowest;
  }
  __syncthreads();
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x >= half || y >= half) return;
  float best = kPoolingLowest;
#pragma unroll
  for (int k = 0; k < 9; ++k)
    best = fmaxf(best, tile[2 * threadIdx.y + k / 3][2 * threadIdx.x + k % 3]);
  out[(blockIdx.z * half + y) * half + x] = best;
}

__global__ void pooling_switches(const float* in, float* out, unsigned char* which, int side,
                                 int half) {
  const int n = half * half * kPoolingMaps;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int map = i % kPoolingMaps, pixel = i / kPoolingMaps;
    const int x = pixel % half, y = pixel / half;
    float best = kPoolingLowest;
    int at = 0;
    for (int k = 0; k < 9; ++k) {
      const int r = 2 * y + k / 3 - 1, c = 2 * x + k % 3 - 1;
      if (r < 0 || r >= side || c < 0 || c >= side) continue;
      const float value = in[(r * side + c) * kPoolingMaps + map];
      if (value > best) {
        best = value;
        at = k;
      }
    }
    out[i] = best;
    which[i] = static_cast<unsigned char>(at);
  }
}

// Which of the nine is the largest; read(row, column) gives a pixel of the map.
template <class Read>
std::pair<int, float> pooling_wanted(int x, int y, int side, Read read) {
  std::pair<int, float> best{0, kPoolingLowest};
  for (int k = 0; k < 9; ++k) {
    const int r = 2 * y + k / 3 - 1, c = 2 * x + k % 3 - 1;
    if (r < 0 || r >= side || c < 0 || c >= side) continue;
    if (read(r, c) > best.second) best = {k, read(r, c)};
  }
  return best;
}

// How a kernel is launched for maps of that many outputs a side.
struct PoolingShape {
  dim3 grid, block;
};

template <class Function, class Shape>
std::function<Problem(unsigned)> pooling_problem(Function kernel, Shape shape) {
  return [=](unsigned side) {
    const int s = static_cast<int>(side), half = (s + 1) / 2;
    auto in = uniform(std::size_t{kPoolingMaps} * side * side, 3);
    auto out = room<float>(std::size_t{kPoolingMaps} * half * half);
    const PoolingShape launch = shape(static_cast<unsigned>(half));
    return Problem{
        [=] { kernel<<<launch.grid, launch.block>>>(in->data(), out->data(), s, half); },
        [=] {
          return agrees(out, [=](unsigned i) {
            const int x = static_cast<int>(i) % half, y = static_cast<int>(i) / half % half;
            const int map = static_cast<int>(i) / half / half;
            const auto read = [&](int r, int c) { return in->host[(map * s + r) * s + c]; };
            return pooling_wanted(x, y, s, read).second;
          });
        }};
  };
}

inline Problem pooling_switches_problem(unsigned side) {
  const int s = static_cast<int>(side), half = (s + 1) / 2;
  const std::size_t n = std::size_t{kPoolingMaps} * half * half;
  auto in = uniform(std::size_t{kPoolingMaps} * side * side, 4);
  auto out = room<float>(n);
  auto which = room<unsigned char>(n);
  const auto wanted = [=](unsigned i) {
    const int map = static_cast<int>(i) % kPoolingMaps, pixel = static_cast<int>(i) / kPoolingMaps;
    return pooling_wanted(pixel % half, pixel / half, s,
                          [&](int r, int c) { return in->host[(r * s + c) * kPoolingMaps + map]; });
  };
  return Problem{[=] {
                   pooling_switches<<<std::min(blocks_of(n, 384), 1056u), 384>>>(
                       in->data(), out->data(), which->data(), s, half);
                 },
                 [=] {
                   return agrees(out, [=](unsigned i) { return wanted(i).second; }) &&
                          agrees(
                              which, [=](unsigned i) { return wanted(i).first; }, 0);
                 }};
}

inline void add_pooling(Set& set) {
  const std::vector<unsigned> sizes = {28, 222, 617};
  set.add("pooling_plain", sizes, pooling_problem(pooling_plain, [](unsigned half) {
            return PoolingShape{dim3(blocks_of(half, 32), blocks_of(half, 8), kPoolingMaps),
                                dim3(32, 8)};
          }));
  set.add("pooling_rows", sizes, pooling_problem(pooling_rows, [](unsigned half) {
            return PoolingShape{dim3(blocks_of(kPoolingMaps * half, 64)), dim3(64)};
          }));
  set.add("pooling_shared", sizes, pooling_problem(pooling_shared<16>, [](unsigned half) {
            return PoolingShape{dim3(blocks_of(half, 16), blocks_of(half, 16), kPoolingMaps),
                                dim3(16, 16)};
          }));
  set.add("pooling_switches", sizes, pooling_switches_problem);
}

}  // namespace timing_set

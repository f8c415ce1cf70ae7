// SPDX-License-Identifier: MIT
// Pictures of `kWide` words in a row: what lies round each of them, walks along rows and down columns, and sums by coefficients
// that are the same for all threads.
#include "families.hpp"
#include "stream.cuh"

namespace timing_set {
namespace {

using Word = unsigned;
constexpr int kWide = 1000;

enum class Edge { Left, Clamped, Round };
template <Edge E>
__host__ __device__ bool inside(int& at, int size) {
  if (E == Edge::Left) return at >= 0 && at < size;
  if (E == Edge::Round)
    at = (at + size) % size;
  else
    at = at < 0 ? 0 : at >= size ? size - 1 : at;
  return true;
}
template <int Reach, Edge E>
__host__ __device__ Word around(const Word* in, int x, int y, int rows) {
  Word sum = 0;
  for (int dy = -Reach; dy <= Reach; ++dy)
    for (int dx = -Reach; dx <= Reach; ++dx) {
      int column = x + dx, row = y + dy;
      if (inside<E>(column, kWide) && inside<E>(row, rows)) sum += in[row * kWide + column];
    }
  return sum;
}
template <int Reach, Edge E>
__global__ void window(const Word* in, Word* out, int rows) {
  const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * 8 + threadIdx.y);
  if (x < kWide && y < rows) out[y * kWide + x] = around<Reach, E>(in, x, y, rows);
}
// A block of 16 by 16 keeps what it needs in shared memory.
template <int Reach>
__global__ void window_tile(const Word* in, Word* out, int rows) {
  constexpr int side = 16 + 2 * Reach;
  __shared__ Word tile[side][side];
  const int left = static_cast<int>(blockIdx.x * 16), top = static_cast<int>(blockIdx.y * 16);
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  for (int y = ty; y < side; y += 16)
    for (int x = tx; x < side; x += 16) {
      const int column = left + x - Reach, row = top + y - Reach;
      const bool there = column >= 0 && column < kWide && row >= 0 && row < rows;
      tile[y][x] = there ? in[row * kWide + column] : 0;
    }
  __syncthreads();
  if (left + tx >= kWide || top + ty >= rows) return;
  Word sum = 0;
  for (int dy = 0; dy <= 2 * Reach; ++dy)
    for (int dx = 0; dx <= 2 * Reach; ++dx) sum += tile[ty + dy][tx + dx];
  out[(top + ty) * kWide + left + tx] = sum;
}
// The sum of all before, along a row or down a column, by a thread.
template <bool Down>
__global__ void running(const Word* in, Word* out, int rows) {
  const int own = static_cast<int>(thread_number());
  if (own >= (Down ? kWide : rows)) return;
  Word sum = 0;
  for (int k = 0; k < (Down ? rows : kWide); ++k) {
    const int at = Down ? k * kWide + own : own * kWide + k;
    sum += in[at];
    out[at] = sum;
  }
}
// What lies within `Reach` of it down the column, by a thread that keeps the sum as it goes.
template <int Reach>
__global__ void sliding(const Word* in, Word* out, int rows) {
  const int x = static_cast<int>(thread_number());
  const int first = static_cast<int>(blockIdx.y) * 50, end = min(first + 50, rows);
  if (x >= kWide) return;
  Word sum = 0;
  for (int y = max(0, first - Reach); y < min(first + Reach, rows); ++y) sum += in[y * kWide + x];
  for (int y = first; y < end; ++y) {
    if (y + Reach < rows) sum += in[(y + Reach) * kWide + x];
    if (y - Reach > 0 && y > first) sum -= in[(y - Reach - 1) * kWide + x];
    out[y * kWide + x] = sum;
  }
}
// `Taps` coefficients: one after the other from memory, which all threads read alike.
template <int Taps>
__global__ void weighed(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  Word sum = 0;
  for (int k = 0; k < Taps; ++k) sum += in[k] * in[i + k];
  out[i] = sum;
}
__constant__ Word constant_weights[64];
template <int Taps>
__global__ void weighed_by_constants(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  Word sum = 0;
  for (int k = 0; k < Taps; ++k) sum += (constant_weights[k] + 3) * in[i + k];
  out[i] = sum;
}
// Eight planes from eight, place by place.
__global__ void mixed_planes(const Word* in, Word* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  Word own[8];
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) own[k] = in[k * n + i];
  for (unsigned to = 0; to < 8; ++to) {
    Word sum = 0;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) sum += in[to * 8 + k] * own[k];
    out[to * n + i] = sum;
  }
}

template <class Launch, class Wanted>
std::function<Problem(unsigned)> picture(Launch launch, Wanted wanted) {
  return stream<Word, Word, kWide, kWide>(
      [=](const Word* in, Word* out, unsigned n) { launch(in, out, static_cast<int>(n)); },
      [=](const Word* in, Word* out, unsigned n) { wanted(in, out, static_cast<int>(n)); });
}
template <int Reach, Edge E>
void around_wanted(const Word* in, Word* out, int rows) {
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < kWide; ++x) out[y * kWide + x] = around<Reach, E>(in, x, y, rows);
}
template <int Reach, Edge E>
std::function<Problem(unsigned)> window_problem() {
  return picture(
      [](const Word* in, Word* out, int rows) {
        window<Reach, E>
            <<<dim3(blocks_of(kWide, 32), blocks_of(rows, 8)), dim3(32, 8)>>>(in, out, rows);
      },
      around_wanted<Reach, E>);
}
template <int Reach>
std::function<Problem(unsigned)> tile_problem() {
  return picture(
      [](const Word* in, Word* out, int rows) {
        window_tile<Reach>
            <<<dim3(blocks_of(kWide, 16), blocks_of(rows, 16)), dim3(16, 16)>>>(in, out, rows);
      },
      around_wanted<Reach, Edge::Left>);
}
template <bool Down>
std::function<Problem(unsigned)> running_problem() {
  return picture(
      [](const Word* in, Word* out, int rows) {
        running<Down><<<blocks_of(Down ? kWide : rows, 64), 64>>>(in, out, rows);
      },
      [](const Word* in, Word* out, int rows) {
        for (int y = 0; y < rows; ++y)
          for (int x = 0; x < kWide; ++x) {
            const int at = y * kWide + x, before = Down ? at - kWide : at - 1;
            out[at] = in[at] + ((Down ? y : x) > 0 ? out[before] : 0);
          }
      });
}
template <int Taps>
std::function<Problem(unsigned)> taps_problem(void (*kernel)(const Word*, Word*, unsigned),
                                              bool constants) {
  return stream<Word, Word, 2, 1>(
      [=](const Word* in, Word* out, unsigned n) { kernel<<<blocks_of(n), kBlock>>>(in, out, n); },
      [=](const Word* in, Word* out, unsigned n) {
        for (unsigned i = 0; i < n; ++i) {
          Word sum = 0;
          for (int k = 0; k < Taps; ++k) sum += (constants ? 3 : in[k]) * in[i + k];
          out[i] = sum;
        }
      });
}

}  // namespace

void add_windows(std::vector<Kernel>& kernels) {
  const std::vector<unsigned> rows = {30, 300, 3000}, long_ways = {64, 512, 4096};
  Set windows("windows", kernels);
  windows.add("windows_3", rows, window_problem<1, Edge::Left>());
  windows.add("windows_5", rows, window_problem<2, Edge::Left>());
  windows.add("windows_3_clamped", rows, window_problem<1, Edge::Clamped>());
  windows.add("windows_5_clamped", rows, window_problem<2, Edge::Clamped>());
  windows.add("windows_3_round", rows, window_problem<1, Edge::Round>());
  windows.add("windows_5_tile", rows, tile_problem<2>());
  windows.add("windows_9_tile", rows, tile_problem<4>());
  Set of_running("running", kernels);
  of_running.add("running_along", long_ways, running_problem<false>());
  of_running.add("running_down", {50, 400, 3000}, running_problem<true>());
  of_running.add("running_window", rows,
                 picture(
                     [](const Word* in, Word* out, int n) {
                       sliding<4>
                           <<<dim3(blocks_of(kWide, 128), blocks_of(n, 50)), 128>>>(in, out, n);
                     },
                     [](const Word* in, Word* out, int n) {
                       for (int y = 0; y < n; ++y)
                         for (int x = 0; x < kWide; ++x) {
                           Word sum = 0;
                           for (int at = std::max(0, y - 4); at <= std::min(y + 4, n - 1); ++at)
                             sum += in[at * kWide + x];
                           out[y * kWide + x] = sum;
                         }
                     }));
  const std::vector<unsigned> sizes = {20000, 1000000, 6000000};
  Set weights("weights", kernels);
  weights.add("weights_of_memory", sizes, taps_problem<32>(weighed<32>, false));
  weights.add("weights_of_constants", sizes, taps_problem<32>(weighed_by_constants<32>, true));
  weights.add("weights_of_planes", {20000, 200000, 1000000},
              stream<Word, Word, 8, 8>(
                  [](const Word* in, Word* out, unsigned n) {
                    mixed_planes<<<blocks_of(n), kBlock>>>(in, out, n);
                  },
                  [](const Word* in, Word* out, unsigned n) {
                    for (unsigned i = 0; i < 8 * n; ++i) {
                      Word sum = 0;
                      for (unsigned k = 0; k < 8; ++k) sum += in[i / n * 8 + k] * in[k * n + i % n];
                      out[i] = sum;
                    }
                  }));
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// An absorption spectrum, line by line: every line adds its profile (a mix of Lorentz and Gauss) to
// the grid points in its reach. A thread per point that searches its lines, a block per tile of
// points with the lines in shared memory, a warp per line that adds with atomics, lines in no
// order, and a thread per line that adds alone, in double.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr float kSpectrumReach = 200;  // the longest
constexpr unsigned kSpectrumGap = 10;  // grid points per line

struct alignas(16) SpectrumLine {
  float centre, reach, strength, mix;
};

// The Lorentz part is lowered so that it ends at zero, where it is cut off.
__host__ __device__ inline float spectrum_profile(const SpectrumLine& line, float x) {
  const float d = (x - line.centre) * 20 / line.reach, square = d * d;
  const float lorentz = 1 / (1 + square) - 1.0f / 401, gauss = expf(-0.7f * square);
  return line.strength * (line.mix * lorentz + (1 - line.mix) * gauss);
}

__global__ void spectrum_points(const SpectrumLine* lines, unsigned count, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = static_cast<float>(i);
  unsigned low = 0, high = count;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (lines[middle].centre < x - kSpectrumReach)
      low = middle + 1;
    else
      high = middle;
  }
  float sum = 0;
  for (; low < count && lines[low].centre <= x + kSpectrumReach; ++low)
    if (fabsf(x - lines[low].centre) <= lines[low].reach) sum += spectrum_profile(lines[low], x);
  out[i] = sum;
}

constexpr unsigned kSpectrumTile = 384, kSpectrumThreads = 192, kSpectrumChunk = 64;

// Which lines can reach a tile is known beforehand.
__global__ void __launch_bounds__(kSpectrumThreads)
    spectrum_tiles(const SpectrumLine* __restrict__ lines, const uint2* __restrict__ ranges,
                   float* __restrict__ out, unsigned n) {
  __shared__ SpectrumLine chunk[kSpectrumChunk];
  const uint2 range = ranges[blockIdx.x];
  const unsigned first = blockIdx.x * kSpectrumTile + threadIdx.x;
  const float x = static_cast<float>(first), y = x + kSpectrumThreads;
  float sum = 0, other = 0;
  for (unsigned begin = range.x; begin < range.y; begin += kSpectrumChunk) {
    const unsigned some = min(kSpectrumChunk, range.y - begin);
    __syncthreads();
    if (threadIdx.x < some) chunk[threadIdx.x] = lines[begin + threadIdx.x];
    __syncthreads();
    for (unsigned k = 0; k < some; ++k) {
      const SpectrumLine line = chunk[k];
      if (fabsf(x - line.centre) <= line.reach) sum += spectrum_profile(line, x);
      if (fabsf(y - line.centre) <= line.reach) other += spectrum_profile(line, y);
    }
  }
  if (first < n) out[first] = sum;
  if (first + kSpectrumThreads < n) out[first + kSpectrumThreads] = other;
}

__device__ inline uint2 spectrum_window(const SpectrumLine& line, unsigned n) {
  const float end = fminf(floorf(line.centre + line.reach), static_cast<float>(n - 1));
  return make_uint2(static_cast<unsigned>(fmaxf(0.0f, ceilf(line.centre - line.reach))),
                    static_cast<unsigned>(end) + 1);
}

__global__ void spectrum_warps(const SpectrumLine* __restrict__ lines, unsigned count, float* out,
                               unsigned n) {
  const unsigned warps = gridDim.x * blockDim.x / 32;
  for (unsigned l = thread_number() / 32; l < count; l += warps) {
    const SpectrumLine line = lines[l];
    const uint2 window = spectrum_window(line, n);
    for (unsigned i = window.x + threadIdx.x % 32; i < window.y; i += 32)
      atomicAdd(&out[i], spectrum_profile(line, static_cast<float>(i)));
  }
}

__global__ void spectrum_lines(const SpectrumLine* lines, unsigned count, double* out, unsigned n) {
  const unsigned l = blockIdx.x * blockDim.x + threadIdx.x;
  if (l >= count) return;
  const uint2 window = spectrum_window(lines[l], n);
  for (unsigned i = window.x; i < window.y; ++i)
    atomicAdd(&out[i], static_cast<double>(spectrum_profile(lines[l], static_cast<float>(i))));
}

// Ordered by their centres. One of fifty is broad.
inline SpectrumLine spectrum_line(unsigned i) {
  const auto part = [=](unsigned k) { return (mixed(4 * i + k) >> 16) / 65536.0f; };
  return {kSpectrumGap * (static_cast<float>(i) + part(0)),
          mixed(i) % 50 == 0 ? kSpectrumReach : 12 + 40 * part(1), part(2) * part(2), part(3)};
}
inline unsigned spectrum_count(unsigned n) { return n / kSpectrumGap; }
// Lines that can reach points from x to y.
inline uint2 spectrum_range(unsigned n, unsigned x, unsigned y) {
  const unsigned reach = static_cast<unsigned>(kSpectrumReach) + kSpectrumGap;
  return make_uint2(x < reach ? 0 : (x - reach) / kSpectrumGap,
                    std::min(spectrum_count(n), (y + reach) / kSpectrumGap));
}
inline double spectrum_wanted(unsigned n, unsigned i) {
  const uint2 range = spectrum_range(n, i, i);
  double sum = 0;
  for (unsigned l = range.x; l < range.y; ++l) {
    const SpectrumLine line = spectrum_line(l);
    const float x = static_cast<float>(i);
    if (std::abs(x - line.centre) <= line.reach) sum += spectrum_profile(line, x);
  }
  return sum;
}
template <class T>
bool spectrum_right(const Shared<T>& out) {
  const unsigned n = out->size();
  return agrees(out, [=](unsigned i) { return spectrum_wanted(n, i); });
}

inline Problem spectrum_points_problem(unsigned n) {
  const unsigned count = spectrum_count(n);
  auto lines = array<SpectrumLine>(count, spectrum_line);
  auto out = room<float>(n);
  return Problem{
      [=] { spectrum_points<<<blocks_of(n), kBlock>>>(lines->data(), count, out->data(), n); },
      [=] { return spectrum_right(out); }};
}

inline Problem spectrum_tiles_problem(unsigned n) {
  auto lines = array<SpectrumLine>(spectrum_count(n), spectrum_line);
  const unsigned tiles = blocks_of(n, kSpectrumTile);
  auto ranges = array<uint2>(tiles, [=](unsigned i) {
    return spectrum_range(n, i * kSpectrumTile, (i + 1) * kSpectrumTile);
  });
  auto out = room<float>(n);
  return Problem{[=] {
                   spectrum_tiles<<<tiles, kSpectrumThreads>>>(lines->data(), ranges->data(),
                                                               out->data(), n);
                 },
                 [=] { return spectrum_right(out); }};
}

inline Problem spectrum_warps_problem(unsigned n) {
  const unsigned count = spectrum_count(n), blocks = std::min(blocks_of(count, 4), 132u * 8);
  auto lines = array<SpectrumLine>(count, [=](unsigned i) {
    return spectrum_line(static_cast<unsigned>(std::uint64_t{i} * 1000003u % count));
  });
  auto out = array(std::vector<float>(n));
  return Problem{[=] { spectrum_warps<<<blocks, 128>>>(lines->data(), count, out->data(), n); },
                 [=] { return spectrum_right(out); }, [=] { clear(out); }};
}

inline Problem spectrum_lines_problem(unsigned n) {
  const unsigned count = spectrum_count(n);
  auto lines = array<SpectrumLine>(count, spectrum_line);
  auto out = array(std::vector<double>(n));
  return Problem{
      [=] { spectrum_lines<<<blocks_of(count, 64), 64>>>(lines->data(), count, out->data(), n); },
      [=] { return spectrum_right(out); }, [=] { clear(out); }};
}

inline void add_spectrum(Set& set) {
  const std::vector<unsigned> sizes = {3000, 200000, 2400000};
  set.add("spectrum_points", sizes, spectrum_points_problem);
  set.add("spectrum_tiles", sizes, spectrum_tiles_problem);
  set.add("spectrum_warps", sizes, spectrum_warps_problem);
  set.add("spectrum_lines", sizes, spectrum_lines_problem);
}

}  // namespace timing_set

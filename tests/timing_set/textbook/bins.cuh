// SPDX-License-Identifier: MIT
// Histograms: of measurements, in two thousand bins, with an atomic addition to global memory for
// each, and with a histogram for each block in shared memory; of the brightness of pixels, with
// one for each warp; and of a few labels, with counters for each thread, so that nothing but the
// sums is atomic.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kBinsMany = 2000;

__global__ void bins_global(unsigned* counts, const float* values, unsigned bins, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[static_cast<unsigned>(values[i] * bins)], 1u);
}

__global__ void bins_shared(unsigned* __restrict__ counts, const float* __restrict__ values,
                            unsigned bins, unsigned n) {
  extern __shared__ unsigned bins_of_block[];
  for (unsigned k = threadIdx.x; k < bins; k += blockDim.x) bins_of_block[k] = 0;
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins_of_block[static_cast<unsigned>(values[i] * bins)], 1u);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < bins; k += blockDim.x)
    if (bins_of_block[k] > 0) atomicAdd(&counts[k], bins_of_block[k]);
}

constexpr unsigned kBinsLevels = 256, kBinsWarps = 6;

__host__ __device__ inline unsigned bins_brightness(uchar4 pixel) {
  return (77u * pixel.x + 150u * pixel.y + 29u * pixel.z) >> 8;
}

__global__ void __launch_bounds__(32 * kBinsWarps)
    bins_warps(unsigned* counts, const uchar4* pixels, unsigned n) {
  __shared__ unsigned of_warps[kBinsWarps][kBinsLevels];
  unsigned* mine = of_warps[threadIdx.x / 32];
#pragma unroll
  for (unsigned k = threadIdx.x % 32; k < kBinsLevels; k += 32) mine[k] = 0;
  __syncwarp();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x)
    atomicAdd(mine + bins_brightness(pixels[i]), 1u);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < kBinsLevels; k += blockDim.x) {
    unsigned sum = 0;
    for (unsigned w = 0; w < kBinsWarps; ++w) sum += of_warps[w][k];
    atomicAdd(&counts[k], sum);
  }
}

constexpr int kBinsFew = 16;

// The counters of a thread lie a row apart: never two threads of a warp in the same bank.
template <int kThreads>
__global__ void bins_threads(unsigned* __restrict__ counts, const int4* __restrict__ labels,
                             unsigned quads) {
  __shared__ unsigned of_threads[kBinsFew][kThreads];
  for (int k = 0; k < kBinsFew; ++k) of_threads[k][threadIdx.x] = 0;
  for (unsigned i = thread_number(); i < quads; i += gridDim.x * kThreads) {
    const int4 four = labels[i];
    ++of_threads[four.x][threadIdx.x];
    ++of_threads[four.y][threadIdx.x];
    ++of_threads[four.z][threadIdx.x];
    ++of_threads[four.w][threadIdx.x];
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  for (int k = threadIdx.x / 32; k < kBinsFew; k += kThreads / 32) {
    unsigned sum = 0;
    for (int t = lane; t < kThreads; t += 32) sum += of_threads[k][t];
    sum = warp_sum(sum);
    if (lane == 0) atomicAdd(&counts[k], sum);
  }
}

inline Shared<unsigned> bins_cleared(unsigned bins) {
  auto counts = room<unsigned>(bins);
  clear(counts);
  return counts;
}

// Whether each bin holds as many of the n as fall into it.
template <class Bin>
bool bins_counted(const Shared<unsigned>& counts, unsigned n, Bin bin) {
  std::vector<unsigned> wanted(counts->size());
  for (unsigned i = 0; i < n; ++i) ++wanted[bin(i)];
  return counts->device.download() == wanted;
}

// The mean of three random numbers: a bell.
inline Shared<float> bins_measurements(unsigned n, unsigned seed) {
  return array<float>(n, [seed](unsigned i) {
    unsigned sum = 0;
    for (unsigned k = 0; k < 3; ++k) sum += mixed(3 * i + k + seed) >> 16;
    return static_cast<float>(sum / 3) / 65536;
  });
}
inline unsigned bins_of_value(float value) { return static_cast<unsigned>(value * kBinsMany); }

inline Problem bins_global_problem(unsigned n) {
  auto values = bins_measurements(n, 61);
  auto counts = bins_cleared(kBinsMany);
  return Problem{
      [=] { bins_global<<<blocks_of(n), kBlock>>>(counts->data(), values->data(), kBinsMany, n); },
      [=] {
        return bins_counted(counts, n, [&](unsigned i) { return bins_of_value(values->host[i]); });
      },
      [=] { clear(counts); }};
}

inline Problem bins_shared_problem(unsigned n) {
  auto values = bins_measurements(n, 62);
  auto counts = bins_cleared(kBinsMany);
  return Problem{
      [=] {
        bins_shared<<<std::min(blocks_of(n, 1024), 264u), 1024, kBinsMany * sizeof(unsigned)>>>(
            counts->data(), values->data(), kBinsMany, n);
      },
      [=] {
        return bins_counted(counts, n, [&](unsigned i) { return bins_of_value(values->host[i]); });
      },
      [=] { clear(counts); }};
}

// Patches of a picture, bright and dark, with a little noise on them; some are all white.
inline uchar4 bins_pixel(unsigned i) {
  const unsigned patch = mixed(i / 3000 + 63), noise = mixed(i + 64);
  if (patch % 8 == 0) return make_uchar4(255, 255, 255, 255);
  const auto channel = [&](unsigned k) {
    return static_cast<unsigned char>((patch >> (8 * k)) % 200 + (noise >> (8 * k)) % 32);
  };
  return make_uchar4(channel(1), channel(2), channel(3), 255);
}

inline Problem bins_warps_problem(unsigned n) {
  auto pixels = array<uchar4>(n, bins_pixel);
  auto counts = bins_cleared(kBinsLevels);
  constexpr unsigned kThreads = 32 * kBinsWarps;
  return Problem{[=] {
                   bins_warps<<<std::min(blocks_of(n, kThreads), 1056u), kThreads>>>(
                       counts->data(), pixels->data(), n);
                 },
                 [=] {
                   return bins_counted(
                       counts, n, [&](unsigned i) { return bins_brightness(pixels->host[i]); });
                 },
                 [=] { clear(counts); }};
}

inline Problem bins_threads_problem(unsigned n) {
  // The smaller of two random numbers: label 0 is the most frequent.
  auto labels = array<int>(n, [](unsigned i) {
    const unsigned random = mixed(i + 65);
    return std::min(random % kBinsFew, (random >> 8) % kBinsFew);
  });
  auto counts = bins_cleared(kBinsFew);
  constexpr int kThreads = 128;
  return Problem{
      [=] {
        bins_threads<kThreads><<<std::min(blocks_of(n / 4, kThreads), 792u), kThreads>>>(
            counts->data(), reinterpret_cast<const int4*>(labels->data()), n / 4);
      },
      [=] { return bins_counted(counts, n, [&](unsigned i) { return labels->host[i]; }); },
      [=] { clear(counts); }};
}

inline void add_bins(Set& set) {
  const std::vector<unsigned> sizes = {10000, 6000000, 16000000};  // multiples of four
  set.add("bins_global", sizes, bins_global_problem);
  set.add("bins_shared", sizes, bins_shared_problem);
  set.add("bins_warps", sizes, bins_warps_problem);
  set.add("bins_threads", sizes, bins_threads_problem);
}

}  // namespace timing_set

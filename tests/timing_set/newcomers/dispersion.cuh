// SPDX-License-Identifier: MIT
// The search for pulsars in a radio signal: pulses arrive later in lower channels, so for a dozen
// trial dispersions every sample is the sum over channels, each shifted by its delay. A thread per
// sample and trial on bytes, a thread per sample with all trials in registers on floats, tiles of
// bytes in shared memory read as 64-bit words, and eight lanes per sum where the channels of a time
// lie side by side, in half precision.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kDispersionChannels = 64, kDispersionTrials = 12;
constexpr unsigned kDispersionLongest = 336;  // no delay is longer

// Samples that the pulse is late by in a channel, for each step of the trials.
__host__ __device__ constexpr unsigned dispersion_slope(unsigned channel) {
  return 164000 / ((64 + channel) * (64 + channel)) - 10;
}
static __constant__ int kDispersionDelay[kDispersionTrials][kDispersionChannels];

__global__ void dispersion_plain(const unsigned char* signal, int* sums, unsigned n,
                                 unsigned pitch) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, trial = blockIdx.y;
  if (t >= n) return;
  int sum = 0;
  for (unsigned c = 0; c < kDispersionChannels; ++c)
    sum += signal[c * pitch + t + kDispersionDelay[trial][c]];
  sums[trial * n + t] = sum;
}

__global__ void __launch_bounds__(192)
    dispersion_trials(const float* __restrict__ signal, const int* __restrict__ slopes,
                      float* __restrict__ sums, unsigned n, unsigned pitch) {
  const unsigned t = thread_number();
  if (t >= n) return;
  float sum[kDispersionTrials] = {};
  for (unsigned c = 0; c < kDispersionChannels; ++c) {
    const unsigned slope = __ldg(&slopes[c]);
#pragma unroll
    for (unsigned k = 0; k < kDispersionTrials; ++k) sum[k] += signal[c * pitch + t + k * slope];
  }
#pragma unroll
  for (unsigned k = 0; k < kDispersionTrials; ++k) sums[k * n + t] = sum[k];
}

constexpr unsigned kDispersionTile = 128, kDispersionSome = 8;  // channels at a time
constexpr unsigned kDispersionSpan = kDispersionTile + kDispersionLongest;

// 64 x 4 threads, each for two times and three trials.
__global__ void __launch_bounds__(256)
    dispersion_tiles(const unsigned long long* signal, unsigned short* sums, unsigned n,
                     unsigned pitch) {
  __shared__ unsigned long long words[kDispersionSome][kDispersionSpan / 8];
  const unsigned first = blockIdx.x * kDispersionTile;
  const unsigned own = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned sum[3][2] = {};
  for (unsigned c0 = 0; c0 < kDispersionChannels; c0 += kDispersionSome) {
    __syncthreads();
    for (unsigned i = own; i < kDispersionSome * (kDispersionSpan / 8); i += 256) {
      const unsigned c = i / (kDispersionSpan / 8), word = i % (kDispersionSpan / 8);
      words[c][word] = signal[((c0 + c) * pitch + first) / 8 + word];
    }
    __syncthreads();
    for (unsigned c = 0; c < kDispersionSome; ++c) {
      const auto* bytes = reinterpret_cast<const unsigned char*>(words[c]);
      for (unsigned k = 0; k < 3; ++k) {
        const unsigned at = threadIdx.x + kDispersionDelay[3 * threadIdx.y + k][c0 + c];
        sum[k][0] += bytes[at];
        sum[k][1] += bytes[at + kDispersionTile / 2];
      }
    }
  }
  for (unsigned k = 0; k < 3; ++k)
    for (unsigned j = 0; j < 2; ++j) {
      const unsigned t = first + threadIdx.x + j * kDispersionTile / 2;
      if (t < n) sums[(3 * threadIdx.y + k) * n + t] = static_cast<unsigned short>(sum[k][j]);
    }
}

__global__ void dispersion_lanes(const __half* signal, float* sums, unsigned n) {
  const unsigned own = thread_number() / 8, lane = threadIdx.x % 8;
  const unsigned t = own / kDispersionTrials, trial = own % kDispersionTrials;
  float sum = 0;
  if (t < n)
    for (unsigned c = lane; c < kDispersionChannels; c += 8)
      sum += __half2float(
          signal[std::size_t{t + trial * dispersion_slope(c)} * kDispersionChannels + c]);
  for (int d = 4; d > 0; d /= 2) sum += __shfl_down_sync(kAll, sum, d, 8);
  if (t < n && lane == 0) sums[t * kDispersionTrials + trial] = sum;
}

inline unsigned dispersion_pitch(unsigned n) {  // whole tiles, and what the longest delay needs
  return blocks_of(n, kDispersionTile) * kDispersionTile + kDispersionLongest;
}
// Noise and a pulse now and then.
inline unsigned dispersion_signal(unsigned channel, unsigned time) {
  const unsigned sent = time - 7 * dispersion_slope(channel);
  return mixed(time * kDispersionChannels + channel) % 160 + (sent % 500 < 3 ? 80 : 0);
}
inline unsigned dispersion_wanted(unsigned trial, unsigned time) {
  unsigned sum = 0;
  for (unsigned c = 0; c < kDispersionChannels; ++c)
    sum += dispersion_signal(c, time + trial * dispersion_slope(c));
  return sum;
}
template <class T>
Shared<T> dispersion_rows(unsigned pitch) {
  return array<T>(kDispersionChannels * std::size_t{pitch}, [=](unsigned i) {
    return static_cast<T>(dispersion_signal(i / pitch, i % pitch));
  });
}
template <class T>
bool dispersion_right(const Shared<T>& sums, unsigned n) {
  return agrees(
      sums, [=](unsigned i) { return dispersion_wanted(i / n, i % n); }, 0);
}
inline void dispersion_upload() {
  int delay[kDispersionTrials][kDispersionChannels];
  for (unsigned k = 0; k < kDispersionTrials; ++k)
    for (unsigned c = 0; c < kDispersionChannels; ++c)
      delay[k][c] = static_cast<int>(k * dispersion_slope(c));
  COURSE_CHECK(cudaMemcpyToSymbol(kDispersionDelay, delay, sizeof delay));
}

inline Problem dispersion_plain_problem(unsigned n) {
  dispersion_upload();
  const unsigned pitch = dispersion_pitch(n);
  auto signal = dispersion_rows<unsigned char>(pitch);
  auto sums = room<int>(kDispersionTrials * std::size_t{n});
  return Problem{[=] {
                   dispersion_plain<<<dim3(blocks_of(n, 1024), kDispersionTrials), 1024>>>(
                       signal->data(), sums->data(), n, pitch);
                 },
                 [=] { return dispersion_right(sums, n); }};
}

inline Problem dispersion_trials_problem(unsigned n) {
  const unsigned pitch = dispersion_pitch(n);
  auto signal = dispersion_rows<float>(pitch);
  auto slopes = array<int>(kDispersionChannels, dispersion_slope);
  auto sums = room<float>(kDispersionTrials * std::size_t{n});
  return Problem{[=] {
                   dispersion_trials<<<blocks_of(n, 192), 192>>>(signal->data(), slopes->data(),
                                                                 sums->data(), n, pitch);
                 },
                 [=] { return dispersion_right(sums, n); }};
}

inline Problem dispersion_tiles_problem(unsigned n) {
  dispersion_upload();
  const unsigned pitch = dispersion_pitch(n);
  auto signal = dispersion_rows<unsigned char>(pitch);
  auto sums = room<unsigned short>(kDispersionTrials * std::size_t{n});
  return Problem{[=] {
                   dispersion_tiles<<<blocks_of(n, kDispersionTile), dim3(64, 4)>>>(
                       reinterpret_cast<const unsigned long long*>(signal->data()), sums->data(), n,
                       pitch);
                 },
                 [=] { return dispersion_right(sums, n); }};
}

inline Problem dispersion_lanes_problem(unsigned n) {
  auto signal =
      array<__half>(kDispersionChannels * std::size_t{dispersion_pitch(n)}, [](unsigned i) {
        return __half(static_cast<float>(
            dispersion_signal(i % kDispersionChannels, i / kDispersionChannels)));
      });
  auto sums = room<float>(kDispersionTrials * std::size_t{n});
  return Problem{[=] {
                   const std::size_t threads = std::size_t{8} * kDispersionTrials * n;
                   dispersion_lanes<<<blocks_of(threads), kBlock>>>(signal->data(), sums->data(),
                                                                    n);
                 },
                 [=] {
                   const auto wanted = [](unsigned i) {
                     return dispersion_wanted(i % kDispersionTrials, i / kDispersionTrials);
                   };
                   return agrees(sums, wanted, 0);
                 }};
}

inline void add_dispersion(Set& set) {
  const std::vector<unsigned> sizes = {900, 20000, 180000};
  set.add("dispersion_plain", sizes, dispersion_plain_problem);
  set.add("dispersion_trials", sizes, dispersion_trials_problem);
  set.add("dispersion_tiles", sizes, dispersion_tiles_problem);
  set.add("dispersion_lanes", sizes, dispersion_lanes_problem);
}

}  // namespace timing_set

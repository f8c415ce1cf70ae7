// SPDX-License-Identifier: MIT
// Ultrasound images by delay and sum over 64 channels: a thread per pixel that computes its delays;
// delays read from a large table, of 16-bit samples; a warp per pixel with channels interleaved,
// complex samples in half precision and a turn of phase; and a block per column of the image, which
// brings channel after channel to shared memory and has four pixels per thread.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kBeamformChannels = 64, kBeamformSamples = 2048, kBeamformRows = 256;
constexpr unsigned kBeamformThreads = 64, kBeamformEach = kBeamformRows / kBeamformThreads;
constexpr float kBeamformTurn = 0.8f;  // of phase, per sample

// When a pixel's echo comes, in samples: below kBeamformSamples - 1 all over the image.
__host__ __device__ inline float beamform_delay(unsigned column, unsigned row, unsigned channel,
                                                float pitch) {
  const float x = (column + 0.5f) * pitch - 20, z = 5 + row * 0.15f;
  const float across = x - (channel - 31.5f) * 0.3f;
  return 20 * (z + sqrtf(across * across + z * z));
}

__global__ void beamform_pixels(const float* signal, float* image, unsigned columns, float pitch) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= columns || row >= kBeamformRows) return;
  float sum = 0;
  for (unsigned c = 0; c < kBeamformChannels; ++c) {
    const float delay = beamform_delay(column, row, c, pitch);
    const int before = (int)floorf(delay);
    const float part = delay - before;
    const float* s = signal + c * kBeamformSamples + before;
    sum += (1 - part) * s[0] + part * s[1];
  }
  image[row * columns + column] = sum;
}

__global__ void beamform_table(const short* __restrict__ signal,
                               const unsigned short* __restrict__ delays, int* __restrict__ image,
                               unsigned pixels) {
  const unsigned p = thread_number();
  if (p >= pixels) return;
  int sum = 0;
#pragma unroll 8
  for (unsigned c = 0; c < kBeamformChannels; ++c)
    sum += signal[c * kBeamformSamples + delays[c * pixels + p]];
  image[p] = sum;
}

__global__ void beamform_warp(const __half2* __restrict__ signal, float* __restrict__ image,
                              unsigned columns, float pitch) {
  const unsigned lane = threadIdx.x % 32, p = thread_number() / 32;
  const unsigned row = p / columns, column = p % columns;
  if (row >= kBeamformRows) return;
  float re = 0, im = 0;
  for (unsigned c = lane; c < kBeamformChannels; c += 32) {
    const float delay = beamform_delay(column, row, c, pitch);
    const unsigned before = static_cast<unsigned>(delay);
    const float part = delay - before;
    const float2 a = __half22float2(signal[before * kBeamformChannels + c]);
    const float2 b = __half22float2(signal[(before + 1) * kBeamformChannels + c]);
    const float x = a.x + part * (b.x - a.x), y = a.y + part * (b.y - a.y);
    float sine, cosine;
    sincosf(kBeamformTurn * delay, &sine, &cosine);
    re += x * cosine - y * sine;
    im += x * sine + y * cosine;
  }
  re = warp_sum(re);
  im = warp_sum(im);
  if (lane == 0) image[p] = sqrtf(re * re + im * im);
}

__global__ void __launch_bounds__(kBeamformThreads)
    beamform_column(const float4* __restrict__ signal, float* __restrict__ image, unsigned columns,
                    float pitch) {
  __shared__ float4 channel[kBeamformSamples / 4];
  const float* samples = reinterpret_cast<const float*>(channel);
  float sum[kBeamformEach] = {};
  for (unsigned c = 0; c < kBeamformChannels; ++c) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kBeamformSamples / 4; i += kBeamformThreads)
      channel[i] = signal[c * (kBeamformSamples / 4) + i];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kBeamformEach; ++k) {
      const float delay = beamform_delay(blockIdx.x, k * kBeamformThreads + threadIdx.x, c, pitch);
      const unsigned before = static_cast<unsigned>(delay);
      const float part = delay - before;
      sum[k] += (1 - part) * samples[before] + part * samples[before + 1];
    }
  }
#pragma unroll
  for (unsigned k = 0; k < kBeamformEach; ++k)
    image[(k * kBeamformThreads + threadIdx.x) * columns + blockIdx.x] = sum[k];
}

inline float beamform_pitch(unsigned columns) { return 40.0f / columns; }

inline double beamform_wanted(const Shared<float>& signal, unsigned columns, unsigned p) {
  double sum = 0;
  for (unsigned c = 0; c < kBeamformChannels; ++c) {
    const float delay = beamform_delay(p % columns, p / columns, c, beamform_pitch(columns));
    const unsigned before = static_cast<unsigned>(delay);
    const float* s = &signal->host[c * kBeamformSamples + before];
    sum += s[0] + (delay - before) * (s[1] - s[0]);
  }
  return sum;
}

inline Problem beamform_pixels_problem(unsigned columns) {
  auto signal = uniform(kBeamformChannels * kBeamformSamples, 51);
  auto image = room<float>(columns * kBeamformRows);
  const auto wanted = [=](unsigned p) { return beamform_wanted(signal, columns, p); };
  return Problem{[=] {
                   const dim3 grid(blocks_of(columns, 16), blocks_of(kBeamformRows, 16));
                   beamform_pixels<<<grid, dim3(16, 16)>>>(signal->data(), image->data(), columns,
                                                           beamform_pitch(columns));
                 },
                 [=] { return agrees(image, wanted, 1e-3); }};
}

inline Problem beamform_table_problem(unsigned columns) {
  const unsigned pixels = columns * kBeamformRows;
  auto signal = array<short>(kBeamformChannels * kBeamformSamples,
                             [](unsigned i) { return int(mixed(i + 61) % 8192) - 4096; });
  auto delays = array<unsigned short>(std::size_t(pixels) * kBeamformChannels, [=](unsigned i) {
    const unsigned p = i % pixels;
    return beamform_delay(p % columns, p / columns, i / pixels, beamform_pitch(columns)) + 0.5f;
  });
  auto image = room<int>(pixels);
  const auto wanted = [=](unsigned p) {
    int sum = 0;
    for (unsigned c = 0; c < kBeamformChannels; ++c)
      sum += signal->host[c * kBeamformSamples + delays->host[c * pixels + p]];
    return sum;
  };
  return Problem{[=] {
                   beamform_table<<<blocks_of(pixels, 1024), 1024>>>(signal->data(), delays->data(),
                                                                     image->data(), pixels);
                 },
                 [=] { return agrees(image, wanted, 1e-9); }};
}

inline Problem beamform_warp_problem(unsigned columns) {
  auto signal = array<__half>(kBeamformChannels * kBeamformSamples * 2, [](unsigned i) {
    return __half(float(int(mixed(i + 71) % 512) - 256) / 256);
  });
  auto image = room<float>(columns * kBeamformRows);
  const auto wanted = [=](unsigned p) {
    double re = 0, im = 0;
    for (unsigned c = 0; c < kBeamformChannels; ++c) {
      const float delay = beamform_delay(p % columns, p / columns, c, beamform_pitch(columns));
      const unsigned before = static_cast<unsigned>(delay);
      const auto part = [&](unsigned which) {
        const auto at = [&](unsigned sample) {
          return double(__half2float(signal->host[(sample * kBeamformChannels + c) * 2 + which]));
        };
        return at(before) + (delay - before) * (at(before + 1) - at(before));
      };
      const double angle = double(kBeamformTurn * delay);
      re += part(0) * std::cos(angle) - part(1) * std::sin(angle);
      im += part(0) * std::sin(angle) + part(1) * std::cos(angle);
    }
    return std::sqrt(re * re + im * im);
  };
  return Problem{[=] {
                   beamform_warp<<<columns * kBeamformRows / 4, 128>>>(
                       reinterpret_cast<const __half2*>(signal->data()), image->data(), columns,
                       beamform_pitch(columns));
                 },
                 [=] { return agrees(image, wanted, 3e-3); }};
}

inline Problem beamform_column_problem(unsigned columns) {
  auto signal = uniform(kBeamformChannels * kBeamformSamples, 51);
  auto image = room<float>(columns * kBeamformRows);
  const auto wanted = [=](unsigned p) { return beamform_wanted(signal, columns, p); };
  return Problem{[=] {
                   beamform_column<<<columns, kBeamformThreads>>>(
                       reinterpret_cast<const float4*>(signal->data()), image->data(), columns,
                       beamform_pitch(columns));
                 },
                 [=] { return agrees(image, wanted, 1e-3); }};
}

inline void add_beamform(Set& set) {
  const std::vector<unsigned> sizes = {6, 100, 1500};  // columns of the image
  set.add("beamform_pixels", sizes, beamform_pixels_problem);
  set.add("beamform_table", sizes, beamform_table_problem);
  set.add("beamform_warp", {6, 100, 900}, beamform_warp_problem);
  set.add("beamform_column", sizes, beamform_column_problem);
}

}  // namespace timing_set

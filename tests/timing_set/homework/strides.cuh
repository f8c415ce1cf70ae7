// SPDX-License-Identifier: MIT
// Copies of n elements that do not lie side by side: every third float, ints from an odd offset,
// doubles in reverse (through shared memory), and the colours of n pixels of an image into planes.
#pragma once
#include "../set.cuh"

namespace timing_set {

// One column of a matrix with three.
__global__ void strides_third(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[3 * i + 1];
}

__global__ void strides_shifted(const int* __restrict__ in, int* __restrict__ out, unsigned offset,
                                unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i + offset];
}

constexpr unsigned kStridesTile = 512;
__global__ void strides_reversed(const double* in, double* out, unsigned n) {
  __shared__ double tile[kStridesTile];
  const unsigned first = blockIdx.x * kStridesTile;
  const unsigned count = min(kStridesTile, n - first);
  if (threadIdx.x < count) tile[threadIdx.x] = in[first + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < count) out[n - first - count + threadIdx.x] = tile[count - 1 - threadIdx.x];
}

// red green blue red green blue ... becomes all red, all green, all blue.
__global__ void strides_planes(const unsigned char* pixels, unsigned char* planes, int width,
                               int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const int pixel = row * width + column;
  const int plane = width * height;
  planes[pixel] = pixels[3 * pixel];
  planes[plane + pixel] = pixels[3 * pixel + 1];
  planes[2 * plane + pixel] = pixels[3 * pixel + 2];
}

constexpr unsigned kStridesWidth = 1270;  // of the image

inline void add_strides(Set& set) {
  const std::vector<unsigned> sizes = {kStridesWidth * 600, kStridesWidth * 7000};
  set.add("strides_third", sizes, [](unsigned n) {
    auto in = uniform(3 * n, 1), out = room<float>(n);
    return Problem{[=] { strides_third<<<blocks_of(n, 256), 256>>>(in->data(), out->data(), n); },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return in->host[3 * i + 1]; }, 0);
                   }};
  });
  set.add("strides_shifted", sizes, [](unsigned n) {
    const unsigned offset = 13;
    auto in = array<int>(n + offset, [](unsigned i) { return mixed(i) >> 8; });
    auto out = room<int>(n);
    return Problem{[=] { strides_shifted<<<16 * 132, 128>>>(in->data(), out->data(), offset, n); },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return in->host[i + offset]; }, 0);
                   }};
  });
  set.add("strides_reversed", sizes, [](unsigned n) {
    auto in = uniform<double>(n, 2), out = room<double>(n);
    return Problem{[=] {
                     strides_reversed<<<blocks_of(n, kStridesTile), kStridesTile>>>(in->data(),
                                                                                    out->data(), n);
                   },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return in->host[n - 1 - i]; }, 0);
                   }};
  });
  set.add("strides_planes", sizes, [](unsigned n) {
    const unsigned height = n / kStridesWidth;
    auto in = array<unsigned char>(3 * n, [](unsigned i) { return mixed(i) & 255; });
    auto out = room<unsigned char>(3 * n);
    return Problem{[=] {
                     const dim3 block(32, 8);
                     const dim3 grid(blocks_of(kStridesWidth, 32), blocks_of(height, 8));
                     strides_planes<<<grid, block>>>(in->data(), out->data(), kStridesWidth,
                                                     height);
                   },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return in->host[3 * (i % n) + i / n]; }, 0);
                   }};
  });
}

}  // namespace timing_set

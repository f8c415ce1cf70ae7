// SPDX-License-Identifier: MIT
// The layers of a small convolutional network, on one image that is stored channel by channel: 3x3 from 8 to 16 channels
// with four pixels to a thread and weights in shared memory, and with eight channels to a thread, the image in tiles in
// shared memory and weights in constant memory; 1x1 from 32 to 32 channels; and 3x3 in each channel by itself, where a
// thread goes down a column of the image. Outside of the image is zero.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr int kConvnetsIn = 8, kConvnetsOut = 16;  // channels of the 3x3 layers
constexpr int kConvnetsWide = 32;                  // channels of the 1x1 layer, in and out
constexpr int kConvnetsDeep = 24;                  // channels of the depthwise layer
constexpr int kConvnetsDown = 8;                   // pixels that a thread of it goes down

__constant__ float convnets_full[kConvnetsOut * kConvnetsIn * 9];
__constant__ float convnets_mix[kConvnetsWide * kConvnetsWide];  // all outputs of an input together
__constant__ float convnets_each[kConvnetsDeep * 9];

// Blocks of 32x4 for 128x4 pixels of one output channel.
__global__ void convnets_row(const float* in, const float* weights, const float* bias, float* out,
                             int width, int height) {
  __shared__ float filter[kConvnetsIn * 9];
  const int channel = blockIdx.z;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < kConvnetsIn * 9; i += 128)
    filter[i] = weights[channel * kConvnetsIn * 9 + i];
  __syncthreads();
  const int x0 = (blockIdx.x * 32 + threadIdx.x) * 4, y = blockIdx.y * 4 + threadIdx.y;
  if (x0 >= width || y >= height) return;
  float sum[4];
  for (int p = 0; p < 4; ++p) sum[p] = bias[channel];
  for (int c = 0; c < kConvnetsIn; ++c) {
    for (int dy = 0; dy < 3; ++dy) {
      const int row = y + dy - 1;
      if (row < 0 || row >= height) continue;
      const float* line = in + (c * height + row) * width;
      float near[6];
      for (int i = 0; i < 6; ++i) {
        const int x = x0 + i - 1;
        near[i] = x >= 0 && x < width ? line[x] : 0;
      }
      for (int dx = 0; dx < 3; ++dx)
        for (int p = 0; p < 4; ++p) sum[p] += filter[c * 9 + dy * 3 + dx] * near[p + dx];
    }
  }
  for (int p = 0; p < 4; ++p)
    if (x0 + p < width) out[(channel * height + y) * width + x0 + p] = fmaxf(sum[p], 0);
}

// Blocks of 16x16 pixels for eight output channels.
__global__ void __launch_bounds__(256)
    convnets_tile(const float* __restrict__ in, const float* __restrict__ bias,
                  float* __restrict__ out, int width, int height) {
  __shared__ float tile[18][18];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const int channel = blockIdx.z * 8;
  float sum[8];
  for (int k = 0; k < 8; ++k) sum[k] = bias[channel + k];
  for (int c = 0; c < kConvnetsIn; ++c) {
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
      const int column = static_cast<int>(blockIdx.x * 16) + i % 18 - 1;
      const int row = static_cast<int>(blockIdx.y * 16) + i / 18 - 1;
      const bool inside = column >= 0 && column < width && row >= 0 && row < height;
      tile[i / 18][i % 18] = inside ? in[(c * height + row) * width + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int t = 0; t < 9; ++t) {
      const float value = tile[threadIdx.y + t / 3][threadIdx.x + t % 3];
#pragma unroll
      for (int k = 0; k < 8; ++k)
        sum[k] += convnets_full[((channel + k) * kConvnetsIn + c) * 9 + t] * value;
    }
    __syncthreads();
  }
  if (x >= width || y >= height) return;
  for (int k = 0; k < 8; ++k) out[((channel + k) * height + y) * width + x] = fmaxf(sum[k], 0);
}

// A pixel and eight of the 32 output channels to a thread.
__global__ void convnets_point(const float* in, const float* bias, float* out, unsigned pixels) {
  const unsigned pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned channel = blockIdx.y * 8;
  if (pixel >= pixels) return;
  float sum[8];
  for (int k = 0; k < 8; ++k) sum[k] = bias[channel + k];
  for (int c = 0; c < kConvnetsWide; ++c) {
    const float value = in[c * pixels + pixel];
    for (int k = 0; k < 8; ++k) sum[k] += convnets_mix[c * kConvnetsWide + channel + k] * value;
  }
  for (int k = 0; k < 8; ++k) out[(channel + k) * pixels + pixel] = fmaxf(sum[k], 0);
}

__device__ inline float3 convnets_three(const float* plane, int x, int y, int width, int height) {
  if (y < 0 || y >= height) return make_float3(0, 0, 0);
  const float* line = plane + y * width;
  return make_float3(x > 0 ? line[x - 1] : 0, line[x], x + 1 < width ? line[x + 1] : 0);
}

__global__ void convnets_depth(const float* in, const float* bias, float* out, int width,
                               int height) {
  const int x = blockIdx.x * 64 + threadIdx.x;
  const int top = (blockIdx.y * 2 + threadIdx.y) * kConvnetsDown;
  const int channel = blockIdx.z;
  if (x >= width) return;
  const float* plane = in + channel * width * height;
  const float* w = convnets_each + channel * 9;
  float3 above = convnets_three(plane, x, top - 1, width, height);
  float3 here = convnets_three(plane, x, top, width, height);
  for (int y = top; y < min(top + kConvnetsDown, height); ++y) {
    const float3 below = convnets_three(plane, x, y + 1, width, height);
    float sum = bias[channel];
    sum += w[0] * above.x + w[1] * above.y + w[2] * above.z;
    sum += w[3] * here.x + w[4] * here.y + w[5] * here.z;
    sum += w[6] * below.x + w[7] * below.y + w[8] * below.z;
    out[(channel * height + y) * width + x] = fmaxf(sum, 0);
    above = here;
    here = below;
  }
}

// Images are three quarters as high as they are wide.
struct ConvnetsLayer {
  int width, height;
  Shared<float> in, weights, bias, out;

  ConvnetsLayer(unsigned w, unsigned channels, unsigned outputs, std::size_t weight_count)
      : width(static_cast<int>(w)), height(static_cast<int>(w * 3 / 4)) {
    const std::size_t pixels = static_cast<std::size_t>(width) * height;
    in = uniform(pixels * channels, 31);
    weights = array<float>(weight_count,
                           [](unsigned i) { return (int(mixed(i + 77) % 33) - 16) / 16.0f; });
    bias = uniform(outputs, 32);
    out = room<float>(pixels * outputs);
  }
  double at(int c, int y, int x) const {
    if (x < 0 || x >= width || y < 0 || y >= height) return 0;
    return in->host[(c * height + y) * width + x];
  }
  // The 3x3 piece around (x, y) of channel c, by the nine weights from `first` on.
  double nine(int c, int y, int x, int first) const {
    double sum = 0;
    for (int t = 0; t < 9; ++t)
      sum += weights->host[first + t] * at(c, y + t / 3 - 1, x + t % 3 - 1);
    return sum;
  }
  // sum(output channel, y, x), before the bias and the rectifier
  template <class Sum>
  bool right(Sum sum) const {
    return agrees(out, [&](unsigned i) {
      const int pixel = static_cast<int>(i) % (width * height);
      const int k = static_cast<int>(i) / (width * height);
      return std::max(0.0, bias->host[k] + sum(k, pixel / width, pixel % width));
    });
  }
  bool full_right() const {
    return right([this](int k, int y, int x) {
      double sum = 0;
      for (int c = 0; c < kConvnetsIn; ++c) sum += nine(c, y, x, (k * kConvnetsIn + c) * 9);
      return sum;
    });
  }
};

inline Problem convnets_row_problem(unsigned width) {
  const ConvnetsLayer layer(width, kConvnetsIn, kConvnetsOut, kConvnetsOut * kConvnetsIn * 9);
  return Problem{[=] {
                   const dim3 grid(blocks_of(width, 128), blocks_of(layer.height, 4), kConvnetsOut);
                   convnets_row<<<grid, dim3(32, 4)>>>(layer.in->data(), layer.weights->data(),
                                                       layer.bias->data(), layer.out->data(),
                                                       layer.width, layer.height);
                 },
                 [=] { return layer.full_right(); }};
}

inline Problem convnets_tile_problem(unsigned width) {
  const ConvnetsLayer layer(width, kConvnetsIn, kConvnetsOut, kConvnetsOut * kConvnetsIn * 9);
  COURSE_CHECK(cudaMemcpyToSymbol(convnets_full, layer.weights->host.data(), sizeof convnets_full));
  return Problem{
      [=] {
        const dim3 grid(blocks_of(width, 16), blocks_of(layer.height, 16), kConvnetsOut / 8);
        convnets_tile<<<grid, dim3(16, 16)>>>(layer.in->data(), layer.bias->data(),
                                              layer.out->data(), layer.width, layer.height);
      },
      [=] { return layer.full_right(); }};
}

inline Problem convnets_point_problem(unsigned width) {
  const ConvnetsLayer layer(width, kConvnetsWide, kConvnetsWide, kConvnetsWide * kConvnetsWide);
  COURSE_CHECK(cudaMemcpyToSymbol(convnets_mix, layer.weights->host.data(), sizeof convnets_mix));
  const unsigned pixels = static_cast<unsigned>(layer.width * layer.height);
  return Problem{[=] {
                   convnets_point<<<dim3(blocks_of(pixels, 128), kConvnetsWide / 8), 128>>>(
                       layer.in->data(), layer.bias->data(), layer.out->data(), pixels);
                 },
                 [=] {
                   return layer.right([&](int k, int y, int x) {
                     double sum = 0;
                     for (int c = 0; c < kConvnetsWide; ++c)
                       sum += layer.weights->host[c * kConvnetsWide + k] * layer.at(c, y, x);
                     return sum;
                   });
                 }};
}

inline Problem convnets_depth_problem(unsigned width) {
  const ConvnetsLayer layer(width, kConvnetsDeep, kConvnetsDeep, kConvnetsDeep * 9);
  COURSE_CHECK(cudaMemcpyToSymbol(convnets_each, layer.weights->host.data(), sizeof convnets_each));
  return Problem{
      [=] {
        const dim3 grid(blocks_of(width, 64), blocks_of(layer.height, 2 * kConvnetsDown),
                        kConvnetsDeep);
        convnets_depth<<<grid, dim3(64, 2)>>>(layer.in->data(), layer.bias->data(),
                                              layer.out->data(), layer.width, layer.height);
      },
      [=] { return layer.right([&](int k, int y, int x) { return layer.nine(k, y, x, k * 9); }); }};
}

inline void add_convnets(Set& set) {
  const std::vector<unsigned> sizes = {41, 203, 450};  // widths
  set.add("convnets_row", sizes, convnets_row_problem);
  set.add("convnets_tile", sizes, convnets_tile_problem);
  set.add("convnets_point", {50, 230, 560}, convnets_point_problem);
  set.add("convnets_depth", {60, 263, 725}, convnets_depth_problem);
}

}  // namespace timing_set

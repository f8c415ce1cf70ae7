// SPDX-License-Identifier: MIT
// Convs: filters an image of n columns and 3n/4 rows, of floats or bytes, by 5 x 5 weights, or each
// row by 9 (one pass of a separable filter). What lies outside the image counts as 0.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kConvsSide = 5, kConvsReach = 2;  // of the filter in two dimensions
constexpr int kConvsTaps = 9;                   // of the filter along a row
static __constant__ float convs_weights[kConvsSide * kConvsSide];
static __constant__ int convs_parts[kConvsSide * kConvsSide];  // of 256
static __constant__ float convs_taps[kConvsTaps];

// A pixel by each thread, image and weights in global memory.
__global__ void convs_naive(const float* image, const float* weights, float* out, int width,
                            int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = 0; dy < kConvsSide; ++dy)
    for (int dx = 0; dx < kConvsSide; ++dx) {
      const int from_x = x + dx - kConvsReach, from_y = y + dy - kConvsReach;
      if (from_x >= 0 && from_x < width && from_y >= 0 && from_y < height)
        sum += weights[dy * kConvsSide + dx] * image[from_y * width + from_x];
    }
  out[y * width + x] = sum;
}

// Bytes, in whole numbers; weights in constant memory.
__global__ void convs_bytes(const unsigned char* __restrict__ image,
                            unsigned char* __restrict__ out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 128;
  for (int dy = 0; dy < kConvsSide; ++dy) {
    const int from_y = y + dy - kConvsReach;
    if (from_y < 0 || from_y >= height) continue;
    for (int dx = 0; dx < kConvsSide; ++dx) {
      const int from_x = x + dx - kConvsReach;
      if (from_x >= 0 && from_x < width)
        sum += convs_parts[dy * kConvsSide + dx] * image[from_y * width + from_x];
    }
  }
  out[y * width + x] = sum / 256;
}

// A tile of the image with what surrounds it in shared memory, weights in constant memory.
constexpr int kConvsTileX = 32, kConvsTileY = 16;
__global__ void convs_tile(const float* image, float* out, int width, int height) {
  constexpr int kWide = kConvsTileX + 2 * kConvsReach, kHigh = kConvsTileY + 2 * kConvsReach;
  __shared__ float tile[kHigh][kWide];
  const int left = blockIdx.x * kConvsTileX, top = blockIdx.y * kConvsTileY;
  for (int ty = threadIdx.y; ty < kHigh; ty += kConvsTileY)
    for (int tx = threadIdx.x; tx < kWide; tx += kConvsTileX) {
      const int x = left + tx - kConvsReach, y = top + ty - kConvsReach;
      const bool inside = x >= 0 && x < width && y >= 0 && y < height;
      tile[ty][tx] = inside ? image[y * width + x] : 0;
    }
  __syncthreads();
  const int x = left + threadIdx.x, y = top + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
#pragma unroll
  for (int dy = 0; dy < kConvsSide; ++dy)
#pragma unroll
    for (int dx = 0; dx < kConvsSide; ++dx)
      sum += convs_weights[dy * kConvsSide + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
  out[y * width + x] = sum;
}

// Along the rows: a stretch of a row with its ends in shared memory.
constexpr int kConvsStretch = 128;
__global__ void convs_row(const float* image, float* out, int width) {
  constexpr int kReach = kConvsTaps / 2;
  __shared__ float stretch[kConvsStretch + 2 * kReach];
  const float* row = image + blockIdx.y * width;
  const int first = blockIdx.x * kConvsStretch - kReach;
  for (int i = threadIdx.x; i < kConvsStretch + 2 * kReach; i += kConvsStretch)
    stretch[i] = first + i >= 0 && first + i < width ? row[first + i] : 0;
  __syncthreads();
  const int x = blockIdx.x * kConvsStretch + threadIdx.x;
  if (x >= width) return;
  float sum = 0;
  for (int k = 0; k < kConvsTaps; ++k) sum += convs_taps[k] * stretch[threadIdx.x + k];
  out[blockIdx.y * width + x] = sum;
}

inline float convs_weight(unsigned i) { return mixed(i + 77) % 64 / 1024.f; }
inline int convs_part(unsigned i) {  // 1 4 6 4 1 times 1 4 6 4 1: the sum of all is 256
  constexpr int line[] = {1, 4, 6, 4, 1};
  return line[i / kConvsSide] * line[i % kConvsSide];
}

// The sum around pixel i of the image by weights `wide` x `high`, weight(0) at the upper left.
template <class T, class Weight>
double convs_sum(const std::vector<T>& image, int width, int i, int wide, int high, Weight weight) {
  const int height = static_cast<int>(image.size()) / width;
  double sum = 0;
  for (int dy = 0; dy < high; ++dy)
    for (int dx = 0; dx < wide; ++dx) {
      const int x = i % width + dx - wide / 2, y = i / width + dy - high / 2;
      if (x >= 0 && x < width && y >= 0 && y < height)
        sum += static_cast<double>(weight(dy * wide + dx)) * image[y * width + x];
    }
  return sum;
}
// The same as a function of i only, for `agrees`.
template <class T, class Weight>
auto convs_wanted(const Shared<T>& image, int width, int wide, int high, Weight weight) {
  return [=](unsigned i) { return convs_sum(image->host, width, i, wide, high, weight); };
}

// Puts weight(0), weight(1) ... into an array in constant memory.
template <class T, std::size_t count, class Weight>
void convs_fill(const T (&symbol)[count], Weight weight) {
  std::vector<T> values(count);
  for (unsigned i = 0; i < count; ++i) values[i] = weight(i);
  COURSE_CHECK(cudaMemcpyToSymbol(symbol, values.data(), count * sizeof(T)));
}

inline void add_convs(Set& set) {
  const std::vector<unsigned> sizes = {300, 2222};
  set.add("convs_naive", sizes, [](unsigned n) {
    const unsigned height = n * 3 / 4;
    auto image = uniform(n * height, 1), out = room<float>(n * height);
    auto weights = array<float>(kConvsSide * kConvsSide, convs_weight);
    return Problem{[=] {
                     convs_naive<<<dim3(blocks_of(n, 16), blocks_of(height, 16)), dim3(16, 16)>>>(
                         image->data(), weights->data(), out->data(), n, height);
                   },
                   [=] { return agrees(out, convs_wanted(image, n, 5, 5, convs_weight)); }};
  });
  set.add("convs_bytes", sizes, [](unsigned n) {
    const unsigned height = n * 3 / 4;
    auto image = array<unsigned char>(n * height, [](unsigned i) { return mixed(i) % 256; });
    auto out = room<unsigned char>(n * height);
    convs_fill(convs_parts, convs_part);
    return Problem{[=] {
                     convs_bytes<<<dim3(blocks_of(n, 64), blocks_of(height, 4)), dim3(64, 4)>>>(
                         image->data(), out->data(), n, height);
                   },
                   [=] {
                     const auto sum = convs_wanted(image, n, 5, 5, convs_part);
                     return agrees(
                         out, [=](unsigned i) { return std::floor((sum(i) + 128) / 256); }, 0);
                   }};
  });
  set.add("convs_tile", sizes, [](unsigned n) {
    const unsigned height = n * 3 / 4;
    auto image = uniform(n * height, 1), out = room<float>(n * height);
    convs_fill(convs_weights, convs_weight);
    return Problem{[=] {
                     const dim3 grid(blocks_of(n, kConvsTileX), blocks_of(height, kConvsTileY));
                     convs_tile<<<grid, dim3(kConvsTileX, kConvsTileY)>>>(image->data(),
                                                                          out->data(), n, height);
                   },
                   [=] { return agrees(out, convs_wanted(image, n, 5, 5, convs_weight)); }};
  });
  set.add("convs_row", sizes, [](unsigned n) {
    const unsigned height = n * 3 / 4;
    auto image = uniform(n * height, 1), out = room<float>(n * height);
    convs_fill(convs_taps, convs_weight);
    return Problem{
        [=] {
          convs_row<<<dim3(blocks_of(n, kConvsStretch), height), kConvsStretch>>>(image->data(),
                                                                                  out->data(), n);
        },
        [=] { return agrees(out, convs_wanted(image, n, kConvsTaps, 1, convs_weight)); }};
  });
}

}  // namespace timing_set

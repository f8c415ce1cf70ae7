// SPDX-License-Identifier: MIT
// Filters of images: a blur by five times five weights in constant memory, one thread a pixel; the
// two passes of a separable blur, rows by way of shared memory and columns by a window in
// registers; and edges of an image of bytes, four pixels a thread. Beyond the border the nearest
// pixel counts.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr int kConvolveNear = 2;  // the reach of convolve_pixels
constexpr int kConvolveFar = 8;   // of the separable blur
constexpr int kConvolveTaps = 2 * kConvolveFar + 1;
constexpr int kConvolveSpan = 128, kConvolveLines = 4;  // the tile of convolve_along
constexpr int kConvolveRun = 16;                        // pixels of a thread of convolve_columns

static __constant__ float convolve_square[25];
static __constant__ float convolve_taps[kConvolveTaps];

__host__ __device__ inline int convolve_clamped(int i, int n) {
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

__global__ void convolve_pixels(const float* image, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -kConvolveNear; dy <= kConvolveNear; ++dy)
    for (int dx = -kConvolveNear; dx <= kConvolveNear; ++dx) {
      const int from_x = convolve_clamped(x + dx, width);
      const int from_y = convolve_clamped(y + dy, height);
      sum += convolve_square[(dy + kConvolveNear) * 5 + dx + kConvolveNear] *
             image[from_y * width + from_x];
    }
  out[y * width + x] = sum;
}

__global__ void convolve_along(const float* __restrict__ image, float* __restrict__ out, int width,
                               int height) {
  __shared__ float tile[kConvolveLines][kConvolveSpan + 2 * kConvolveFar];
  const int left = blockIdx.x * kConvolveSpan;
  const int y = blockIdx.y * kConvolveLines + threadIdx.y;
  float* line = tile[threadIdx.y];
  if (y < height)
    for (int c = threadIdx.x; c < kConvolveSpan + 2 * kConvolveFar; c += 32)
      line[c] = image[y * width + convolve_clamped(left + c - kConvolveFar, width)];
  __syncthreads();
  if (y >= height) return;
  for (int c = threadIdx.x; c < kConvolveSpan && left + c < width; c += 32) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kConvolveTaps; ++k) sum += convolve_taps[k] * line[c + k];
    out[y * width + left + c] = sum;
  }
}

__global__ void __launch_bounds__(64)
    convolve_columns(const float* __restrict__ image, float* __restrict__ out, int width,
                     int height) {
  const int x = blockIdx.x * 64 + threadIdx.x;
  const int first = blockIdx.y * kConvolveRun;
  if (x >= width) return;
  float window[kConvolveTaps];
#pragma unroll
  for (int k = 0; k < kConvolveTaps - 1; ++k)
    window[k] = image[convolve_clamped(first + k - kConvolveFar, height) * width + x];
#pragma unroll
  for (int r = 0; r < kConvolveRun; ++r) {
    const int y = first + r;
    if (y >= height) return;
    window[kConvolveTaps - 1] = image[min(y + kConvolveFar, height - 1) * width + x];
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kConvolveTaps; ++k) sum += convolve_taps[k] * window[k];
    out[y * width + x] = sum;
#pragma unroll
    for (int k = 0; k < kConvolveTaps - 1; ++k) window[k] = window[k + 1];
  }
}

// Six pixels of a row: four in a word, and one to each side.
__device__ inline void convolve_six(const unsigned char* row, int x, int width, int (&six)[6]) {
  const uchar4 four = *reinterpret_cast<const uchar4*>(row + x);
  six[0] = row[max(x - 1, 0)];
  six[1] = four.x;
  six[2] = four.y;
  six[3] = four.z;
  six[4] = four.w;
  six[5] = row[min(x + 4, width - 1)];
}

// The width is a multiple of four.
__global__ void convolve_bytes(const unsigned char* __restrict__ image, uchar4* __restrict__ edges,
                               int width, int height) {
  const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int top[6], middle[6], bottom[6], strength[4];
  convolve_six(image + max(y - 1, 0) * width, x, width, top);
  convolve_six(image + y * width, x, width, middle);
  convolve_six(image + min(y + 1, height - 1) * width, x, width, bottom);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int across =
        top[k + 2] + 2 * middle[k + 2] + bottom[k + 2] - top[k] - 2 * middle[k] - bottom[k];
    const int down =
        bottom[k] + 2 * bottom[k + 1] + bottom[k + 2] - top[k] - 2 * top[k + 1] - top[k + 2];
    strength[k] = min(abs(across) + abs(down), 255);
  }
  edges[(y * width + x) / 4] = make_uchar4(strength[0], strength[1], strength[2], strength[3]);
}

// Row 2 * reach of Pascal's triangle, with the sum one.
inline std::vector<float> convolve_bell(int reach) {
  std::vector<float> bell(2 * reach + 1);
  double value = std::pow(0.25, reach);
  for (int k = 0; k <= 2 * reach; ++k) {
    bell[k] = static_cast<float>(value);
    value = value * (2 * reach - k) / (k + 1);
  }
  return bell;
}

inline Problem convolve_pixels_problem(unsigned width) {
  const unsigned height = width / 4 * 3;
  const std::vector<float> bell = convolve_bell(kConvolveNear);
  float square[25];
  for (int k = 0; k < 25; ++k) square[k] = bell[k / 5] * bell[k % 5];
  COURSE_CHECK(cudaMemcpyToSymbol(convolve_square, square, sizeof square));
  auto image = uniform(width * height, 31);
  auto out = room<float>(width * height);
  return Problem{[=] {
                   const dim3 grid(blocks_of(width, 16), blocks_of(height, 16));
                   convolve_pixels<<<grid, dim3(16, 16)>>>(image->data(), out->data(), width,
                                                           height);
                 },
                 [=] {
                   return agrees(out, [&](int i) {
                     double sum = 0;
                     for (int k = 0; k < 25; ++k) {
                       const int y = convolve_clamped(i / int(width) + k / 5 - 2, height);
                       const int x = convolve_clamped(i % int(width) + k % 5 - 2, width);
                       sum += bell[k / 5] * bell[k % 5] * image->host[y * width + x];
                     }
                     return sum;
                   });
                 }};
}

// One pass of the separable blur; what it is launched by, and the step to the next pixel in each
// direction.
template <class Start>
Problem convolve_pass(unsigned width, unsigned seed, int step_x, int step_y, Start start) {
  const unsigned height = width / 4 * 3;
  const std::vector<float> bell = convolve_bell(kConvolveFar);
  COURSE_CHECK(cudaMemcpyToSymbol(convolve_taps, bell.data(), bell.size() * sizeof(float)));
  auto image = uniform(width * height, seed);
  auto out = room<float>(width * height);
  return Problem{[=] { start(image->data(), out->data(), width, height); },
                 [=] {
                   return agrees(out, [&](int i) {
                     double sum = 0;
                     for (int k = -kConvolveFar; k <= kConvolveFar; ++k) {
                       const int y = convolve_clamped(i / int(width) + k * step_y, height);
                       const int x = convolve_clamped(i % int(width) + k * step_x, width);
                       sum += bell[k + kConvolveFar] * image->host[y * width + x];
                     }
                     return sum;
                   });
                 }};
}

inline Problem convolve_along_problem(unsigned size) {
  return convolve_pass(size, 32, 1, 0, [](float* in, float* out, unsigned width, unsigned height) {
    const dim3 grid(blocks_of(width, kConvolveSpan), blocks_of(height, kConvolveLines));
    convolve_along<<<grid, dim3(32, kConvolveLines)>>>(in, out, width, height);
  });
}

inline Problem convolve_columns_problem(unsigned size) {
  return convolve_pass(size, 33, 0, 1, [](float* in, float* out, unsigned width, unsigned height) {
    const dim3 grid(blocks_of(width, 64), blocks_of(height, kConvolveRun));
    convolve_columns<<<grid, 64>>>(in, out, width, height);
  });
}

inline Problem convolve_bytes_problem(unsigned width) {
  const unsigned height = width / 4 * 3;
  auto image = array<unsigned char>(width * height, [width](unsigned i) {
    const unsigned x = i % width, y = i / width;  // coarse squares, and noise
    return mixed(x / 24 * 1000 + y / 24) % 200 + mixed(i) % 16;
  });
  auto edges = room<unsigned char>(width * height);
  return Problem{
      [=] {
        const dim3 grid(blocks_of(width / 4, 32), blocks_of(height, 8));
        convolve_bytes<<<grid, dim3(32, 8)>>>(
            image->data(), reinterpret_cast<uchar4*>(edges->data()), width, height);
      },
      [=] {
        const auto at = [&](int x, int y) {
          return int(image->host[convolve_clamped(y, height) * width + convolve_clamped(x, width)]);
        };
        return agrees(edges, [&](int i) {
          const int x = i % int(width), y = i / int(width);
          int across = 0, down = 0;
          for (int d = -1; d <= 1; ++d) {
            across += (2 - d * d) * (at(x + 1, y + d) - at(x - 1, y + d));
            down += (2 - d * d) * (at(x + d, y + 1) - at(x + d, y - 1));
          }
          return std::min(std::abs(across) + std::abs(down), 255);
        });
      }};
}

inline void add_convolve(Set& set) {
  // Widths, multiples of four; an image is three quarters as high.
  set.add("convolve_pixels", {152, 1360, 1900}, convolve_pixels_problem);
  set.add("convolve_along", {152, 1360, 2892}, convolve_along_problem);
  set.add("convolve_columns", {152, 1360, 2892}, convolve_columns_problem);
  set.add("convolve_bytes", {304, 2720, 4200}, convolve_bytes_problem);
}

}  // namespace timing_set

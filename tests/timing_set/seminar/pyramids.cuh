// SPDX-License-Identifier: MIT
// Pictures of half and of twice the size: the mean of two by two pixels, one result per thread or
// two from wide loads of rows that are padded; four levels at once from a tile in shared memory, in
// double precision; and a picture in half precision made twice as large by bilinear interpolation.
// The last row and column of an odd size count twice.
#pragma once
#include <cuda_fp16.h>

#include "../set.cuh"

namespace timing_set {

__global__ void pyramids_box(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  if (x >= half_width || y >= half_height) return;
  const int right = min(2 * x + 1, width - 1), below = min(2 * y + 1, height - 1);
  const float sum = in[2 * y * width + 2 * x] + in[2 * y * width + right] +
                    in[below * width + 2 * x] + in[below * width + right];
  out[y * half_width + x] = sum / 4;
}

// Rows of a multiple of four floats, which go on with their last pixel.
__global__ void __launch_bounds__(128)
    pyramids_wide(const float4* __restrict__ in, float2* __restrict__ out, int words, int height) {
  const int x = blockIdx.x * 128 + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= words) return;
  const float4 a = in[2 * y * words + x];
  const float4 b = in[min(2 * y + 1, height - 1) * words + x];
  out[y * words + x] =
      make_float2((a.x + a.y + b.x + b.y) * 0.25f, (a.z + a.w + b.z + b.w) * 0.25f);
}

struct PyramidsLevels {
  double* level[4];
};

// A block makes what comes of 32 by 32 pixels: 16 by 16 means, and on to two by two.
__global__ void __launch_bounds__(256)
    pyramids_levels(const double* in, PyramidsLevels out, unsigned width) {
  __shared__ double means[2][16][17];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const double* from = in + static_cast<size_t>(blockIdx.y * 32 + 2 * ty) * width +  //
                       blockIdx.x * 32 + 2 * tx;
  double mean = (from[0] + from[1] + from[width] + from[width + 1]) * 0.25;
  means[0][ty][tx] = mean;
  out.level[0][static_cast<size_t>(blockIdx.y * 16 + ty) * (width / 2) + blockIdx.x * 16 + tx] =
      mean;
  unsigned now = 0;
  for (unsigned k = 1; k < 4; ++k) {
    const unsigned side = 16 >> k;
    __syncthreads();
    if (tx < side && ty < side) {
      mean = (means[now][2 * ty][2 * tx] + means[now][2 * ty][2 * tx + 1] +
              means[now][2 * ty + 1][2 * tx] + means[now][2 * ty + 1][2 * tx + 1]) *
             0.25;
      means[1 - now][ty][tx] = mean;
      const unsigned row = width >> (k + 1);
      out.level[k][static_cast<size_t>(blockIdx.y * side + ty) * row + blockIdx.x * side + tx] =
          mean;
    }
    now = 1 - now;
  }
}

__global__ void pyramids_twice(const __half* in, __half2* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;  // of the result
  if (x >= width || y >= 2 * height) return;
  const int near_row = y / 2;
  const int far_row = y % 2 ? min(near_row + 1, height - 1) : max(near_row - 1, 0);
  const int left = max(x - 1, 0), right = min(x + 1, width - 1);
  const __half* a = in + near_row * width;
  const __half* b = in + far_row * width;
  const float l = 0.75f * __half2float(a[left]) + 0.25f * __half2float(b[left]);
  const float m = 0.75f * __half2float(a[x]) + 0.25f * __half2float(b[x]);
  const float r = 0.75f * __half2float(a[right]) + 0.25f * __half2float(b[right]);
  out[y * width + x] = __floats2half2_rn(0.75f * m + 0.25f * l, 0.75f * m + 0.25f * r);
}

inline unsigned pyramids_height(unsigned width) { return width * 3 / 4; }

inline float pyramids_pixel(unsigned x, unsigned y) {
  return (mixed(y * 40000 + x) >> 16) / 65536.0f;
}

// The mean that a pixel of half the size has.
inline float pyramids_mean(unsigned x, unsigned y, unsigned width, unsigned height) {
  const auto pixel = [=](unsigned px, unsigned py) {
    return pyramids_pixel(std::min(px, width - 1), std::min(py, height - 1));
  };
  return (pixel(2 * x, 2 * y) + pixel(2 * x + 1, 2 * y) + pixel(2 * x, 2 * y + 1) +
          pixel(2 * x + 1, 2 * y + 1)) /
         4;
}

inline Problem pyramids_box_problem(unsigned n) {
  const unsigned height = pyramids_height(n), half_width = (n + 1) / 2;
  const unsigned half_height = (height + 1) / 2;
  auto in = array<float>(static_cast<std::size_t>(n) * height,
                         [n](unsigned i) { return pyramids_pixel(i % n, i / n); });
  auto out = room<float>(static_cast<std::size_t>(half_width) * half_height);
  return Problem{
      [=] {
        pyramids_box<<<dim3(blocks_of(half_width, 16), blocks_of(half_height, 16)), dim3(16, 16)>>>(
            in->data(), out->data(), static_cast<int>(n), static_cast<int>(height));
      },
      [=] {
        return agrees(out, [&](unsigned i) {
          return pyramids_mean(i % half_width, i / half_width, n, height);
        });
      }};
}

inline Problem pyramids_wide_problem(unsigned n) {
  const unsigned height = pyramids_height(n), half_height = (height + 1) / 2;
  const unsigned words = (n + 3) / 4;
  auto in = array<float>(static_cast<std::size_t>(words) * 4 * height, [=](unsigned i) {
    return pyramids_pixel(std::min(i % (4 * words), n - 1), i / (4 * words));
  });
  auto out = room<float>(static_cast<std::size_t>(words) * 2 * half_height);
  return Problem{[=] {
                   pyramids_wide<<<dim3(blocks_of(words, 128), half_height), 128>>>(
                       reinterpret_cast<const float4*>(in->data()),
                       reinterpret_cast<float2*>(out->data()), static_cast<int>(words),
                       static_cast<int>(height));
                 },
                 [=] {
                   return agrees(out, [&](unsigned i) {
                     return pyramids_mean(i % (2 * words), i / (2 * words), n, height);
                   });
                 }};
}

// n tiles of 32 by 32 in a row.
inline Problem pyramids_levels_problem(unsigned n) {
  const unsigned rows = pyramids_height(n) + 1, width = 32 * n;
  auto in = array<double>(static_cast<std::size_t>(width) * rows * 32, [width](unsigned i) {
    return static_cast<double>(pyramids_pixel(i % width, i / width));
  });
  std::vector<Shared<double>> levels;
  PyramidsLevels out;
  for (unsigned k = 0; k < 4; ++k) {
    levels.push_back(room<double>(static_cast<std::size_t>(n) * rows * (256 >> (2 * k))));
    out.level[k] = levels[k]->data();
  }
  return Problem{[=] { pyramids_levels<<<dim3(n, rows), dim3(16, 16)>>>(in->data(), out, width); },
                 [=] {
                   for (unsigned k = 0; k < 4; ++k) {
                     const unsigned side = 2u << k, row = width / side;
                     const auto mean = [&](unsigned i) {
                       double sum = 0;
                       for (unsigned y = 0; y < side; ++y)
                         for (unsigned x = 0; x < side; ++x)
                           sum += pyramids_pixel(i % row * side + x, i / row * side + y);
                       return sum / (side * side);
                     };
                     if (!agrees(levels[k], mean, 1e-12)) return false;
                   }
                   return true;
                 }};
}

inline Problem pyramids_twice_problem(unsigned n) {
  const unsigned height = pyramids_height(n);
  auto in = array<__half>(static_cast<std::size_t>(n) * height,
                          [n](unsigned i) { return __half(pyramids_pixel(i % n, i / n)); });
  auto out = room<__half>(static_cast<std::size_t>(n) * height * 4);
  return Problem{
      [=] {
        pyramids_twice<<<dim3(blocks_of(n, 64), blocks_of(2 * height, 6)), dim3(64, 6)>>>(
            in->data(), reinterpret_cast<__half2*>(out->data()), static_cast<int>(n),
            static_cast<int>(height));
      },
      [=] {
        const std::vector<__half> got = out->device.download();
        const auto other = [](unsigned i, unsigned end) {  // the pixel that counts less
          return i % 2 ? std::min(i / 2 + 1, end - 1) : i < 2 ? 0 : i / 2 - 1;
        };
        const auto pixel = [&](unsigned x, unsigned y) {
          return __half2float(in->host[static_cast<std::size_t>(y) * n + x]);
        };
        const auto right = [&](std::size_t i) {
          const unsigned x = static_cast<unsigned>(i % (2 * n));
          const unsigned y = static_cast<unsigned>(i / (2 * n));
          const unsigned far_x = other(x, n), far_y = other(y, height);
          const float wanted = (9 * pixel(x / 2, y / 2) + 3 * pixel(far_x, y / 2) +
                                3 * pixel(x / 2, far_y) + pixel(far_x, far_y)) /
                               16;
          return near(__half2float(got[i]), wanted, 1e-3);
        };
        for (std::size_t i = 0; i < got.size(); i += got.size() / 1000 | 1)
          if (!right(i)) return false;
        return right(got.size() - 1);
      }};
}

inline void add_pyramids(Set& set) {
  set.add("pyramids_box", {173, 2001, 5601}, pyramids_box_problem);
  set.add("pyramids_wide", {173, 2001, 5601}, pyramids_wide_problem);
  set.add("pyramids_levels", {4, 40, 130}, pyramids_levels_problem);  // tiles
  set.add("pyramids_twice", {70, 1000, 2150}, pyramids_twice_problem);
}

}  // namespace timing_set

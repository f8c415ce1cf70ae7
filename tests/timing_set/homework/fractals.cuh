// SPDX-License-Identifier: MIT
// Fractals: an image of the Mandelbrot set, n pixels high and half as much again wide; a pixel is
// the number of steps after which its point leaves. Unequal work: most in the middle of the set.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kFractalsLimit = 255;
constexpr double kFractalsLeft = -2.25, kFractalsTop = -1.0, kFractalsHeight = 2.0;

// Written with fma, so that host and device round alike: the counts are chaotic.
template <class T>
__host__ __device__ int fractals_count(T cx, T cy) {
  T x = 0, y = 0;
  int count = 0;
  while (count < kFractalsLimit && fma(x, x, y * y) <= T(4)) {
    const T next = fma(x, x, fma(-y, y, cx));
    y = fma(x + x, y, cy);
    x = next;
    ++count;
  }
  return count;
}

__global__ void fractals_rows(int* image, int width, int height, float left, float top,
                              float step) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (column >= width || row >= height) return;
  image[row * width + column] = fractals_count(fmaf(column, step, left), fmaf(row, step, top));
}

__global__ void fractals_squares(unsigned char* image, int width, int height, float left, float top,
                                 float step) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && row < height)
    image[row * width + column] =
        static_cast<unsigned char>(fractals_count(fmaf(column, step, left), fmaf(row, step, top)));
}

__global__ void fractals_double(unsigned short* __restrict__ image, int width, int height,
                                double left, double top, double step) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const double cx = fma(double(column), step, left), cy = fma(double(row), step, top);
  image[row * width + column] = static_cast<unsigned short>(fractals_count(cx, cy));
}

// As many threads as the GPU holds; points in the two largest bulbs never leave, so are not walked.
__global__ void fractals_stride(int* image, int width, int height, float left, float top,
                                float step) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height;
       i += gridDim.x * blockDim.x) {
    const float cx = fmaf(i % width, step, left), cy = fmaf(i / width, step, top);
    const float right = cx - 0.25f, squared = right * right + cy * cy;
    const bool heart = squared * (squared + right) < 0.25f * cy * cy;
    const bool circle = (cx + 1) * (cx + 1) + cy * cy < 0.0625f;
    image[i] = heart || circle ? kFractalsLimit : fractals_count(cx, cy);
  }
}

// The image of a kernel that counts in type T and keeps counts as Pixel.
template <class T, class Pixel>
Problem fractals_problem(unsigned n,
                         std::function<void(Pixel*, int width, int height, T step)> launch) {
  const unsigned width = n + n / 2;
  const T step = T(kFractalsHeight) / n;
  auto image = room<Pixel>(std::size_t(width) * n);
  return Problem{[=] { launch(image->data(), width, n, step); },
                 [=] {
                   return agrees(
                       image,
                       [=](unsigned i) {
                         return fractals_count(fma(T(i % width), step, T(kFractalsLeft)),
                                               fma(T(i / width), step, T(kFractalsTop)));
                       },
                       0);
                 }};
}

inline void add_fractals(Set& set) {
  const std::vector<unsigned> sizes = {300, 1200};
  constexpr float left = kFractalsLeft, top = kFractalsTop;
  set.add("fractals_rows", sizes, [=](unsigned n) {
    return fractals_problem<float, int>(n, [=](int* image, int width, int height, float step) {
      fractals_rows<<<dim3(blocks_of(width), height), kBlock>>>(image, width, height, left, top,
                                                                step);
    });
  });
  set.add("fractals_squares", sizes, [=](unsigned n) {
    return fractals_problem<float, unsigned char>(
        n, [=](unsigned char* image, int width, int height, float step) {
          const dim3 block(16, 16), grid(blocks_of(width, 16), blocks_of(height, 16));
          fractals_squares<<<grid, block>>>(image, width, height, left, top, step);
        });
  });
  set.add("fractals_double", sizes, [](unsigned n) {
    return fractals_problem<double, unsigned short>(
        n, [=](unsigned short* image, int width, int height, double step) {
          const dim3 block(32, 4), grid(blocks_of(width, 32), blocks_of(height, 4));
          fractals_double<<<grid, block>>>(image, width, height, kFractalsLeft, kFractalsTop, step);
        });
  });
  set.add("fractals_stride", sizes, [=](unsigned n) {
    return fractals_problem<float, int>(n, [=](int* image, int width, int height, float step) {
      fractals_stride<<<528, 512>>>(image, width, height, left, top, step);
    });
  });
}

}  // namespace timing_set

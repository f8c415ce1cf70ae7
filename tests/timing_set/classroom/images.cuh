// SPDX-License-Identifier: MIT
// Images: a grey one of bytes blurred, by each thread from global memory and by each block from a
// tile with its border; the edges of one of floats, where a thread goes down a strip; and one of
// floats made smaller, between four pixels.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr int kImagesRadius = 2;

// The mean of the pixels around that are in the image.
__global__ void images_blur(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0, pixels = 0;
  for (int dy = -kImagesRadius; dy <= kImagesRadius; ++dy)
    for (int dx = -kImagesRadius; dx <= kImagesRadius; ++dx) {
      const int row = y + dy, column = x + dx;
      if (row >= 0 && row < height && column >= 0 && column < width) {
        sum += in[row * width + column];
        ++pixels;
      }
    }
  out[y * width + x] = static_cast<unsigned char>(sum / pixels);
}

constexpr int kImagesTileX = 32, kImagesTileY = 8;

// The same; outside of the image the tile is black.
__global__ void images_blur_tile(const unsigned char* in, unsigned char* out, int width,
                                 int height) {
  constexpr int broad = kImagesTileX + 2 * kImagesRadius, high = kImagesTileY + 2 * kImagesRadius;
  __shared__ unsigned char tile[high][broad];
  const int left = blockIdx.x * kImagesTileX - kImagesRadius;
  const int top = blockIdx.y * kImagesTileY - kImagesRadius;
  for (int k = threadIdx.y * kImagesTileX + threadIdx.x; k < broad * high;
       k += kImagesTileX * kImagesTileY) {
    const int row = top + k / broad, column = left + k % broad;
    const bool inside = row >= 0 && row < height && column >= 0 && column < width;
    tile[k / broad][k % broad] = inside ? in[row * width + column] : 0;
  }
  __syncthreads();
  const int x = blockIdx.x * kImagesTileX + threadIdx.x;
  const int y = blockIdx.y * kImagesTileY + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = 0; dy <= 2 * kImagesRadius; ++dy)
    for (int dx = 0; dx <= 2 * kImagesRadius; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  const int across = min(x + kImagesRadius, width - 1) - max(x - kImagesRadius, 0) + 1;
  const int down = min(y + kImagesRadius, height - 1) - max(y - kImagesRadius, 0) + 1;
  out[y * width + x] = static_cast<unsigned char>(sum / (across * down));
}

constexpr int kImagesStrip = 8;  // rows by one thread

// Sobel's filter. Of each row a thread needs the difference and the sum, and keeps those of the
// last rows.
__global__ void images_edges(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int begin = (blockIdx.y * blockDim.y + threadIdx.y) * kImagesStrip;
  if (x >= width || begin >= height) return;
  const int left = max(x - 1, 0), right = min(x + 1, width - 1);
  const float* row = in + max(begin - 1, 0) * width;
  float difference0 = row[right] - row[left], sum0 = row[left] + 2 * row[x] + row[right];
  row = in + begin * width;
  float difference1 = row[right] - row[left], sum1 = row[left] + 2 * row[x] + row[right];
  const int end = min(begin + kImagesStrip, height);
  for (int y = begin; y < end; ++y) {
    row = in + min(y + 1, height - 1) * width;
    const float difference2 = row[right] - row[left];
    const float sum2 = row[left] + 2 * row[x] + row[right];
    const float gx = difference0 + 2 * difference1 + difference2, gy = sum2 - sum0;
    out[y * width + x] = sqrtf(gx * gx + gy * gy);
    difference0 = difference1;
    difference1 = difference2;
    sum0 = sum1;
    sum1 = sum2;
  }
}

// A pixel of the new image, between four of the old one.
__host__ __device__ inline float images_between(const float* in, int width, int height, float x,
                                                float y) {
  const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
  const int x1 = x0 + 1 < width ? x0 + 1 : x0, y1 = y0 + 1 < height ? y0 + 1 : y0;
  const float fx = x - x0, fy = y - y0;
  const float upper = in[y0 * width + x0] * (1 - fx) + in[y0 * width + x1] * fx;
  const float lower = in[y1 * width + x0] * (1 - fx) + in[y1 * width + x1] * fx;
  return upper * (1 - fy) + lower * fy;
}

__global__ void images_resize(const float* in, int width, int height, float* out, int new_width,
                              int new_height, float scale) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < new_width && y < new_height)
    out[y * new_width + x] =
        images_between(in, width, height, (x + 0.5f) * scale - 0.5f, (y + 0.5f) * scale - 0.5f);
}

struct ImagesGrey {
  explicit ImagesGrey(int n)
      : width(n),
        height(n * 3 / 4),
        in(array<unsigned char>(std::size_t(width) * height,
                                [](unsigned i) { return mixed(i + 61) % 251; })),
        out(room<unsigned char>(std::size_t(width) * height)) {}
  bool blurred() const {
    return agrees(
        out,
        [&](unsigned i) {
          const int x = i % width, y = i / width;
          int sum = 0, pixels = 0;
          for (int row = y - kImagesRadius; row <= y + kImagesRadius; ++row)
            for (int column = x - kImagesRadius; column <= x + kImagesRadius; ++column)
              if (row >= 0 && row < height && column >= 0 && column < width) {
                sum += in->host[row * width + column];
                ++pixels;
              }
          return sum / pixels;
        },
        0);
  }
  int width, height;
  Shared<unsigned char> in, out;
};

inline Problem images_blur_problem(unsigned n) {
  const ImagesGrey image(n);
  const dim3 block(16, 16);
  const dim3 grid(blocks_of(image.width, block.x), blocks_of(image.height, block.y));
  return Problem{[=] {
                   images_blur<<<grid, block>>>(image.in->data(), image.out->data(), image.width,
                                                image.height);
                 },
                 [=] { return image.blurred(); }};
}

inline Problem images_blur_tile_problem(unsigned n) {
  const ImagesGrey image(n);
  const dim3 block(kImagesTileX, kImagesTileY);
  const dim3 grid(blocks_of(image.width, block.x), blocks_of(image.height, block.y));
  return Problem{[=] {
                   images_blur_tile<<<grid, block>>>(image.in->data(), image.out->data(),
                                                     image.width, image.height);
                 },
                 [=] { return image.blurred(); }};
}

inline Problem images_edges_problem(unsigned n) {
  const int width = n, height = n * 3 / 4;
  const std::size_t pixels = std::size_t(width) * height;
  auto in = uniform(pixels, 62), out = room<float>(pixels);
  const dim3 block(64);
  const dim3 grid(blocks_of(width, block.x), blocks_of(height, kImagesStrip));
  return Problem{
      [=] { images_edges<<<grid, block>>>(in->data(), out->data(), width, height); },
      [=] {
        return agrees(
            out,
            [&](unsigned i) {
              const auto at = [&](int dx, int dy) {
                const int x = std::clamp(static_cast<int>(i) % width + dx, 0, width - 1);
                const int y = std::clamp(static_cast<int>(i) / width + dy, 0, height - 1);
                return static_cast<double>(in->host[y * width + x]);
              };
              const double gx =
                  at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
              const double gy =
                  at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
              return std::sqrt(gx * gx + gy * gy);
            },
            1e-5);
      }};
}

inline Problem images_resize_problem(unsigned n) {
  const int new_width = n, new_height = n * 3 / 4;
  const int width = new_width * 3 / 2, height = new_height * 3 / 2;
  const float scale = 1.5f;
  auto in = uniform(std::size_t(width) * height, 63);
  auto out = room<float>(std::size_t(new_width) * new_height);
  const dim3 block(32, 16);
  const dim3 grid(blocks_of(new_width, block.x), blocks_of(new_height, block.y));
  return Problem{[=] {
                   images_resize<<<grid, block>>>(in->data(), width, height, out->data(), new_width,
                                                  new_height, scale);
                 },
                 [=] {
                   return agrees(out, [&](unsigned i) {
                     return images_between(in->host.data(), width, height,
                                           (i % new_width + 0.5f) * scale - 0.5f,
                                           (i / new_width + 0.5f) * scale - 0.5f);
                   });
                 }};
}

inline void add_images(Set& set) {
  const std::vector<unsigned> blurred = {130, 900, 1801};
  set.add("images_blur", blurred, images_blur_problem);
  set.add("images_blur_tile", blurred, images_blur_tile_problem);
  set.add("images_edges", {251, 1503, 5001}, images_edges_problem);
  set.add("images_resize", {200, 1000, 3200}, images_resize_problem);
}

}  // namespace timing_set

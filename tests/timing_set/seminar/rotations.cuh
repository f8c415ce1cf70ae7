// SPDX-License-Identifier: MIT
// Turning and bending pictures, where each pixel of the result looks where it comes from: the
// nearest pixel under a steep turn, in fixed-point numbers; a bilinear mean under a gentle turn; a
// map that says for each pixel where to look, as it corrects a lens, for three colours; and a
// quarter turn by tiles in shared memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kRotationsNothing = 0x00202020u;  // the colour outside of the picture
constexpr int kRotationsCosine = 19161, kRotationsSine = 62672;  // of 73 degrees, times 2^16

struct RotationsPlace {
  int x, y;
};

__host__ __device__ inline RotationsPlace rotations_source(int x, int y, int width, int height) {
  const int dx = x - width / 2, dy = y - height / 2;
  const int sx = kRotationsCosine * dx + kRotationsSine * dy + width / 2 * 65536 + 32768;
  const int sy = kRotationsCosine * dy - kRotationsSine * dx + height / 2 * 65536 + 32768;
  return {sx >> 16, sy >> 16};
}

__global__ void rotations_nearest(const unsigned* in, unsigned* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const RotationsPlace from = rotations_source(x, y, width, height);
  unsigned colour = kRotationsNothing;
  if (from.x >= 0 && from.x < width && from.y >= 0 && from.y < height)
    colour = in[from.y * width + from.x];
  out[y * width + x] = colour;
}

// A pixel, or black outside.
__host__ __device__ inline float rotations_pixel(const float* in, int x, int y, int width,
                                                 int height) {
  if (x < 0 || x >= width || y < 0 || y >= height) return 0;
  return in[y * width + x];
}

__host__ __device__ inline float rotations_mean(const float* in, int x, int y, int width,
                                                int height, float cosine, float sine) {
  const float dx = x - 0.5f * width, dy = y - 0.5f * height;
  const float sx = cosine * dx + sine * dy + 0.5f * width;
  const float sy = cosine * dy - sine * dx + 0.5f * height;
  const float left = floorf(sx), top = floorf(sy);
  const float fx = sx - left, fy = sy - top;
  const int ix = static_cast<int>(left), iy = static_cast<int>(top);
  const float upper = (1 - fx) * rotations_pixel(in, ix, iy, width, height) +
                      fx * rotations_pixel(in, ix + 1, iy, width, height);
  const float lower = (1 - fx) * rotations_pixel(in, ix, iy + 1, width, height) +
                      fx * rotations_pixel(in, ix + 1, iy + 1, width, height);
  return (1 - fy) * upper + fy * lower;
}

__global__ void rotations_bilinear(const float* in, float* out, int width, int height, float cosine,
                                   float sine) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = rotations_mean(in, x, y, width, height, cosine, sine);
}

// Between four pixels, in steps of a 256th of a pixel; all three colours.
__host__ __device__ inline void rotations_colours(const unsigned char* in, float2 from, int width,
                                                  int height, unsigned char* to) {
  const int x = static_cast<int>(fminf(fmaxf(from.x, 0.0f), width - 1.0f) * 256);
  const int y = static_cast<int>(fminf(fmaxf(from.y, 0.0f), height - 1.0f) * 256);
  const int fx = x & 255, fy = y & 255;
  const int left = 3 * (x >> 8), right = x >> 8 < width - 1 ? left + 3 : left;
  const unsigned char* upper = in + (y >> 8) * 3 * width;
  const unsigned char* lower = y >> 8 < height - 1 ? upper + 3 * width : upper;
  for (int k = 0; k < 3; ++k) {
    const int a = upper[left + k] * (256 - fx) + upper[right + k] * fx;
    const int b = lower[left + k] * (256 - fx) + lower[right + k] * fx;
    to[k] = static_cast<unsigned char>((a * (256 - fy) + b * fy) >> 16);
  }
}

__global__ void __launch_bounds__(192)
    rotations_remap(const unsigned char* __restrict__ in, const float2* __restrict__ map,
                    unsigned char* __restrict__ out, int width, int height) {
  const int x = blockIdx.x * 64 + threadIdx.x;
  const int y = blockIdx.y * 3 + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  rotations_colours(in, map[i], width, height, out + 3 * i);
}

// To the right: the lowest row becomes the first column.
__global__ void rotations_quarter(const unsigned short* in, unsigned short* out, int width,
                                  int height) {
  __shared__ unsigned short tile[32][34];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  const int tx = threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (left + tx < width && top + j < height) tile[j][tx] = in[(top + j) * width + left + tx];
  __syncthreads();
  const int column = height - 1 - (top + tx);
  for (int j = threadIdx.y; j < 32; j += 8)
    if (left + j < width && column >= 0) out[(left + j) * height + column] = tile[tx][j];
}

inline unsigned rotations_height(unsigned width) { return width * 3 / 4 + 2; }

inline Problem rotations_nearest_problem(unsigned n) {
  const int width = static_cast<int>(n), height = static_cast<int>(rotations_height(n));
  auto in = array<unsigned>(static_cast<std::size_t>(n) * rotations_height(n),
                            [](unsigned i) { return mixed(i + 31) >> 8; });
  auto out = room<unsigned>(in->size());
  return Problem{
      [=] {
        rotations_nearest<<<dim3(blocks_of(width, 32), blocks_of(height, 32)), dim3(32, 32)>>>(
            in->data(), out->data(), width, height);
      },
      [=] {
        return agrees(
            out,
            [&](unsigned i) {
              const int at = static_cast<int>(i);
              const auto [x, y] = rotations_source(at % width, at / width, width, height);
              return x >= 0 && x < width && y >= 0 && y < height ? in->host[y * width + x]
                                                                 : kRotationsNothing;
            },
            1e-9);
      }};
}

inline Problem rotations_bilinear_problem(unsigned n) {
  const int width = static_cast<int>(n), height = static_cast<int>(rotations_height(n));
  const float cosine = std::cos(0.3f), sine = std::sin(0.3f);
  auto in = uniform(static_cast<std::size_t>(n) * rotations_height(n), 32);
  auto out = room<float>(in->size());
  return Problem{
      [=] {
        rotations_bilinear<<<dim3(blocks_of(width, 16), blocks_of(height, 16)), dim3(16, 16)>>>(
            in->data(), out->data(), width, height, cosine, sine);
      },
      [=] {
        return agrees(
            out,
            [&](unsigned i) {
              const int at = static_cast<int>(i);
              return rotations_mean(in->host.data(), at % width, at / width, width, height, cosine,
                                    sine);
            },
            3e-3);
      }};
}

inline Problem rotations_remap_problem(unsigned n) {
  const unsigned rows = rotations_height(n);
  const int width = static_cast<int>(n), height = static_cast<int>(rows);
  const std::size_t pixels = static_cast<std::size_t>(n) * rows;
  auto in = array<unsigned char>(3 * pixels, [](unsigned i) { return mixed(i + 33) % 250; });
  // A barrel: far from the middle one looks further out.
  auto map = array<float2>(pixels, [=](unsigned i) {
    const float dx = static_cast<float>(i % n) / n - 0.5f;
    const float dy = static_cast<float>(i / n) / rows - 0.5f;
    const float stretch = 0.94f + 0.2f * (dx * dx + dy * dy);
    return make_float2((0.5f + dx * stretch) * n, (0.5f + dy * stretch) * rows);
  });
  auto out = room<unsigned char>(3 * pixels);
  return Problem{
      [=] {
        rotations_remap<<<dim3(blocks_of(width, 64), blocks_of(height, 3)), dim3(64, 3)>>>(
            in->data(), map->data(), out->data(), width, height);
      },
      [=] {
        return agrees(
            out,
            [&](unsigned i) {
              unsigned char colours[3];
              rotations_colours(in->host.data(), map->host[i / 3], width, height, colours);
              return colours[i % 3];
            },
            1e-6);
      }};
}

inline Problem rotations_quarter_problem(unsigned n) {
  const unsigned rows = rotations_height(n);
  auto in = array<unsigned short>(static_cast<std::size_t>(n) * rows,
                                  [](unsigned i) { return mixed(i + 34) % 65000; });
  auto out = room<unsigned short>(in->size());
  return Problem{[=] {
                   rotations_quarter<<<dim3(blocks_of(n, 32), blocks_of(rows, 32)), dim3(32, 8)>>>(
                       in->data(), out->data(), static_cast<int>(n), static_cast<int>(rows));
                 },
                 [=] {
                   return agrees(
                       out,
                       [&](unsigned i) {
                         const unsigned x = i / rows, y = rows - 1 - i % rows;
                         return in->host[static_cast<std::size_t>(y) * n + x];
                       },
                       1e-9);
                 }};
}

inline void add_rotations(Set& set) {
  set.add("rotations_nearest", {101, 1203, 2800}, rotations_nearest_problem);
  set.add("rotations_bilinear", {101, 1203, 2800}, rotations_bilinear_problem);
  set.add("rotations_remap", {101, 1203, 1900}, rotations_remap_problem);
  set.add("rotations_quarter", {130, 2222, 5555}, rotations_quarter_problem);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Fewer levels of grey for an image: by an ordered pattern, by errors handed along the rows of packed colours with a thread for
// each row, by errors handed to four neighbours as a wavefront through tiles, and by noise with the bits packed into words.
#pragma once
#include "../set.cuh"

namespace timing_set {

// The 8x8 pattern of Bayer, 0 to 63: the bits of x^y and y interleaved, from the lowest up.
__host__ __device__ constexpr unsigned dither_bayer(unsigned x, unsigned y) {
  const unsigned z = x ^ y;
  return (z & 1) << 5 | (y & 1) << 4 | (z & 2) << 2 | (y & 2) << 1 | (z & 4) >> 1 | (y & 4) >> 2;
}

__global__ void dither_ordered(const float* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    const float threshold = (dither_bayer(x & 7, y & 7) + 0.5f) / 64;
    out[y * width + x] = static_cast<unsigned char>(in[y * width + x] * 3 + threshold) * 85;
  }
}

struct DitherPixel {
  unsigned char red, green, blue;
};
__host__ __device__ inline unsigned char dither_push(int value, int& error) {
  const int sum = value + error, chosen = sum < 128 ? 0 : 255;
  error = sum - chosen;
  return static_cast<unsigned char>(chosen);
}
__global__ void dither_rows(DitherPixel* image, int width, int height) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  int red = 0, green = 0, blue = 0;
  for (int x = 0; x < width; ++x) {
    DitherPixel pixel = image[y * width + x];
    pixel.red = dither_push(pixel.red, red);
    pixel.green = dither_push(pixel.green, green);
    pixel.blue = dither_push(pixel.blue, blue);
    image[y * width + x] = pixel;
  }
}

// Floyd and Steinberg in tiles of their own: a thread's row is two columns behind the one above it.
constexpr int kDitherTile = 64;
__global__ void __launch_bounds__(kDitherTile)
    dither_wavefront(const unsigned char* in, unsigned char* out, int width) {
  __shared__ short errors[kDitherTile + 1][kDitherTile + 2];  // of 16ths, one column to the right
  __shared__ unsigned char grey[kDitherTile][kDitherTile + 4];
  const int t = threadIdx.x;
  const int corner = blockIdx.y * kDitherTile * width + blockIdx.x * kDitherTile;
  for (int y = 0; y < kDitherTile; ++y) {
    grey[y][t] = in[corner + y * width + t];
    errors[y][t] = 0;
  }
  errors[kDitherTile][t] = 0;
  for (int y = t; y <= kDitherTile; y += kDitherTile)
    errors[y][kDitherTile] = errors[y][kDitherTile + 1] = 0;
  __syncthreads();
  int carry = 0;
  for (int step = 0; step < 3 * kDitherTile - 2; ++step) {
    const int x = step - 2 * t;
    if (x >= 0 && x < kDitherTile) {
      const int value = grey[t][x] * 16 + errors[t][x + 1] + carry;
      const int chosen = value < 128 * 16 ? 0 : 255, left = (value - chosen * 16) / 16;
      grey[t][x] = static_cast<unsigned char>(chosen);
      carry = left * 7;
      errors[t + 1][x] += left * 3;
      errors[t + 1][x + 1] += left * 5;
      errors[t + 1][x + 2] += left;
    }
    __syncthreads();
  }
  for (int y = 0; y < kDitherTile; ++y) out[corner + y * width + t] = grey[y][t];
}

__host__ __device__ inline bool dither_white(float value, unsigned at) {
  return value > static_cast<float>(mixed(at) >> 8) * (1 / 16777216.0f);
}
// Four pixels for each thread at a time; eight threads have a word.
__global__ void dither_noise(const float4* __restrict__ in, unsigned* __restrict__ out,
                             unsigned quads) {
  const unsigned lane = threadIdx.x % 8;
  for (unsigned i = thread_number(); i < (quads + 31) / 32 * 32; i += gridDim.x * blockDim.x) {
    const float4 v = i < quads ? __ldg(in + i) : make_float4(0, 0, 0, 0);
    unsigned bits = dither_white(v.x, 4 * i) | dither_white(v.y, 4 * i + 1) << 1 |
                    dither_white(v.z, 4 * i + 2) << 2 | dither_white(v.w, 4 * i + 3) << 3;
    bits <<= 4 * lane;
    for (int d = 1; d < 8; d *= 2) bits |= __shfl_xor_sync(kAll, bits, d);
    if (lane == 0 && i < quads) out[i / 8] = bits;
  }
}

inline Problem dither_ordered_problem(unsigned side) {
  auto in = uniform(side * side, 8);
  auto out = room<unsigned char>(side * side);
  const int s = static_cast<int>(side);
  return Problem{[=] {
                   dither_ordered<<<dim3(blocks_of(side, 32), blocks_of(side, 8)), dim3(32, 8)>>>(
                       in->data(), out->data(), s, s);
                 },
                 [=] {
                   return agrees(out, [=](unsigned i) {
                     const double t = dither_bayer(i % side & 7, i / side & 7) / 64.0 + 1 / 128.0;
                     return std::floor(in->host[i] * 3.0 + t) * 85;
                   });
                 }};
}
inline Problem dither_rows_problem(unsigned side) {
  auto image = array<unsigned char>(3 * side * side, [](unsigned i) { return mixed(i) % 256; });
  return Problem{[=] {
                   dither_rows<<<blocks_of(side, 64), 64>>>(
                       reinterpret_cast<DitherPixel*>(image->data()), static_cast<int>(side),
                       static_cast<int>(side));
                 },
                 [=] {
                   return agrees(image, [=](unsigned i) {
                     int error = 0, last = 0;
                     for (unsigned k = i - i % (3 * side) + i % 3; k <= i; k += 3)
                       last = dither_push(image->host[k], error);
                     return last;
                   });
                 },
                 [=] { image->restore(); }};
}
inline Problem dither_wavefront_problem(unsigned side) {
  auto in = array<unsigned char>(
      side * side, [=](unsigned i) { return (i % side + i / side) / 4 % 192 + mixed(i) % 64; });
  auto out = room<unsigned char>(side * side);
  return Problem{
      [=] {
        dither_wavefront<<<dim3(side / kDitherTile, side / kDitherTile), kDitherTile>>>(
            in->data(), out->data(), static_cast<int>(side));
      },
      [=] {
        const std::vector<unsigned char> got = out->device.download();
        const unsigned across = side / kDitherTile, tiles = across * across;
        for (unsigned tile = 0; tile < tiles; tile += tiles / 7 | 1) {
          const unsigned corner = tile / across * kDitherTile * side + tile % across * kDitherTile;
          int errors[kDitherTile + 1][kDitherTile + 2] = {};
          for (int y = 0; y < kDitherTile; ++y)
            for (int x = 0; x < kDitherTile; ++x) {
              const int value = in->host[corner + y * side + x] * 16 + errors[y][x + 1];
              const int chosen = value < 128 * 16 ? 0 : 255, left = (value - chosen * 16) / 16;
              if (got[corner + y * side + x] != chosen) return false;
              errors[y][x + 2] += left * 7;
              errors[y + 1][x] += left * 3;
              errors[y + 1][x + 1] += left * 5;
              errors[y + 1][x + 2] += left;
            }
        }
        return true;
      }};
}
inline Problem dither_noise_problem(unsigned side) {
  auto in = uniform(side * side, 9);
  auto out = room<unsigned>(side * side / 32);
  const unsigned quads = side * side / 4;
  return Problem{[=] {
                   dither_noise<<<std::min(blocks_of(quads, 512), 132u * 4), 512>>>(
                       reinterpret_cast<const float4*>(in->data()), out->data(), quads);
                 },
                 [=] {
                   return agrees(
                       out,
                       [=](unsigned i) {
                         unsigned bits = 0;
                         for (unsigned k = 0; k < 32; ++k)
                           bits |= dither_white(in->host[32 * i + k], 32 * i + k) << k;
                         return bits;
                       },
                       0);
                 }};
}

inline void add_dither(Set& set) {
  set.add("dither_ordered", {100, 1200, 3600}, dither_ordered_problem);
  set.add("dither_rows", {100, 1200, 2600}, dither_rows_problem);
  set.add("dither_wavefront", {128, 1216, 3968}, dither_wavefront_problem);
  set.add("dither_noise", {200, 1200, 4000}, dither_noise_problem);
}

}  // namespace timing_set

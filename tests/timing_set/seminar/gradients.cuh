// SPDX-License-Identifier: MIT
// Edges in 8-bit pictures by the Sobel operator: its strength for each pixel, one by one and four
// pixels per thread; edges thinned to their ridges, with two thresholds, from tiles in shared
// memory; and a list of the pixels above a threshold, where each block reserves its places with one
// atomic operation. Border pixels have no edge.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kGradientsLow = 14, kGradientsHigh = 28, kGradientsListed = 22;

struct GradientsPair {
  int x, y;
  __host__ __device__ int strength() const {
    return ((x < 0 ? -x : x) + (y < 0 ? -y : y)) / 8;  // at most 255
  }
};

// Around a pixel that has all its neighbours.
__host__ __device__ inline GradientsPair gradients_sobel(const unsigned char* p, int row) {
  const int x = p[1 - row] + 2 * p[1] + p[1 + row] - p[-1 - row] - 2 * p[-1] - p[-1 + row];
  const int y = p[row - 1] + 2 * p[row] + p[row + 1] - p[-row - 1] - 2 * p[-row] - p[-row + 1];
  return {x, y};
}

__host__ __device__ inline bool gradients_inner(int x, int y, int width, int height) {
  return x > 0 && y > 0 && x < width - 1 && y < height - 1;
}

__global__ void gradients_plain(const unsigned char* in, unsigned char* out, int width,
                                int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int strength = 0;
  if (gradients_inner(x, y, width, height))
    strength = gradients_sobel(in + y * width + x, width).strength();
  out[y * width + x] = static_cast<unsigned char>(strength);
}

__global__ void gradients_wide(const unsigned* __restrict__ in, unsigned* __restrict__ out,
                               int words, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= words) return;
  unsigned result = 0;
  if (y > 0 && y < height - 1) {
    int p[3][6];
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      const unsigned* row = in + (y + j - 1) * words + x;
      const unsigned middle = *row;
      p[j][0] = x > 0 ? static_cast<int>(row[-1] >> 24) : 0;
      for (int k = 0; k < 4; ++k) p[j][k + 1] = static_cast<int>(middle >> (8 * k) & 255);
      p[j][5] = x < words - 1 ? static_cast<int>(row[1] & 255) : 0;
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int gx = p[0][k + 2] + 2 * p[1][k + 2] + p[2][k + 2] -  //
                     p[0][k] - 2 * p[1][k] - p[2][k];
      const int gy = p[2][k] + 2 * p[2][k + 1] + p[2][k + 2] -  //
                     p[0][k] - 2 * p[0][k + 1] - p[0][k + 2];
      result |= static_cast<unsigned>((abs(gx) + abs(gy)) / 8) << (8 * k);
    }
    if (x == 0) result &= 0xffffff00u;
    if (x == words - 1) result &= 0x00ffffffu;
  }
  out[y * words + x] = result;
}

// Where to look for stronger neighbours: across the edge.
__host__ __device__ inline void gradients_across(GradientsPair g, int& dx, int& dy) {
  const int ax = g.x < 0 ? -g.x : g.x, ay = g.y < 0 ? -g.y : g.y;
  dx = 2 * ax < ay ? 0 : 1;
  dy = 2 * ay < ax ? 0 : (g.x < 0) == (g.y < 0) || dx == 0 ? 1 : -1;
}

__global__ void __launch_bounds__(512)
    gradients_thin(const unsigned char* in, unsigned char* out, int width, int height) {
  __shared__ unsigned char pixels[20][36];
  __shared__ short strength[18][34];
  const int left = blockIdx.x * 32, top = blockIdx.y * 16;
  const int thread = threadIdx.y * 32 + threadIdx.x;
  for (int i = thread; i < 20 * 36; i += 512) {
    const int x = left + i % 36 - 2, y = top + i / 36 - 2;
    pixels[i / 36][i % 36] = x >= 0 && y >= 0 && x < width && y < height ? in[y * width + x] : 0;
  }
  __syncthreads();
  for (int i = thread; i < 18 * 34; i += 512) {
    const int tx = i % 34, ty = i / 34;
    int found = 0;
    if (gradients_inner(left + tx - 1, top + ty - 1, width, height))
      found = gradients_sobel(&pixels[ty + 1][tx + 1], 36).strength();
    strength[ty][tx] = static_cast<short>(found);
  }
  __syncthreads();
  const int x = left + threadIdx.x, y = top + threadIdx.y;
  if (x >= width || y >= height) return;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int mine = strength[ty][tx];
  unsigned char kind = 0;
  if (mine >= kGradientsLow) {
    int dx, dy;
    gradients_across(gradients_sobel(&pixels[ty + 1][tx + 1], 36), dx, dy);
    if (mine >= strength[ty + dy][tx + dx] && mine >= strength[ty - dy][tx - dx])
      kind = mine >= kGradientsHigh ? 2 : 1;
  }
  out[y * width + x] = kind;
}

__global__ void __launch_bounds__(1024)
    gradients_list(const unsigned char* in, uint2* list, unsigned* length, int width, int height) {
  __shared__ unsigned found, start;
  const int x = blockIdx.x * 64 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  const bool first = threadIdx.x == 0 && threadIdx.y == 0;
  if (first) found = 0;
  __syncthreads();
  int strength = 0;
  if (gradients_inner(x, y, width, height))
    strength = gradients_sobel(in + y * width + x, width).strength();
  unsigned place = 0;
  if (strength >= kGradientsListed) place = atomicAdd(&found, 1u);
  __syncthreads();
  if (first && found > 0) start = atomicAdd(length, found);
  __syncthreads();
  if (strength >= kGradientsListed) list[start + place] = make_uint2(y * width + x, strength);
}

inline unsigned gradients_height(unsigned width) { return width * 2 / 3; }

// Squares of different grey, a slope, and some noise.
inline Shared<unsigned char> gradients_picture(unsigned width) {
  return array<unsigned char>(
      static_cast<std::size_t>(width) * gradients_height(width), [width](unsigned i) {
        const unsigned x = i % width, y = i / width;
        return mixed(x / 23 * 5000 + y / 17) % 160 + (x + y) / 8 % 64 + mixed(i + 1) % 16;
      });
}

inline GradientsPair gradients_host(const Shared<unsigned char>& in, int width, int height, int x,
                                    int y) {
  if (!gradients_inner(x, y, width, height)) return {0, 0};
  return gradients_sobel(in->host.data() + y * width + x, width);
}

inline bool gradients_right(const Shared<unsigned char>& in, const Shared<unsigned char>& out,
                            int width, int height) {
  return agrees(
      out,
      [&](unsigned i) {
        const int at = static_cast<int>(i);
        return gradients_host(in, width, height, at % width, at / width).strength();
      },
      1e-6);
}

inline Problem gradients_plain_problem(unsigned n) {
  auto in = gradients_picture(n);
  auto out = room<unsigned char>(in->size());
  const int width = static_cast<int>(n), height = static_cast<int>(gradients_height(n));
  return Problem{
      [=] {
        gradients_plain<<<dim3(blocks_of(width, 32), blocks_of(height, 8)), dim3(32, 8)>>>(
            in->data(), out->data(), width, height);
      },
      [=] { return gradients_right(in, out, width, height); }};
}

inline Problem gradients_wide_problem(unsigned n) {
  auto in = gradients_picture(n);
  auto out = room<unsigned char>(in->size());
  const int width = static_cast<int>(n), height = static_cast<int>(gradients_height(n));
  return Problem{[=] {
                   gradients_wide<<<dim3(blocks_of(width / 4, 128), height), 128>>>(
                       reinterpret_cast<const unsigned*>(in->data()),
                       reinterpret_cast<unsigned*>(out->data()), width / 4, height);
                 },
                 [=] { return gradients_right(in, out, width, height); }};
}

inline Problem gradients_thin_problem(unsigned n) {
  auto in = gradients_picture(n);
  auto out = room<unsigned char>(in->size());
  const int width = static_cast<int>(n), height = static_cast<int>(gradients_height(n));
  return Problem{
      [=] {
        gradients_thin<<<dim3(blocks_of(width, 32), blocks_of(height, 16)), dim3(32, 16)>>>(
            in->data(), out->data(), width, height);
      },
      [=] {
        return agrees(
            out,
            [&](unsigned i) {
              const int x = static_cast<int>(i) % width, y = static_cast<int>(i) / width;
              const GradientsPair g = gradients_host(in, width, height, x, y);
              if (g.strength() < kGradientsLow) return 0;
              int dx, dy;
              gradients_across(g, dx, dy);
              for (int side = -1; side <= 1; side += 2)
                if (gradients_host(in, width, height, x + side * dx, y + side * dy).strength() >
                    g.strength())
                  return 0;
              return g.strength() >= kGradientsHigh ? 2 : 1;
            },
            1e-6);
      }};
}

inline Problem gradients_list_problem(unsigned n) {
  auto in = gradients_picture(n);
  auto list = room<uint2>(in->size());
  auto length = array<unsigned>(std::vector<unsigned>{0});
  const int width = static_cast<int>(n), height = static_cast<int>(gradients_height(n));
  return Problem{
      [=] {
        gradients_list<<<dim3(blocks_of(width, 64), blocks_of(height, 16)), dim3(64, 16)>>>(
            in->data(), list->data(), length->data(), width, height);
      },
      [=] {
        std::vector<unsigned> wanted(in->size(), 0);  // the strength of what is listed
        unsigned many = 0;
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            const int strength = gradients_host(in, width, height, x, y).strength();
            if (strength < kGradientsListed) continue;
            wanted[y * width + x] = static_cast<unsigned>(strength);
            ++many;
          }
        }
        if (length->device.download()[0] != many) return false;
        const std::vector<uint2> got = list->device.download();
        for (unsigned i = 0; i < many; ++i) {  // each once
          if (got[i].x >= wanted.size() || got[i].y == 0 || wanted[got[i].x] != got[i].y)
            return false;
          wanted[got[i].x] = 0;
        }
        return true;
      },
      [=] { clear(length); }};
}

inline void add_gradients(Set& set) {
  set.add("gradients_plain", {125, 1211, 2999}, gradients_plain_problem);
  set.add("gradients_wide", {124, 1920, 4800}, gradients_wide_problem);  // multiples of four
  set.add("gradients_thin", {125, 1211, 2399}, gradients_thin_problem);
  set.add("gradients_list", {125, 1211, 2399}, gradients_list_problem);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Morphology on pictures: every pixel becomes the least of a window around it, where what lies
// outside of the picture does not count. A window of five by five on bytes: each pixel looks at all
// of it, or blocks do it by rows and then by columns in shared memory, or threads walk down strips
// of four columns. And a long flat window on floats, whose minimum is made by doubling in shared
// memory.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kErosionsRadius = 2;  // of the square window
constexpr int kErosionsTall = 16;   // a tile of the version with shared memory: 32 by 16
constexpr int kErosionsWalk = 8;    // rows that a thread of the strips makes
constexpr int kErosionsReach = 24;  // of the long window, to both sides
constexpr int kErosionsSegment = 256;

__global__ void erosions_plain(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int least = 255;
  for (int dy = -kErosionsRadius; dy <= kErosionsRadius; ++dy) {
    for (int dx = -kErosionsRadius; dx <= kErosionsRadius; ++dx) {
      const int sx = x + dx, sy = y + dy;
      if (sx < 0 || sx >= width || sy < 0 || sy >= height) continue;
      least = min(least, static_cast<int>(in[sy * width + sx]));
    }
  }
  out[y * width + x] = static_cast<unsigned char>(least);
}

__global__ void erosions_shared(const unsigned char* __restrict__ in,
                                unsigned char* __restrict__ out, int width, int height) {
  __shared__ unsigned char tile[kErosionsTall + 2 * kErosionsRadius][32 + 2 * kErosionsRadius];
  __shared__ unsigned char narrow[kErosionsTall + 2 * kErosionsRadius][32];
  const int left = blockIdx.x * 32, top = blockIdx.y * kErosionsTall;
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int j = ty; j < kErosionsTall + 2 * kErosionsRadius; j += kErosionsTall) {
    const int sy = min(max(top + j - kErosionsRadius, 0), height - 1);
    for (int i = tx; i < 32 + 2 * kErosionsRadius; i += 32) {
      const int sx = min(max(left + i - kErosionsRadius, 0), width - 1);
      tile[j][i] = in[sy * width + sx];
    }
  }
  __syncthreads();
  for (int j = ty; j < kErosionsTall + 2 * kErosionsRadius; j += kErosionsTall) {
    int least = tile[j][tx];
    for (int i = 1; i <= 2 * kErosionsRadius; ++i)
      least = min(least, static_cast<int>(tile[j][tx + i]));
    narrow[j][tx] = static_cast<unsigned char>(least);
  }
  __syncthreads();
  if (left + tx >= width || top + ty >= height) return;
  int least = narrow[ty][tx];
  for (int j = 1; j <= 2 * kErosionsRadius; ++j)
    least = min(least, static_cast<int>(narrow[ty + j][tx]));
  out[(top + ty) * width + left + tx] = static_cast<unsigned char>(least);
}

// The least of five in a row, for the four pixels of a word.
__device__ inline uchar4 erosions_row(const uchar4* row, int x, int words) {
  const uchar4 m = row[x];
  int b[8] = {m.x, m.x, m.x, m.y, m.z, m.w, m.w, m.w};
  if (x > 0) {
    const uchar4 l = row[x - 1];
    b[0] = l.z;
    b[1] = l.w;
  }
  if (x + 1 < words) {
    const uchar4 r = row[x + 1];
    b[6] = r.x;
    b[7] = r.y;
  }
  const int middle = min(b[3], b[4]);
  const int lower = min(b[2], middle), upper = min(b[5], middle);
  return make_uchar4(min(min(b[0], b[1]), lower), min(min(b[1], b[5]), lower),
                     min(min(b[2], b[6]), upper), min(min(b[6], b[7]), upper));
}

__device__ inline uchar4 erosions_both(uchar4 a, uchar4 b) {
  return make_uchar4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w));
}

__global__ void __launch_bounds__(64)
    erosions_strip(const uchar4* __restrict__ in, uchar4* __restrict__ out, int words, int height) {
  const int x = blockIdx.x * 64 + threadIdx.x;
  const int top = blockIdx.y * kErosionsWalk;
  if (x >= words) return;
  uchar4 last[5];  // of the rows above and this one
#pragma unroll
  for (int j = 0; j < 4; ++j)
    last[j] = erosions_row(in + min(max(top + j - 2, 0), height - 1) * words, x, words);
#pragma unroll
  for (int j = 0; j < kErosionsWalk; ++j) {
    const int y = top + j;
    if (y >= height) return;
    last[4] = erosions_row(in + min(y + 2, height - 1) * words, x, words);
    const uchar4 upper = erosions_both(last[0], last[1]), lower = erosions_both(last[2], last[3]);
    out[y * words + x] = erosions_both(erosions_both(upper, lower), last[4]);
    for (int k = 0; k < 4; ++k) last[k] = last[k + 1];
  }
}

__global__ void erosions_long(const float* in, float* out, int width) {
  constexpr int kWide = kErosionsSegment + 2 * kErosionsReach;
  __shared__ float pixels[2][kWide];
  const int left = blockIdx.x * kErosionsSegment;
  const float* row = in + static_cast<size_t>(blockIdx.y) * width;
  for (int i = threadIdx.x; i < kWide; i += blockDim.x) {
    const int sx = left + i - kErosionsReach;
    pixels[0][i] = sx >= 0 && sx < width ? row[sx] : INFINITY;
  }
  __syncthreads();
  int from = 0;
  for (int step = 1; step <= 16; step *= 2) {
    for (int i = threadIdx.x; i < kWide; i += blockDim.x) {
      float least = pixels[from][i];
      if (i + step < kWide) least = fminf(least, pixels[from][i + step]);
      pixels[1 - from][i] = least;
    }
    __syncthreads();
    from = 1 - from;
  }
  // Two of 32 pixels make one of 49.
  const int x = left + threadIdx.x;
  if (x < width)
    out[static_cast<size_t>(blockIdx.y) * width + x] =
        fminf(pixels[from][threadIdx.x], pixels[from][threadIdx.x + 2 * kErosionsReach + 1 - 32]);
}

inline unsigned erosions_height(unsigned width) { return width * 5 / 8 + 1; }

// Hills with noise, never white.
inline Shared<unsigned char> erosions_picture(unsigned width) {
  return array<unsigned char>(static_cast<std::size_t>(width) * erosions_height(width),
                              [width](unsigned i) {
                                const unsigned x = i % width, y = i / width;
                                return (x / 9 + y / 5) % 150 + mixed(i + 3) % 100;
                              });
}

inline bool erosions_right(const Shared<unsigned char>& in, const Shared<unsigned char>& out,
                           unsigned n) {
  const int width = static_cast<int>(n), height = static_cast<int>(erosions_height(n));
  return agrees(
      out,
      [&](unsigned i) {
        const int x = static_cast<int>(i) % width, y = static_cast<int>(i) / width;
        int least = 255;
        for (int sy = std::max(y - 2, 0); sy <= std::min(y + 2, height - 1); ++sy)
          for (int sx = std::max(x - 2, 0); sx <= std::min(x + 2, width - 1); ++sx)
            least = std::min<int>(least, in->host[sy * width + sx]);
        return least;
      },
      1e-6);
}

inline Problem erosions_plain_problem(unsigned n) {
  auto in = erosions_picture(n);
  auto out = room<unsigned char>(in->size());
  const unsigned height = erosions_height(n);
  return Problem{[=] {
                   erosions_plain<<<dim3(blocks_of(n, 16), blocks_of(height, 16)), dim3(16, 16)>>>(
                       in->data(), out->data(), static_cast<int>(n), static_cast<int>(height));
                 },
                 [=] { return erosions_right(in, out, n); }};
}

inline Problem erosions_shared_problem(unsigned n) {
  auto in = erosions_picture(n);
  auto out = room<unsigned char>(in->size());
  const unsigned height = erosions_height(n);
  const dim3 grid(blocks_of(n, 32), blocks_of(height, kErosionsTall));
  return Problem{[=] {
                   erosions_shared<<<grid, dim3(32, kErosionsTall)>>>(
                       in->data(), out->data(), static_cast<int>(n), static_cast<int>(height));
                 },
                 [=] { return erosions_right(in, out, n); }};
}

inline Problem erosions_strip_problem(unsigned n) {
  auto in = erosions_picture(n);
  auto out = room<unsigned char>(in->size());
  const unsigned height = erosions_height(n);
  const dim3 grid(blocks_of(n / 4, 64), blocks_of(height, kErosionsWalk));
  return Problem{[=] {
                   erosions_strip<<<grid, 64>>>(reinterpret_cast<const uchar4*>(in->data()),
                                                reinterpret_cast<uchar4*>(out->data()),
                                                static_cast<int>(n / 4), static_cast<int>(height));
                 },
                 [=] { return erosions_right(in, out, n); }};
}

inline Problem erosions_long_problem(unsigned n) {
  const unsigned height = erosions_height(n);
  auto in = uniform(static_cast<std::size_t>(n) * height, 21);
  auto out = room<float>(in->size());
  return Problem{
      [=] {
        erosions_long<<<dim3(blocks_of(n, kErosionsSegment), height), kErosionsSegment>>>(
            in->data(), out->data(), static_cast<int>(n));
      },
      [=] {
        return agrees(
            out,
            [&](unsigned i) {
              const unsigned x = i % n, row = i - x;
              const unsigned end = std::min<unsigned>(x + kErosionsReach, n - 1);
              float least = INFINITY;
              for (unsigned s = x < kErosionsReach ? 0 : x - kErosionsReach; s <= end; ++s)
                least = std::min(least, in->host[row + s]);
              return least;
            },
            1e-7);
      }};
}

inline void add_erosions(Set& set) {
  set.add("erosions_plain", {140, 800, 1700}, erosions_plain_problem);
  set.add("erosions_shared", {140, 800, 1700}, erosions_shared_problem);
  set.add("erosions_strip", {140, 2000, 5200}, erosions_strip_problem);  // multiples of four
  set.add("erosions_long", {131, 1301, 3001}, erosions_long_problem);
}

}  // namespace timing_set

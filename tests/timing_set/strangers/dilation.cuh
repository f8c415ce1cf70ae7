// SPDX-License-Identifier: MIT
// Morphology: the largest of the 5x5 pixels around each, all read from memory; along rows of 15 by a queue, with a thread for
// each row; the 5x5 again with four bytes in a word and shared memory, in two passes; and 3x3 of images of single bits.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void dilation_plain(const unsigned char* in, unsigned char* out, int side, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  unsigned char most = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      const int xx = x + dx, yy = y + dy;
      if (xx >= 0 && xx < side && yy >= 0 && yy < side) {
        const unsigned char v = in[yy * side + xx];
        if (v > most) most = v;
      }
    }
  out[y * side + x] = most;
}

// The queue has the pixels of the window that no later one is as large as, the largest first.
constexpr int kDilationReach = 7;
__global__ void dilation_queue(const unsigned char* in, unsigned char* out, int side) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= side) return;
  int places[16];
  unsigned char values[16];
  int first = 0, end = 0;
  for (int x = 0; x < side + kDilationReach; ++x) {
    if (x < side) {
      const unsigned char v = in[y * side + x];
      while (end > first && values[(end - 1) & 15] <= v) --end;
      places[end & 15] = x;
      values[end & 15] = v;
      ++end;
    }
    if (x < kDilationReach) continue;
    if (places[first & 15] < x - 2 * kDilationReach) ++first;
    out[y * side + x - kDilationReach] = values[first & 15];
  }
}

constexpr int kDilationRows = 16;
__global__ void dilation_quads(const unsigned* __restrict__ in, unsigned* __restrict__ out,
                               int words, int height) {
  __shared__ unsigned tile[kDilationRows + 4][34], wide[kDilationRows + 4][32];
  const int left = blockIdx.x * 32, top = blockIdx.y * kDilationRows;
  const int t = threadIdx.y * 32 + threadIdx.x;
  for (int k = t; k < (kDilationRows + 4) * 34; k += 256) {
    const int x = left + k % 34 - 1, y = top + k / 34 - 2;
    tile[k / 34][k % 34] = x >= 0 && x < words && y >= 0 && y < height ? in[y * words + x] : 0;
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kDilationRows + 4; y += 8) {
    const unsigned a = tile[y][threadIdx.x], b = tile[y][threadIdx.x + 1],
                   c = tile[y][threadIdx.x + 2];
    const unsigned before = __vmaxu4(__byte_perm(a, b, 0x5432), __byte_perm(a, b, 0x6543));
    const unsigned behind = __vmaxu4(__byte_perm(b, c, 0x4321), __byte_perm(b, c, 0x5432));
    wide[y][threadIdx.x] = __vmaxu4(__vmaxu4(before, behind), b);
  }
  __syncthreads();
  const int x = left + threadIdx.x;
  if (x >= words) return;
#pragma unroll
  for (int k = 0; k < kDilationRows; k += 8) {
    const int y = threadIdx.y + k;
    unsigned most = wide[y][threadIdx.x];
#pragma unroll
    for (int d = 1; d < 5; ++d) most = __vmaxu4(most, wide[y + d][threadIdx.x]);
    if (top + y < height) out[(top + y) * words + x] = most;
  }
}

using DilationWord = unsigned long long;
__host__ __device__ inline DilationWord dilation_spread(const DilationWord* row, int x, int words) {
  const DilationWord w = row[x];
  DilationWord result = w | w << 1 | w >> 1;
  if (x > 0) result |= row[x - 1] >> 63;
  if (x + 1 < words) result |= row[x + 1] << 63;
  return result;
}
// A thread goes down some rows of its word's column.
template <int kDown>
__global__ void dilation_bits(const DilationWord* __restrict__ in, DilationWord* __restrict__ out,
                              int words, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, top = blockIdx.y * kDown;
  if (x >= words) return;
  DilationWord above = top > 0 ? dilation_spread(in + (top - 1) * words, x, words) : 0;
  DilationWord here = dilation_spread(in + top * words, x, words);
  const int end = min(height, top + kDown);
  for (int y = top; y < end; ++y) {
    const DilationWord below = y + 1 < height ? dilation_spread(in + (y + 1) * words, x, words) : 0;
    out[y * words + x] = above | here | below;
    above = here;
    here = below;
  }
}

inline Shared<unsigned char> dilation_image(unsigned side) {
  return array<unsigned char>(side * side, [=](unsigned i) {
    const unsigned wave = (i % side) / 3 % 128;  // up and down
    return (wave < 64 ? wave : 127 - wave) + mixed(i) % 160;
  });
}
template <class Launch>
std::function<Problem(unsigned)> dilation_problem(int across, int down, Launch launch) {
  return [=](unsigned side) {
    auto in = dilation_image(side);
    auto out = room<unsigned char>(side * side);
    const int s = static_cast<int>(side);
    return Problem{[=] { launch(in->data(), out->data(), s); },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned i) {
                           const int x = static_cast<int>(i) % s, y = static_cast<int>(i) / s;
                           int most = 0;
                           for (int v = std::max(0, y - down); v <= std::min(s - 1, y + down); ++v)
                             for (int u = std::max(0, x - across); u <= std::min(s - 1, x + across);
                                  ++u)
                               most = std::max<int>(most, in->host[v * s + u]);
                           return most;
                         },
                         0);
                   }};
  };
}
template <int kDown>
Problem dilation_bits_problem(unsigned height) {
  const unsigned words = height / 4;
  auto in = array<DilationWord>(words * height, [](unsigned i) {
    const unsigned a = mixed(i), b = mixed(i ^ 0x5a5a5a5a);
    return (static_cast<DilationWord>(a & a >> 5 & a << 9) << 32) | (b & b >> 7 & b << 3);
  });
  auto out = room<DilationWord>(words * height);
  const int w = static_cast<int>(words), h = static_cast<int>(height);
  return Problem{[=] {
                   dilation_bits<kDown>
                       <<<dim3(blocks_of(words, 128), blocks_of(height, kDown)), 128>>>(
                           in->data(), out->data(), w, h);
                 },
                 [=] {
                   const std::vector<DilationWord> got = out->device.download();
                   for (int i = 0; i < w * h; i += w * h / 1000 | 1) {
                     DilationWord wanted = 0;
                     for (int y = std::max(0, i / w - 1); y <= std::min(h - 1, i / w + 1); ++y)
                       wanted |= dilation_spread(&in->host[y * w], i % w, w);
                     if (got[i] != wanted) return false;
                   }
                   return true;
                 }};
}

inline void add_dilation(Set& set) {
  set.add("dilation_plain", {90, 1100, 2500},
          dilation_problem(2, 2, [](unsigned char* in, unsigned char* out, int side) {
            dilation_plain<<<dim3(blocks_of(side, 16), blocks_of(side, 16)), dim3(16, 16)>>>(
                in, out, side, 2);
          }));
  set.add("dilation_queue", {90, 1100, 3000},
          dilation_problem(kDilationReach, 0, [](unsigned char* in, unsigned char* out, int side) {
            dilation_queue<<<blocks_of(side, 64), 64>>>(in, out, side);
          }));
  set.add("dilation_quads", {180, 2000, 6000},
          dilation_problem(2, 2, [](unsigned char* in, unsigned char* out, int side) {
            dilation_quads<<<dim3(blocks_of(side / 4, 32), blocks_of(side, kDilationRows)),
                             dim3(32, 8)>>>(reinterpret_cast<const unsigned*>(in),
                                            reinterpret_cast<unsigned*>(out), side / 4, side);
          }));
  set.add("dilation_bits", {180, 1500, 4400}, dilation_bits_problem<16>);
}

}  // namespace timing_set

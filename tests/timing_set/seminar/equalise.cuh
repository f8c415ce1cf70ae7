// SPDX-License-Identifier: MIT
// Tone curves of grey pictures: how many pixels each grey has, counted by atomics in global memory,
// or by each block for itself from wide loads; a curve that makes all greys about equally frequent,
// put together by each block and applied in place; and a curve for each tile of a picture, from its
// own counts, which are limited so that noise stays small.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kEqualiseWide = 64, kEqualiseTall = 48;  // a tile
constexpr unsigned kEqualiseLimit = 30;                     // of a grey in a tile

__global__ void equalise_count(const unsigned char* in, unsigned* count, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&count[in[i]], 1u);
}

__device__ inline void equalise_four(unsigned* count, unsigned greys) {
  atomicAdd(&count[greys & 255], 1u);
  atomicAdd(&count[greys >> 8 & 255], 1u);
  atomicAdd(&count[greys >> 16 & 255], 1u);
  atomicAdd(&count[greys >> 24], 1u);
}

__global__ void __launch_bounds__(512)
    equalise_private(const unsigned char* in, unsigned* count, unsigned n) {
  __shared__ unsigned mine[256];
  if (threadIdx.x < 256) mine[threadIdx.x] = 0;
  __syncthreads();
  const uint4* sixteens = reinterpret_cast<const uint4*>(in);
  for (unsigned i = thread_number(); i < n / 16; i += gridDim.x * blockDim.x) {
    const uint4 greys = sixteens[i];
    equalise_four(mine, greys.x);
    equalise_four(mine, greys.y);
    equalise_four(mine, greys.z);
    equalise_four(mine, greys.w);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 16) atomicAdd(&mine[in[n / 16 * 16 + threadIdx.x]], 1u);
  __syncthreads();
  if (threadIdx.x < 256 && mine[threadIdx.x] > 0) atomicAdd(&count[threadIdx.x], mine[threadIdx.x]);
}

__global__ void __launch_bounds__(256)
    equalise_apply(unsigned* picture, const unsigned* count, unsigned words) {
  __shared__ unsigned sums[256];
  __shared__ unsigned char curve[256];
  const unsigned t = threadIdx.x;
  sums[t] = count[t];
  __syncthreads();
  for (unsigned d = 1; d < 256; d *= 2) {
    const unsigned before = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  curve[t] = static_cast<unsigned char>(sums[t] * 255ull / sums[255]);
  __syncthreads();
  for (unsigned i = blockIdx.x * 256 + t; i < words; i += gridDim.x * 256) {
    const unsigned greys = picture[i];
    picture[i] = curve[greys & 255] | curve[greys >> 8 & 255] << 8 |
                 curve[greys >> 16 & 255] << 16 | static_cast<unsigned>(curve[greys >> 24]) << 24;
  }
}

__global__ void __launch_bounds__(256)
    equalise_tiles(const unsigned char* in, unsigned char* out, unsigned width, unsigned height) {
  __shared__ unsigned count[256], sums[8], excess;
  __shared__ unsigned char curve[256];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned left = blockIdx.x * kEqualiseWide, top = blockIdx.y * kEqualiseTall;
  count[t] = 0;
  if (t == 0) excess = 0;
  __syncthreads();
  for (unsigned i = t; i < kEqualiseWide * kEqualiseTall; i += 256) {
    const unsigned x = left + i % kEqualiseWide, y = top + i / kEqualiseWide;
    if (x < width && y < height) atomicAdd(&count[in[y * width + x]], 1u);
  }
  __syncthreads();
  unsigned mine = count[t];
  if (mine > kEqualiseLimit) {
    atomicAdd(&excess, mine - kEqualiseLimit);
    mine = kEqualiseLimit;
  }
  __syncthreads();
  mine += excess / 256;
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned before = __shfl_up_sync(kAll, mine, d);
    if (lane >= d) mine += before;
  }
  if (lane == 31) sums[warp] = mine;
  __syncthreads();
  unsigned total = 0;
  for (unsigned k = 0; k < 8; ++k) {
    if (k == warp) mine += total;
    total += sums[k];
  }
  curve[t] = static_cast<unsigned char>(mine * 255 / total);
  __syncthreads();
  for (unsigned i = t; i < kEqualiseWide * kEqualiseTall; i += 256) {
    const unsigned x = left + i % kEqualiseWide, y = top + i / kEqualiseWide;
    if (x < width && y < height) out[y * width + x] = curve[in[y * width + x]];
  }
}

// More dark than bright, a little darker here and there.
inline Shared<unsigned char> equalise_picture(std::size_t n) {
  return array<unsigned char>(n, [](unsigned i) {
    const unsigned bits = mixed(i + 77);
    return std::min(bits % 256, bits >> 8 & 255) * 3 / 4 + i / 500 % 50;
  });
}

inline std::vector<unsigned> equalise_counted(const std::vector<unsigned char>& greys) {
  std::vector<unsigned> count(256, 0);
  for (const unsigned char grey : greys) ++count[grey];
  return count;
}

inline Problem equalise_count_problem(unsigned n) {
  auto in = equalise_picture(n);
  auto count = room<unsigned>(256);
  return Problem{[=] { equalise_count<<<blocks_of(n), kBlock>>>(in->data(), count->data(), n); },
                 [=] { return count->device.download() == equalise_counted(in->host); },
                 [=] { clear(count); }};
}

inline Problem equalise_private_problem(unsigned n) {
  auto in = equalise_picture(n);
  auto count = room<unsigned>(256);
  return Problem{[=] {
                   equalise_private<<<std::min(blocks_of(n / 16, 512), 264u), 512>>>(
                       in->data(), count->data(), n);
                 },
                 [=] { return count->device.download() == equalise_counted(in->host); },
                 [=] { clear(count); }};
}

inline Problem equalise_apply_problem(unsigned n) {
  auto picture = equalise_picture(n);
  auto count = array(equalise_counted(picture->host));
  return Problem{[=] {
                   equalise_apply<<<std::min(blocks_of(n / 4), 1056u), 256>>>(
                       reinterpret_cast<unsigned*>(picture->data()), count->data(), n / 4);
                 },
                 [=] {
                   std::vector<unsigned> curve(256);
                   unsigned long long sum = 0;
                   for (unsigned k = 0; k < 256; ++k)
                     curve[k] = static_cast<unsigned>((sum += count->host[k]) * 255 / n);
                   return agrees(
                       picture, [&](unsigned i) { return curve[picture->host[i]]; }, 1e-9);
                 },
                 [=] { picture->restore(); }};
}

// The same for a tile on the host: its pixels in the result.
inline bool equalise_tile_right(const std::vector<unsigned char>& in,
                                const std::vector<unsigned char>& got, unsigned width,
                                unsigned height, unsigned left, unsigned top) {
  const unsigned right = std::min(left + kEqualiseWide, width);
  const unsigned bottom = std::min(top + kEqualiseTall, height);
  std::vector<unsigned> count(256, 0), curve(256);
  for (unsigned y = top; y < bottom; ++y)
    for (unsigned x = left; x < right; ++x) ++count[in[y * width + x]];
  unsigned excess = 0, total = 0, sum = 0;
  for (unsigned& of : count) {
    excess += of - std::min(of, kEqualiseLimit);
    of = std::min(of, kEqualiseLimit);
  }
  for (unsigned& of : count) total += of += excess / 256;
  for (unsigned k = 0; k < 256; ++k) curve[k] = (sum += count[k]) * 255 / total;
  for (unsigned y = top; y < bottom; ++y)
    for (unsigned x = left; x < right; ++x)
      if (got[y * width + x] != curve[in[y * width + x]]) return false;
  return true;
}

inline Problem equalise_tiles_problem(unsigned n) {
  const unsigned width = n, height = n * 9 / 16;
  auto in = equalise_picture(static_cast<std::size_t>(width) * height);
  auto out = room<unsigned char>(in->size());
  return Problem{[=] {
                   const dim3 tiles(blocks_of(width, kEqualiseWide),
                                    blocks_of(height, kEqualiseTall));
                   equalise_tiles<<<tiles, 256>>>(in->data(), out->data(), width, height);
                 },
                 [=] {
                   const std::vector<unsigned char> got = out->device.download();
                   for (unsigned top = 0; top < height; top += kEqualiseTall)
                     for (unsigned left = 0; left < width; left += kEqualiseWide)
                       if (!equalise_tile_right(in->host, got, width, height, left, top))
                         return false;
                   return true;
                 }};
}

inline void add_equalise(Set& set) {
  set.add("equalise_count", {20011, 1500007, 9000001}, equalise_count_problem);
  set.add("equalise_private", {20011, 1500007, 30000009}, equalise_private_problem);
  set.add("equalise_apply", {20012, 3000000, 50000004}, equalise_apply_problem);  // by four
  set.add("equalise_tiles", {150, 1300, 3211}, equalise_tiles_problem);
}

}  // namespace timing_set

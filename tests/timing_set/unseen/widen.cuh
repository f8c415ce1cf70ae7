// SPDX-License-Identifier: MIT
// Dilation: the largest of 7 by 7 bytes. From global memory, from a tile in shared memory, and there first along the rows
// and then along the columns.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kArm = 3, kWindow = 2 * kArm + 1;
using Byte = unsigned char;
__global__ void widen_plain(const Byte* in, Byte* out, int side) {
  const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * 8 + threadIdx.y);
  if (x >= side || y >= side) return;
  Byte most = 0;
  for (int row = max(y - kArm, 0); row <= min(y + kArm, side - 1); ++row)
    for (int column = max(x - kArm, 0); column <= min(x + kArm, side - 1); ++column)
      most = max(most, in[row * side + column]);
  out[y * side + x] = most;
}
template <bool InTwo>
__global__ void widen_tile(const Byte* in, Byte* out, int side) {
  constexpr int kHigh = 16 + 2 * kArm, kBroad = 32 + 2 * kArm;
  __shared__ Byte tile[kHigh][kBroad], along[kHigh][32];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int left = static_cast<int>(blockIdx.x * 32), top = static_cast<int>(blockIdx.y * 16);
  for (int k = ty * 32 + tx; k < kHigh * kBroad; k += 512) {
    const int x = left + k % kBroad - kArm, y = top + k / kBroad - kArm;
    const bool there = x >= 0 && y >= 0 && x < side && y < side;
    tile[k / kBroad][k % kBroad] = there ? in[y * side + x] : 0;
  }
  __syncthreads();
  unsigned most = 0;
  if (InTwo) {
    for (int row = ty; row < kHigh; row += 16) {
      unsigned largest = 0;
#pragma unroll
      for (int k = 0; k < kWindow; ++k) largest = max(largest, unsigned{tile[row][tx + k]});
      along[row][tx] = static_cast<Byte>(largest);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kWindow; ++k) most = max(most, unsigned{along[ty + k][tx]});
  } else {
#pragma unroll
    for (int k = 0; k < kWindow * kWindow; ++k)
      most = max(most, unsigned{tile[ty + k / kWindow][tx + k % kWindow]});
  }
  if (left + tx < side && top + ty < side)
    out[(top + ty) * side + left + tx] = static_cast<Byte>(most);
}

template <unsigned Rows, class Function>
std::function<Problem(unsigned)> widen_problem(Function kernel) {
  return [=](unsigned n) {
    const int side = static_cast<int>(n);
    auto in = array<Byte>(n * n, [](unsigned i) { return mixed(i) % 64 ? 0 : mixed(~i) & 255; });
    auto out = room<Byte>(n * n);
    return Problem{[=] {
                     kernel<<<dim3(blocks_of(n, 32), blocks_of(n, Rows)), dim3(32, Rows)>>>(
                         in->data(), out->data(), side);
                   },
                   [=] {
                     return agrees(
                         out,
                         [=](unsigned i) {
                           Byte most = 0;
                           for (int k = 0; k < kWindow * kWindow; ++k) {
                             const int x = static_cast<int>(i) % side + k % kWindow - kArm;
                             const int y = static_cast<int>(i) / side + k / kWindow - kArm;
                             if (x >= 0 && y >= 0 && x < side && y < side)
                               most = std::max(most, in->host[static_cast<unsigned>(y * side + x)]);
                           }
                           return most;
                         },
                         0);
                   }};
  };
}

inline void add_widen(Set& set) {
  const std::vector<unsigned> sizes = {90, 400, 1600};
  set.add("widen_plain", sizes, widen_problem<8>(widen_plain));
  set.add("widen_tile", sizes, widen_problem<16>(widen_tile<false>));
  set.add("widen_in_two", sizes, widen_problem<16>(widen_tile<true>));
}

}  // namespace timing_set

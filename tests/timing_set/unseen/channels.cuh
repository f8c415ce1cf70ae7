// SPDX-License-Identifier: MIT
// A layer of a network: eight planes from eight, by weights of 3 by 3. By a thread for each output, with a tile of a plane in
// shared memory, and by threads that work out all eight planes of their place.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr int kPlanes = 8, kReach = 18;
__global__ void channels_plain(const float* in, const float* weights, float* out, int side) {
  const int x = static_cast<int>(blockIdx.x * 16 + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * 16 + threadIdx.y), to = static_cast<int>(blockIdx.z);
  if (x >= side || y >= side) return;
  float sum = 0;
  for (int from = 0; from < kPlanes; ++from)
    for (int dy = 0; dy < 3; ++dy)
      for (int dx = 0; dx < 3; ++dx) {
        const int column = x + dx - 1, row = y + dy - 1;
        if (column >= 0 && row >= 0 && column < side && row < side)
          sum += weights[((to * kPlanes + from) * 3 + dy) * 3 + dx] *
                 in[(from * side + row) * side + column];
      }
  out[(to * side + y) * side + x] = sum;
}
// Together: how many planes of the result a block works out.
template <int Together>
__global__ void channels_tile(const float* in, const float* weights, float* out, int side) {
  __shared__ float tile[kReach][kReach];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int left = static_cast<int>(blockIdx.x * 16), top = static_cast<int>(blockIdx.y * 16);
  const int first = static_cast<int>(blockIdx.z) * Together;
  float sums[Together] = {};
  for (int from = 0; from < kPlanes; ++from) {
    for (int k = ty * 16 + tx; k < kReach * kReach; k += 256) {
      const int column = left + k % kReach - 1, row = top + k / kReach - 1;
      const bool there = column >= 0 && row >= 0 && column < side && row < side;
      tile[k / kReach][k % kReach] = there ? in[(from * side + row) * side + column] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 9; ++k) {
      const float x = tile[ty + k / 3][tx + k % 3];
#pragma unroll
      for (int to = 0; to < Together; ++to)
        sums[to] += weights[((first + to) * kPlanes + from) * 9 + k] * x;
    }
    __syncthreads();
  }
  if (left + tx >= side || top + ty >= side) return;
#pragma unroll
  for (int to = 0; to < Together; ++to)
    out[((first + to) * side + top + ty) * side + left + tx] = sums[to];
}

template <int Together, class Function>
std::function<Problem(unsigned)> channels_problem(Function kernel) {
  return [=](unsigned n) {
    const int side = static_cast<int>(n);
    auto in = uniform(n * n * kPlanes, 12), out = room<float>(n * n * kPlanes);
    auto weights = uniform(kPlanes * kPlanes * 9, 13);
    return Problem{
        [=] {
          kernel<<<dim3(blocks_of(n, 16), blocks_of(n, 16), kPlanes / Together), dim3(16, 16)>>>(
              in->data(), weights->data(), out->data(), side);
        },
        [=] {
          return agrees(out, [=](unsigned i) {
            const int x = static_cast<int>(i) % side, y = static_cast<int>(i) / side % side;
            const int to = static_cast<int>(i) / side / side;
            double sum = 0;
            for (int k = 0; k < kPlanes * 9; ++k) {
              const int from = k / 9, row = y + k % 9 / 3 - 1, column = x + k % 3 - 1;
              if (column < 0 || row < 0 || column >= side || row >= side) continue;
              sum += weights->host[static_cast<unsigned>(to * kPlanes * 9 + k)] *
                     in->host[static_cast<unsigned>((from * side + row) * side + column)];
            }
            return sum;
          });
        }};
  };
}

inline void add_channels(Set& set) {
  const std::vector<unsigned> sizes = {28, 100, 400};
  set.add("channels_plain", sizes, channels_problem<1>(channels_plain));
  set.add("channels_tile", sizes, channels_problem<1>(channels_tile<1>));
  set.add("channels_together", sizes, channels_problem<kPlanes>(channels_tile<kPlanes>));
}

}  // namespace timing_set

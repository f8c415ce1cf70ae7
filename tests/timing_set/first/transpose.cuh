// SPDX-License-Identifier: MIT
// A square matrix turned over: strided writes, strided reads, through shared memory with and without bank conflicts.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kTile = 32, kTileRows = 8;

__global__ void transpose_write(const float* in, float* out, unsigned n) {
  const unsigned x = blockIdx.x * kTile + threadIdx.x;
  for (unsigned r = threadIdx.y; r < kTile; r += kTileRows) {
    const unsigned y = blockIdx.y * kTile + r;
    out[x * n + y] = in[y * n + x];
  }
}
__global__ void transpose_read(const float* in, float* out, unsigned n) {
  const unsigned x = blockIdx.x * kTile + threadIdx.x;
  for (unsigned r = threadIdx.y; r < kTile; r += kTileRows) {
    const unsigned y = blockIdx.y * kTile + r;
    out[y * n + x] = in[x * n + y];
  }
}
template <unsigned Pad>
__global__ void transpose_tile(const float* in, float* out, unsigned n) {
  __shared__ float tile[kTile][kTile + Pad];
  const unsigned x = blockIdx.x * kTile, y = blockIdx.y * kTile, t = threadIdx.x;
  for (unsigned r = threadIdx.y; r < kTile; r += kTileRows) tile[r][t] = in[(y + r) * n + x + t];
  __syncthreads();
  for (unsigned r = threadIdx.y; r < kTile; r += kTileRows) out[(x + r) * n + y + t] = tile[t][r];
}

template <class Function>
std::function<Problem(unsigned)> transpose_problem(Function kernel) {
  return [kernel](unsigned n) {
    auto in = uniform(std::size_t{n} * n, 1), out = room<float>(std::size_t{n} * n);
    return Problem{[=] {
                     kernel<<<dim3(n / kTile, n / kTile), dim3(kTile, kTileRows)>>>(in->data(),
                                                                                    out->data(), n);
                   },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return in->host[i % n * n + i / n]; }, 0);
                   }};
  };
}

inline void add_transpose(Set& set) {
  const std::vector<unsigned> sizes = {256, 1024, 4096};
  set.add("transpose_write", sizes, transpose_problem(transpose_write));
  set.add("transpose_read", sizes, transpose_problem(transpose_read));
  set.add("transpose_tile", sizes, transpose_problem(transpose_tile<0>));
  set.add("transpose_padded", sizes, transpose_problem(transpose_tile<1>));
}

}  // namespace timing_set

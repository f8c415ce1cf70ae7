// SPDX-License-Identifier: MIT
// The median of 3 by 3 pixels: from global memory, with a tile in shared memory, and by threads that go down a column and
// bring each row of three into order once.
#pragma once
#include "../set.cuh"

namespace timing_set {

__device__ inline void in_order(float& a, float& b) {
  const float smaller = fminf(a, b);
  b = fmaxf(a, b);
  a = smaller;
}
__device__ inline void three_in_order(float& a, float& b, float& c) {
  in_order(a, b);
  in_order(b, c);
  in_order(a, b);
}
__device__ inline float middle_of_three(float a, float b, float c) {
  return fmaxf(fminf(a, b), fminf(fmaxf(a, b), c));
}
// Of three groups in order: among the largest of the smallest, the middle of the middles, the smallest of the largest.
__device__ inline float middle_of_groups(const float* p, const float* q, const float* r) {
  return middle_of_three(fmaxf(fmaxf(p[0], q[0]), r[0]), middle_of_three(p[1], q[1], r[1]),
                         fminf(fminf(p[2], q[2]), r[2]));
}
template <class At>
__device__ float median_of(At at) {
  float rows[3][3];
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    rows[k][0] = at(-1, k - 1), rows[k][1] = at(0, k - 1), rows[k][2] = at(1, k - 1);
    three_in_order(rows[k][0], rows[k][1], rows[k][2]);
  }
  return middle_of_groups(rows[0], rows[1], rows[2]);
}
__host__ __device__ inline int kept_within(int x, int side) {
  return x < 0 ? 0 : x >= side ? side - 1 : x;
}
__global__ void median_plain(const float* in, float* out, int side) {
  const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * 8 + threadIdx.y);
  if (x >= side || y >= side) return;
  out[y * side + x] = median_of([=](int dx, int dy) {
    return in[kept_within(y + dy, side) * side + kept_within(x + dx, side)];
  });
}
__global__ void median_tile(const float* in, float* out, int side) {
  __shared__ float tile[10][34];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int left = static_cast<int>(blockIdx.x * 32), top = static_cast<int>(blockIdx.y * 8);
  for (int k = ty * 32 + tx; k < 340; k += 256)
    tile[k / 34][k % 34] =
        in[kept_within(top + k / 34 - 1, side) * side + kept_within(left + k % 34 - 1, side)];
  __syncthreads();
  if (left + tx >= side || top + ty >= side) return;
  out[(top + ty) * side + left + tx] =
      median_of([&](int dx, int dy) { return tile[ty + 1 + dy][tx + 1 + dx]; });
}
__global__ void median_column(const float* in, float* out, int side) {
  constexpr int kRows = 6;
  const int x = static_cast<int>(thread_number()), top = static_cast<int>(blockIdx.y) * kRows;
  if (x >= side) return;
  float rows[kRows + 2][3];
#pragma unroll
  for (int k = 0; k < kRows + 2; ++k) {
    const int y = kept_within(top + k - 1, side);
    for (int j = 0; j < 3; ++j) rows[k][j] = in[y * side + kept_within(x + j - 1, side)];
    three_in_order(rows[k][0], rows[k][1], rows[k][2]);
  }
#pragma unroll
  for (int k = 0; k < kRows; ++k)
    if (top + k < side)
      out[(top + k) * side + x] = middle_of_groups(rows[k], rows[k + 1], rows[k + 2]);
}

template <class Launch>
std::function<Problem(unsigned)> median_problem(Launch launch) {
  return [=](unsigned n) {
    const int side = static_cast<int>(n);
    auto in = uniform(n * n, 14), out = room<float>(n * n);
    return Problem{
        [=] { launch(in->data(), out->data(), side); },
        [=] {
          return agrees(
              out,
              [=](unsigned i) {
                const int x = static_cast<int>(i) % side, y = static_cast<int>(i) / side;
                float all[9];
                for (int k = 0; k < 9; ++k)
                  all[k] = in->host[static_cast<unsigned>(kept_within(y + k / 3 - 1, side) * side +
                                                          kept_within(x + k % 3 - 1, side))];
                std::sort(all, all + 9);
                return all[4];
              },
              0);
        }};
  };
}

inline void add_median(Set& set) {
  const std::vector<unsigned> sizes = {120, 480, 2500};
  const auto parts = [](int side, unsigned part) {
    return blocks_of(static_cast<unsigned>(side), part);
  };
  set.add("median_plain", sizes, median_problem([=](const float* in, float* out, int side) {
            median_plain<<<dim3(parts(side, 32), parts(side, 8)), dim3(32, 8)>>>(in, out, side);
          }));
  set.add("median_tile", sizes, median_problem([=](const float* in, float* out, int side) {
            median_tile<<<dim3(parts(side, 32), parts(side, 8)), dim3(32, 8)>>>(in, out, side);
          }));
  set.add("median_column", sizes, median_problem([=](const float* in, float* out, int side) {
            median_column<<<dim3(parts(side, 64), parts(side, 6)), 64>>>(in, out, side);
          }));
}

}  // namespace timing_set

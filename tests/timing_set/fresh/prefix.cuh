// SPDX-License-Identifier: MIT
// Prefix sums of rows of 256: by a thread each, by a warp, by a block, and down the columns.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kRow = 256;

__global__ void prefix_thread(const int* in, int* out, unsigned rows) {
  const unsigned r = thread_number();
  if (r >= rows) return;
  int sum = 0;
  for (unsigned k = 0; k < kRow; ++k) out[r * kRow + k] = sum += in[r * kRow + k];
}
__global__ void prefix_warp(const int* in, int* out, unsigned rows) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  int before = 0;
  for (unsigned k = lane; k < kRow; k += 32) {
    int x = in[r * kRow + k];
    for (unsigned d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(kAll, x, d);
      if (lane >= d) x += other;
    }
    out[r * kRow + k] = x += before;
    before = __shfl_sync(kAll, x, 31);
  }
}
__global__ void prefix_block(const int* in, int* out, unsigned) {
  __shared__ int part[2][kRow];
  const unsigned t = threadIdx.x, at = blockIdx.x * kRow + t;
  int now = 0;
  part[0][t] = in[at];
  for (unsigned d = 1; d < kRow; d *= 2) {
    __syncthreads();
    part[1 - now][t] = part[now][t] + (t >= d ? part[now][t - d] : 0);
    now = 1 - now;
  }
  out[at] = part[now][t];
}
// Fours of a row by a thread, its warp adds them up: two chunks of 128.
__global__ void prefix_fours(const int* in, int* out, unsigned rows) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  const int4* const from = reinterpret_cast<const int4*>(in + r * kRow);
  int4* const to = reinterpret_cast<int4*>(out + r * kRow);
  int before = 0;
#pragma unroll
  for (unsigned chunk = 0; chunk < 2; ++chunk) {
    int4 x = from[chunk * 32 + lane];
    x.y += x.x;
    x.z += x.y;
    x.w += x.z;
    int sum = x.w;
    for (unsigned d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(kAll, sum, d);
      if (lane >= d) sum += other;
    }
    const int add = before + sum - x.w;
    to[chunk * 32 + lane] = {x.x + add, x.y + add, x.z + add, x.w + add};
    before += __shfl_sync(kAll, sum, 31);
  }
}

template <class Launch>
std::function<Problem(unsigned)> prefix_problem(Launch launch) {
  return [=](unsigned rows) {
    auto in = array<int>(rows * kRow, [](unsigned i) { return mixed(i) % 100; });
    auto out = room<int>(rows * kRow);
    return Problem{[=] { launch(in->data(), out->data(), rows); },
                   [=] {
                     std::vector<int> wanted = in->host;
                     for (std::size_t i = 0; i < wanted.size(); ++i)
                       if (i % kRow) wanted[i] += wanted[i - 1];
                     return out->device.download() == wanted;
                   }};
  };
}

inline void add_prefix(Set& set) {
  const std::vector<unsigned> sizes = {1 << 6, 1 << 11, 1 << 15};
  using In = const int*;
  set.add("prefix_thread", sizes, prefix_problem([](In in, int* out, unsigned rows) {
            prefix_thread<<<blocks_of(rows, 64), 64>>>(in, out, rows);
          }));
  set.add("prefix_warp", sizes, prefix_problem([](In in, int* out, unsigned rows) {
            prefix_warp<<<blocks_of(rows * 32, 128), 128>>>(in, out, rows);
          }));
  set.add("prefix_block", sizes, prefix_problem([](In in, int* out, unsigned rows) {
            prefix_block<<<rows, kRow>>>(in, out, rows);
          }));
  set.add("prefix_fours", sizes, prefix_problem([](In in, int* out, unsigned rows) {
            prefix_fours<<<blocks_of(rows * 32, 128), 128>>>(in, out, rows);
          }));
}

}  // namespace timing_set

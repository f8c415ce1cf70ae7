// SPDX-License-Identifier: MIT
// A batch of small triangular systems: l * x = b, each l a lower triangular matrix of 16 by 16.
// One system per thread (matrices one after the other, element by element side by side, or packed
// and staged in shared memory), per half warp, per warp, and several per block.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSmallbatchSide = 16;
constexpr unsigned kSmallbatchArea = kSmallbatchSide * kSmallbatchSide;
constexpr unsigned kSmallbatchPacked = kSmallbatchSide * (kSmallbatchSide + 1) / 2;

// The diagonal is between 1 and 2, what is below it between -1/8 and 1/8.
constexpr double smallbatch_entry(unsigned system, unsigned row, unsigned col) {
  if (col > row) return 0;
  const double random = (mixed(system * kSmallbatchArea + row * 16 + col) >> 16) / 65536.0;
  return row == col ? 1 + random : (random - 0.5) / 4;
}
constexpr double smallbatch_given(unsigned system, unsigned row) {
  return (mixed((system * 16 + row) ^ 0xb000'0000u) >> 16) / 65536.0;
}
inline double smallbatch_solution(unsigned system, unsigned row) {
  double x[kSmallbatchSide];
  for (unsigned i = 0; i <= row; ++i) {
    x[i] = smallbatch_given(system, i);
    for (unsigned j = 0; j < i; ++j) x[i] -= smallbatch_entry(system, i, j) * x[j];
    x[i] /= smallbatch_entry(system, i, i);
  }
  return x[row];
}

// One system per thread: neighbouring threads read a whole matrix apart.
__global__ void smallbatch_threads(const float* l, const float* b, float* x, unsigned count) {
  const unsigned system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= count) return;
  l += system * kSmallbatchArea;
  b += system * kSmallbatchSide;
  x += system * kSmallbatchSide;
  float solved[kSmallbatchSide];
#pragma unroll
  for (unsigned i = 0; i < kSmallbatchSide; ++i) {
    float rest = b[i];
#pragma unroll
    for (unsigned j = 0; j < i; ++j) rest -= l[i * kSmallbatchSide + j] * solved[j];
    solved[i] = rest / l[i * kSmallbatchSide + i];
    x[i] = solved[i];
  }
}

// The same with each element of all systems side by side.
__global__ void smallbatch_layers(const float* __restrict__ l, const float* __restrict__ b,
                                  float* __restrict__ x, unsigned count) {
  const unsigned system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= count) return;
  float solved[kSmallbatchSide];
#pragma unroll
  for (unsigned i = 0; i < kSmallbatchSide; ++i) {
    float rest = b[i * count + system];
#pragma unroll
    for (unsigned j = 0; j < i; ++j)
      rest -= l[(i * kSmallbatchSide + j) * count + system] * solved[j];
    solved[i] = rest / l[i * (kSmallbatchSide + 1) * count + system];
    x[i * count + system] = solved[i];
  }
}

// Lower triangles without the zeros above, row by row; a block of 64 threads brings those of 64
// systems to shared memory together. The odd pitch there keeps the threads in different banks.
constexpr unsigned kSmallbatchBlock = 64;
__global__ void smallbatch_staged(const float* __restrict__ l, const float* __restrict__ b,
                                  float* __restrict__ x, unsigned count) {
  constexpr unsigned pitch = kSmallbatchPacked + 1;
  __shared__ float triangles[kSmallbatchBlock * pitch];
  const unsigned first = blockIdx.x * kSmallbatchBlock;
  const unsigned here = min(kSmallbatchBlock, count - first);
  for (unsigned i = threadIdx.x; i < here * kSmallbatchPacked; i += kSmallbatchBlock)
    triangles[i / kSmallbatchPacked * pitch + i % kSmallbatchPacked] =
        l[first * kSmallbatchPacked + i];
  __syncthreads();
  if (threadIdx.x >= here) return;
  const unsigned system = first + threadIdx.x;
  const float* mine = triangles + threadIdx.x * pitch;
  float solved[kSmallbatchSide];
#pragma unroll
  for (unsigned i = 0; i < kSmallbatchSide; ++i) {
    float rest = b[system * kSmallbatchSide + i];
#pragma unroll
    for (unsigned j = 0; j < i; ++j) rest -= mine[i * (i + 1) / 2 + j] * solved[j];
    solved[i] = rest / mine[i * (i + 1) / 2 + i];
    x[system * kSmallbatchSide + i] = solved[i];
  }
}

// Half a warp per system, each lane with one row in registers. Lanes past the end repeat the last
// system, as they shuffle with the others.
__global__ void smallbatch_halves(const float4* __restrict__ l, const float* __restrict__ b,
                                  float* __restrict__ x, unsigned count) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % kSmallbatchSide;
  const unsigned place = min(thread / kSmallbatchSide, count - 1) * kSmallbatchSide + lane;
  float row[kSmallbatchSide];
#pragma unroll
  for (unsigned k = 0; k < kSmallbatchSide / 4; ++k) {
    const float4 four = l[place * (kSmallbatchSide / 4) + k];
    row[4 * k] = four.x;
    row[4 * k + 1] = four.y;
    row[4 * k + 2] = four.z;
    row[4 * k + 3] = four.w;
  }
  float rest = b[place];
#pragma unroll
  for (unsigned j = 0; j < kSmallbatchSide; ++j) {
    if (lane == j) rest /= row[j];
    const float solved = __shfl_sync(kAll, rest, j, kSmallbatchSide);
    if (lane > j) rest -= row[j] * solved;
  }
  if (thread / kSmallbatchSide < count) x[place] = rest;
}

// A warp per system and a sum over the warp for each row, although half of the lanes are idle.
__global__ void smallbatch_warps(const float* __restrict__ l, const float* __restrict__ b,
                                 float* __restrict__ x, unsigned count) {
  const unsigned system = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (system >= count) return;  // the same for the whole warp
  l += system * kSmallbatchArea;
  const float given = lane < kSmallbatchSide ? b[system * kSmallbatchSide + lane] : 0.f;
  float solved = 0;
  for (unsigned i = 0; i < kSmallbatchSide; ++i) {
    const float entry = lane <= i ? l[i * kSmallbatchSide + lane] : 0.f;
    const float sum = warp_sum(lane < i ? entry * solved : 0.f);
    if (lane == i) solved = (given - sum) / entry;
  }
  if (lane < kSmallbatchSide) x[system * kSmallbatchSide + lane] = solved;
}

// Eight systems per block of 16 by 8 threads, in double, with a barrier after each unknown. Past
// the end the last system is repeated, so that all threads reach the barriers.
constexpr unsigned kSmallbatchSystems = 8;
__global__ void smallbatch_blocks(const double* __restrict__ l, const double* __restrict__ b,
                                  double* __restrict__ x, unsigned count) {
  __shared__ double matrices[kSmallbatchSystems][kSmallbatchSide][kSmallbatchSide + 1];
  __shared__ double solved[kSmallbatchSystems][kSmallbatchSide];
  const unsigned row = threadIdx.x, mine = threadIdx.y;
  const unsigned wanted = blockIdx.x * kSmallbatchSystems + mine;
  const unsigned system = min(wanted, count - 1);
  for (unsigned i = 0; i < kSmallbatchSide; ++i)
    matrices[mine][i][row] = l[system * kSmallbatchArea + i * kSmallbatchSide + row];
  double rest = b[system * kSmallbatchSide + row];
  __syncthreads();
  for (unsigned j = 0; j < kSmallbatchSide; ++j) {
    if (row == j) solved[mine][j] = rest / matrices[mine][j][j];
    __syncthreads();
    if (row > j) rest -= matrices[mine][row][j] * solved[mine][j];
  }
  if (wanted < count) x[system * kSmallbatchSide + row] = solved[mine][row];
}

// Matrices and given sides one after the other, room for the solutions, and a check of them.
template <class T, class Launch>
Problem smallbatch_problem(unsigned count, Launch launch) {
  auto l = array<T>(count * kSmallbatchArea, [](unsigned i) {
    return smallbatch_entry(i / kSmallbatchArea, i / kSmallbatchSide % kSmallbatchSide,
                            i % kSmallbatchSide);
  });
  auto b = array<T>(count * kSmallbatchSide, [](unsigned i) {
    return smallbatch_given(i / kSmallbatchSide, i % kSmallbatchSide);
  });
  auto x = room<T>(count * kSmallbatchSide);
  return Problem{[=] { launch(l->data(), b->data(), x->data()); },
                 [=] {
                   return agrees(x, [](unsigned i) {
                     return smallbatch_solution(i / kSmallbatchSide, i % kSmallbatchSide);
                   });
                 }};
}

inline Problem smallbatch_side_by_side(unsigned count) {
  auto l = array<float>(count * kSmallbatchArea, [=](unsigned i) {
    const unsigned element = i / count;
    return smallbatch_entry(i % count, element / kSmallbatchSide, element % kSmallbatchSide);
  });
  auto b = array<float>(count * kSmallbatchSide,
                        [=](unsigned i) { return smallbatch_given(i % count, i / count); });
  auto x = room<float>(count * kSmallbatchSide);
  return Problem{
      [=] {
        smallbatch_layers<<<blocks_of(count, 256), 256>>>(l->data(), b->data(), x->data(), count);
      },
      [=] {
        return agrees(x, [=](unsigned i) { return smallbatch_solution(i % count, i / count); });
      }};
}

inline Problem smallbatch_of_packed(unsigned count) {
  std::vector<float> packed;
  packed.reserve(count * kSmallbatchPacked);
  for (unsigned system = 0; system < count; ++system)
    for (unsigned row = 0; row < kSmallbatchSide; ++row)
      for (unsigned col = 0; col <= row; ++col)
        packed.push_back(static_cast<float>(smallbatch_entry(system, row, col)));
  auto l = array(std::move(packed));
  auto b = array<float>(count * kSmallbatchSide, [](unsigned i) {
    return smallbatch_given(i / kSmallbatchSide, i % kSmallbatchSide);
  });
  auto x = room<float>(count * kSmallbatchSide);
  return Problem{[=] {
                   smallbatch_staged<<<blocks_of(count, kSmallbatchBlock), kSmallbatchBlock>>>(
                       l->data(), b->data(), x->data(), count);
                 },
                 [=] {
                   return agrees(x, [](unsigned i) {
                     return smallbatch_solution(i / kSmallbatchSide, i % kSmallbatchSide);
                   });
                 }};
}

inline void add_smallbatch(Set& set) {
  const std::vector<unsigned> sizes = {1'500, 36'003, 90'001};
  set.add("smallbatch_threads", sizes, [](unsigned n) {
    return smallbatch_problem<float>(n, [n](const float* l, const float* b, float* x) {
      smallbatch_threads<<<blocks_of(n, 128), 128>>>(l, b, x, n);
    });
  });
  set.add("smallbatch_layers", sizes, smallbatch_side_by_side);
  set.add("smallbatch_staged", sizes, smallbatch_of_packed);
  set.add("smallbatch_halves", sizes, [](unsigned n) {
    return smallbatch_problem<float>(n, [n](const float* l, const float* b, float* x) {
      smallbatch_halves<<<blocks_of(kSmallbatchSide * n, 256), 256>>>(
          reinterpret_cast<const float4*>(l), b, x, n);
    });
  });
  set.add("smallbatch_warps", sizes, [](unsigned n) {
    return smallbatch_problem<float>(n, [n](const float* l, const float* b, float* x) {
      smallbatch_warps<<<blocks_of(32 * n, 512), 512>>>(l, b, x, n);
    });
  });
  set.add("smallbatch_blocks", sizes, [](unsigned n) {
    return smallbatch_problem<double>(n, [n](const double* l, const double* b, double* x) {
      smallbatch_blocks<<<blocks_of(n, kSmallbatchSystems), dim3(16, kSmallbatchSystems)>>>(l, b, x,
                                                                                            n);
    });
  });
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// A sparse matrix times a vector, kept as triplets (an atomic for each, or for each run within a warp), and kept as
// diagonals.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kPerRow = 12;
__global__ void triplets_each(const unsigned* row, const unsigned* column, const float* value,
                              const float* x, float* y, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) atomicAdd(&y[row[i]], value[i] * x[column[i]]);
}
__global__ void triplets_by_run(const unsigned* row, const unsigned* column, const float* value,
                                const float* x, float* y, unsigned n) {
  const unsigned i = thread_number(), lane = threadIdx.x % 32;
  const unsigned own = i < n ? row[i] : 0xffffffffu;
  float sum = i < n ? value[i] * x[column[i]] : 0;
  const unsigned same = __match_any_sync(kAll, own);  // rows come in order: a run
  for (unsigned d = 1; d < 32; d *= 2) {
    const float other = __shfl_down_sync(kAll, sum, d);
    if (lane + d < 32 && same >> (lane + d) & 1) sum += other;
  }
  if (i < n && lane == static_cast<unsigned>(__ffs(same) - 1)) atomicAdd(&y[own], sum);
}
constexpr int kDiagonals = 9;
__constant__ int offsets[kDiagonals] = {-1024, -512, -32, -1, 0, 1, 32, 512, 1024};
__global__ void diagonals_times(const float* value, const float* x, float* y, int rows) {
  const int r = static_cast<int>(thread_number());
  if (r >= rows) return;
  float sum = 0;
  for (int d = 0; d < kDiagonals; ++d) {
    const int c = r + offsets[d];
    if (c >= 0 && c < rows) sum += value[d * rows + r] * x[c];
  }
  y[r] = sum;
}

template <class Function>
std::function<Problem(unsigned)> triplets_problem(Function kernel) {
  return [=](unsigned rows) {
    const unsigned n = rows * kPerRow;
    auto row = array<unsigned>(n, [](unsigned i) { return i / kPerRow; });
    auto column = array<unsigned>(n, [=](unsigned i) { return mixed(i) % rows; });
    auto value = uniform(n, 1), x = uniform(rows, 2), y = room<float>(rows);
    return Problem{[=] {
                     kernel<<<blocks_of(n), kBlock>>>(row->data(), column->data(), value->data(),
                                                      x->data(), y->data(), n);
                   },
                   [=] {
                     return agrees(y, [=](unsigned r) {
                       double sum = 0;
                       for (unsigned i = r * kPerRow; i < (r + 1) * kPerRow; ++i)
                         sum += double{value->host[i]} * x->host[column->host[i]];
                       return sum;
                     });
                   },
                   [=] { clear(y); }};
  };
}
inline Problem diagonals_problem(unsigned rows) {
  static constexpr int kOffsets[kDiagonals] = {-1024, -512, -32, -1, 0, 1, 32, 512, 1024};
  auto value = uniform(rows * kDiagonals, 1), x = uniform(rows, 2), y = room<float>(rows);
  return {[=] {
            diagonals_times<<<blocks_of(rows), kBlock>>>(value->data(), x->data(), y->data(),
                                                         static_cast<int>(rows));
          },
          [=] {
            return agrees(y, [=](unsigned r) {
              double sum = 0;
              for (int d = 0; d < kDiagonals; ++d) {
                const int c = static_cast<int>(r) + kOffsets[d];
                if (c >= 0 && c < static_cast<int>(rows))
                  sum += double{value->host[d * rows + r]} * x->host[c];
              }
              return sum;
            });
          }};
}

inline void add_triplets(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 16, 1 << 19};
  set.add("triplets_each", sizes, triplets_problem(triplets_each));
  set.add("triplets_by_run", sizes, triplets_problem(triplets_by_run));
  set.add("diagonals_times", sizes, diagonals_problem);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// A sparse matrix times a vector: rows in a list, by a thread or a warp each; rows of equal length, by row and by column.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void rows_by_thread(const unsigned* begin, const unsigned* column, const float* value,
                               const float* x, float* y, unsigned rows) {
  const unsigned r = thread_number();
  if (r >= rows) return;
  float sum = 0;
  for (unsigned k = begin[r]; k < begin[r + 1]; ++k) sum += value[k] * x[column[k]];
  y[r] = sum;
}
__global__ void rows_by_warp(const unsigned* begin, const unsigned* column, const float* value,
                             const float* x, float* y, unsigned rows) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float sum = 0;
  for (unsigned k = begin[r] + lane; k < begin[r + 1]; k += 32) sum += value[k] * x[column[k]];
  sum = warp_sum(sum);
  if (lane == 0) y[r] = sum;
}
constexpr unsigned kWidth = 16;
template <bool ByColumn>
__global__ void equal_rows(const unsigned* column, const float* value, const float* x, float* y,
                           unsigned rows) {
  const unsigned r = thread_number();
  if (r >= rows) return;
  float sum = 0;
  for (unsigned k = 0; k < kWidth; ++k) {
    const unsigned at = ByColumn ? k * rows + r : r * kWidth + k;
    sum += value[at] * x[column[at]];
  }
  y[r] = sum;
}

// Rows of 4 to 60 elements, 16 on average: most are short.
template <class Function>
std::function<Problem(unsigned)> list_problem(Function kernel, unsigned threads_per_row) {
  return [=](unsigned rows) {
    std::vector<unsigned> begin(1, 0);
    for (unsigned r = 0; r < rows; ++r)
      begin.push_back(begin.back() + (mixed(r) % 8 ? 4 + mixed(r) % 16 : 28 + mixed(r) / 8 % 32));
    auto start = array(begin);
    auto column = array<unsigned>(begin.back(), [=](unsigned k) { return mixed(k) % rows; });
    auto value = uniform(begin.back(), 1), x = uniform(rows, 2), y = room<float>(rows);
    return Problem{[=] {
                     kernel<<<blocks_of(std::size_t{rows} * threads_per_row), kBlock>>>(
                         start->data(), column->data(), value->data(), x->data(), y->data(), rows);
                   },
                   [=] {
                     return agrees(y, [=](unsigned r) {
                       double sum = 0;
                       for (unsigned k = start->host[r]; k < start->host[r + 1]; ++k)
                         sum += double{value->host[k]} * x->host[column->host[k]];
                       return sum;
                     });
                   }};
  };
}
template <bool ByColumn>
Problem equal_problem(unsigned rows) {
  auto column = array<unsigned>(rows * kWidth, [=](unsigned k) { return mixed(k) % rows; });
  auto value = uniform(rows * kWidth, 1), x = uniform(rows, 2), y = room<float>(rows);
  return {[=] {
            equal_rows<ByColumn><<<blocks_of(rows), kBlock>>>(column->data(), value->data(),
                                                              x->data(), y->data(), rows);
          },
          [=] {
            return agrees(y, [=](unsigned r) {
              double sum = 0;
              for (unsigned k = 0; k < kWidth; ++k) {
                const unsigned at = ByColumn ? k * rows + r : r * kWidth + k;
                sum += double{value->host[at]} * x->host[column->host[at]];
              }
              return sum;
            });
          }};
}

inline void add_sparse(Set& set) {
  const std::vector<unsigned> sizes = {1 << 12, 1 << 15, 1 << 18};
  set.add("rows_by_thread", sizes, list_problem(rows_by_thread, 1));
  set.add("rows_by_warp", sizes, list_problem(rows_by_warp, 32));
  set.add("equal_rows_by_row", sizes, equal_problem<false>);
  set.add("equal_rows_by_column", sizes, equal_problem<true>);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// A sparse matrix of blocks of 4 by 4 times a vector: by a thread for a row, reading single values or four at once, and by a
// warp for a row of blocks.
#pragma once
#include "../set.cuh"

namespace timing_set {

struct Blocked {
  const unsigned *begin, *column;
  const float* values;
};
__global__ void blocked_single(Blocked m, const float* x, float* y, unsigned rows) {
  const unsigned row = thread_number();
  if (row >= rows * 4) return;
  float sum = 0;
  for (unsigned b = m.begin[row / 4]; b < m.begin[row / 4 + 1]; ++b)
    for (unsigned k = 0; k < 4; ++k)
      sum += m.values[b * 16 + row % 4 * 4 + k] * x[m.column[b] * 4 + k];
  y[row] = sum;
}
__global__ void blocked_fours(Blocked m, const float* x, float* y, unsigned rows) {
  const unsigned row = thread_number();
  if (row >= rows * 4) return;
  const auto values = reinterpret_cast<const float4*>(m.values);
  const auto vector = reinterpret_cast<const float4*>(x);
  float sum = 0;
  for (unsigned b = m.begin[row / 4]; b < m.begin[row / 4 + 1]; ++b) {
    const float4 v = values[b * 4 + row % 4], w = vector[m.column[b]];
    sum += v.x * w.x + v.y * w.y + v.z * w.z + v.w * w.w;
  }
  y[row] = sum;
}
// Half a warp has a block at a time; four lanes have a row of it.
__global__ void blocked_warp(Blocked m, const float* x, float* y, unsigned rows) {
  const unsigned row = thread_number() / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (unsigned b = m.begin[row] + lane / 16; b < m.begin[row + 1]; b += 2)
    sum += m.values[b * 16 + lane % 16] * x[m.column[b] * 4 + lane % 4];
  sum += __shfl_xor_sync(kAll, sum, 16);
  sum += __shfl_xor_sync(kAll, sum, 2);
  sum += __shfl_xor_sync(kAll, sum, 1);
  if (lane < 16 && lane % 4 == 0) y[row * 4 + lane / 4] = sum;
}

template <unsigned Threads, unsigned Block, class Function>
std::function<Problem(unsigned)> blocked_problem(Function kernel) {
  return [=](unsigned rows) {
    std::vector<unsigned> begins(1, 0), columns;
    for (unsigned r = 0; r < rows; ++r) {
      for (unsigned b = 0; b < 3 + mixed(r) % 11; ++b) {
        const unsigned s = mixed(r * 31 + b);
        columns.push_back(s % 4 ? (r + s / 4 % 40) % rows : s / 4 % rows);  // most are near
      }
      begins.push_back(static_cast<unsigned>(columns.size()));
    }
    auto values = uniform(columns.size() * 16, 15), x = uniform(rows * 4, 16);
    auto begin = array(std::move(begins)), column = array(std::move(columns));
    auto y = room<float>(rows * 4);
    return Problem{
        [=] {
          kernel<<<blocks_of(rows * Threads, Block), Block>>>(
              Blocked{begin->data(), column->data(), values->data()}, x->data(), y->data(), rows);
        },
        [=] {
          return agrees(y, [=](unsigned i) {
            double sum = 0;
            for (unsigned b = begin->host[i / 4]; b < begin->host[i / 4 + 1]; ++b)
              for (unsigned k = 0; k < 4; ++k)
                sum += values->host[b * 16 + i % 4 * 4 + k] * x->host[column->host[b] * 4 + k];
            return sum;
          });
        }};
  };
}

inline void add_blocked(Set& set) {
  const std::vector<unsigned> sizes = {300, 4000, 80000};
  set.add("blocked_single", sizes, blocked_problem<4, 128>(blocked_single));
  set.add("blocked_fours", sizes, blocked_problem<4, 128>(blocked_fours));
  set.add("blocked_warp", sizes, blocked_problem<32, 256>(blocked_warp));
}

}  // namespace timing_set

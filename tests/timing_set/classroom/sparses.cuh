// SPDX-License-Identifier: MIT
// A sparse matrix times a vector, the same matrix in four ways: compressed rows with a thread for
// each row; compressed rows with a warp for each row; rows padded to the same length and stored
// column by column; and a list of row, column and value with a thread and an atomic addition for
// each. Half of the elements are near the diagonal.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void sparses_csr_thread(const unsigned* starts, const unsigned* columns,
                                   const float* values, const float* x, float* y, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (unsigned i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

__global__ void sparses_csr_warp(const unsigned* __restrict__ starts,
                                 const unsigned* __restrict__ columns,
                                 const float* __restrict__ values, const float* __restrict__ x,
                                 float* __restrict__ y, unsigned rows) {
  const unsigned row = thread_number() / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const unsigned end = starts[row + 1];
  float sum = 0;
  for (unsigned i = starts[row] + lane; i < end; i += 32) sum += values[i] * x[columns[i]];
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}

constexpr unsigned kSparsesWidth = 64;  // the longest row

__global__ void sparses_ell(const int* columns, const float* values, const float* x, float* y,
                            unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (unsigned j = 0; j < kSparsesWidth; ++j) {
    const int column = columns[j * rows + row];
    if (column >= 0) sum += values[j * rows + row] * x[column];
  }
  y[row] = sum;
}

__global__ void sparses_coo(const unsigned* row, const unsigned* column, const float* value,
                            const float* x, float* y, unsigned elements) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) atomicAdd(&y[row[i]], value[i] * x[column[i]]);
}

// The matrix: how long a row is, and where its elements are and what.
inline unsigned sparses_length(unsigned row) { return 5 + mixed(row + 51) % (kSparsesWidth - 4); }
inline unsigned sparses_column(unsigned row, unsigned j, unsigned rows) {
  return (j % 2 == 0 ? row + j : mixed(row * kSparsesWidth + j)) % rows;
}
inline float sparses_value(unsigned row, unsigned j) {
  return float(mixed(row * kSparsesWidth + j + 52) >> 16) / 65536;
}

inline bool sparses_right(const Shared<float>& y, const Shared<float>& x) {
  return agrees(y, [&](unsigned row) {
    double sum = 0;
    for (unsigned j = 0; j < sparses_length(row); ++j)
      sum += double(sparses_value(row, j)) * x->host[sparses_column(row, j, x->size())];
    return sum;
  });
}

struct SparsesRows {
  Shared<unsigned> starts, columns;
  Shared<float> values;
};
inline SparsesRows sparses_rows(unsigned rows) {
  std::vector<unsigned> starts(1), columns;
  std::vector<float> values;
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned j = 0; j < sparses_length(row); ++j) {
      columns.push_back(sparses_column(row, j, rows));
      values.push_back(sparses_value(row, j));
    }
    starts.push_back(static_cast<unsigned>(columns.size()));
  }
  return {array(std::move(starts)), array(std::move(columns)), array(std::move(values))};
}

inline Problem sparses_csr_thread_problem(unsigned n) {
  const SparsesRows rows = sparses_rows(n);
  auto x = uniform(n, 53), y = room<float>(n);
  return Problem{[=] {
                   sparses_csr_thread<<<blocks_of(n, 128), 128>>>(
                       rows.starts->data(), rows.columns->data(), rows.values->data(), x->data(),
                       y->data(), n);
                 },
                 [=] { return sparses_right(y, x); }};
}

inline Problem sparses_csr_warp_problem(unsigned n) {
  const SparsesRows rows = sparses_rows(n);
  auto x = uniform(n, 53), y = room<float>(n);
  return Problem{[=] {
                   sparses_csr_warp<<<blocks_of(std::size_t{n} * 32, 512), 512>>>(
                       rows.starts->data(), rows.columns->data(), rows.values->data(), x->data(),
                       y->data(), n);
                 },
                 [=] { return sparses_right(y, x); }};
}

inline Problem sparses_ell_problem(unsigned n) {
  const std::size_t all = std::size_t{n} * kSparsesWidth;
  const auto there = [n](unsigned i) { return i / n < sparses_length(i % n); };
  auto columns = array<int>(all, [=](unsigned i) {
    return there(i) ? static_cast<int>(sparses_column(i % n, i / n, n)) : -1;
  });
  auto values =
      array<float>(all, [=](unsigned i) { return there(i) ? sparses_value(i % n, i / n) : 0.0f; });
  auto x = uniform(n, 53), y = room<float>(n);
  return Problem{[=] {
                   sparses_ell<<<blocks_of(n), kBlock>>>(columns->data(), values->data(), x->data(),
                                                         y->data(), n);
                 },
                 [=] { return sparses_right(y, x); }};
}

inline Problem sparses_coo_problem(unsigned n) {
  const SparsesRows rows = sparses_rows(n);
  std::vector<unsigned> row_of;
  for (unsigned row = 0; row < n; ++row) row_of.insert(row_of.end(), sparses_length(row), row);
  auto row = array(std::move(row_of));
  auto x = uniform(n, 53), y = room<float>(n);
  return Problem{[=] {
                   sparses_coo<<<blocks_of(row->size(), 1024), 1024>>>(
                       row->data(), rows.columns->data(), rows.values->data(), x->data(), y->data(),
                       row->size());
                 },
                 [=] { return sparses_right(y, x); }, [=] { clear(y); }};
}

inline void add_sparses(Set& set) {
  const std::vector<unsigned> sizes = {700, 80000, 250001};  // rows
  set.add("sparses_csr_thread", sizes, sparses_csr_thread_problem);
  set.add("sparses_csr_warp", sizes, sparses_csr_warp_problem);
  set.add("sparses_ell", sizes, sparses_ell_problem);
  set.add("sparses_coo", sizes, sparses_coo_problem);
}

}  // namespace timing_set

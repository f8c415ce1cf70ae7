// SPDX-License-Identifier: MIT
// Sparse rows: a sparse matrix of n rows and columns times a vector. A row has 1 to 64 elements,
// 17 on average: CSR with a thread or a warp per row, ELL (padded to 64), COO with atomics.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kRowsparseWidth = 64;  // of the longest row

__global__ void rowsparse_scalar(const unsigned* first, const unsigned* columns,
                                 const float* values, const float* x, float* y, unsigned n) {
  const unsigned row = thread_number();
  if (row >= n) return;
  float sum = 0;
  for (unsigned i = first[row]; i < first[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

__global__ void rowsparse_warps(const unsigned* __restrict__ first,
                                const unsigned* __restrict__ columns,
                                const float* __restrict__ values, const float* __restrict__ x,
                                float* __restrict__ y, unsigned n) {
  const unsigned row = thread_number() / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  const unsigned end = first[row + 1];
  float sum = 0;
  for (unsigned i = first[row] + lane; i < end; i += 32) sum += values[i] * x[columns[i]];
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}

// Element k of all rows lies side by side; a column of -1 is padding.
__global__ void rowsparse_ell(const int* __restrict__ columns, const float* __restrict__ values,
                              const float* __restrict__ x, float* y, int n, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    const int column = columns[k * n + row];
    if (column >= 0) sum += values[k * n + row] * x[column];
  }
  y[row] = sum;
}

struct RowsparseElement {
  unsigned row, column;
  float value;
};
__global__ void rowsparse_coo(const RowsparseElement* elements, const float* x, float* y,
                              unsigned count) {
  const unsigned i = thread_number();
  if (i >= count) return;
  const RowsparseElement element = elements[i];
  atomicAdd(&y[element.row], element.value * x[element.column]);
}

struct RowsparseMatrix {
  std::vector<unsigned> first, columns;
  std::vector<float> values;
};
inline unsigned rowsparse_length(unsigned row) {
  const double u = (mixed(row + 12345) >> 16) / 65536.0;
  return 1 + static_cast<unsigned>(kRowsparseWidth * u * u * u);
}
// Columns ascend within a row: one somewhere in each of as many equal parts.
inline std::shared_ptr<RowsparseMatrix> rowsparse_matrix(unsigned n) {
  auto matrix = std::make_shared<RowsparseMatrix>();
  matrix->first.push_back(0);
  for (unsigned row = 0; row < n; ++row) {
    const unsigned length = rowsparse_length(row), part = n / length;
    for (unsigned k = 0; k < length; ++k) {
      const unsigned random = mixed(row * kRowsparseWidth + k);
      matrix->columns.push_back(k * part + random % part);
      matrix->values.push_back((mixed(random) >> 16) / 65536.0f);
    }
    matrix->first.push_back(static_cast<unsigned>(matrix->columns.size()));
  }
  return matrix;
}
inline bool rowsparse_right(const RowsparseMatrix& matrix, const Shared<float>& x,
                            const Shared<float>& y) {
  return agrees(y, [&](unsigned row) {
    double sum = 0;
    for (unsigned i = matrix.first[row]; i < matrix.first[row + 1]; ++i)
      sum += static_cast<double>(matrix.values[i]) * x->host[matrix.columns[i]];
    return sum;
  });
}

inline void add_rowsparse(Set& set) {
  const std::vector<unsigned> sizes = {20000, 250000};
  set.add("rowsparse_scalar", sizes, [](unsigned n) {
    auto matrix = rowsparse_matrix(n);
    auto first = array(matrix->first), columns = array(matrix->columns);
    auto values = array(matrix->values), x = uniform(n, 1), y = room<float>(n);
    return Problem{[=] {
                     rowsparse_scalar<<<blocks_of(n), kBlock>>>(
                         first->data(), columns->data(), values->data(), x->data(), y->data(), n);
                   },
                   [=] { return rowsparse_right(*matrix, x, y); }};
  });
  set.add("rowsparse_warps", sizes, [](unsigned n) {
    auto matrix = rowsparse_matrix(n);
    auto first = array(matrix->first), columns = array(matrix->columns);
    auto values = array(matrix->values), x = uniform(n, 1), y = room<float>(n);
    return Problem{[=] {
                     rowsparse_warps<<<blocks_of(n, 4), 128>>>(
                         first->data(), columns->data(), values->data(), x->data(), y->data(), n);
                   },
                   [=] { return rowsparse_right(*matrix, x, y); }};
  });
  set.add("rowsparse_ell", sizes, [](unsigned n) {
    auto matrix = rowsparse_matrix(n);
    const std::size_t room_of_all = std::size_t(n) * kRowsparseWidth;
    std::vector<int> padded_columns(room_of_all, -1);
    std::vector<float> padded_values(room_of_all, 0);
    for (unsigned row = 0; row < n; ++row)
      for (unsigned i = matrix->first[row]; i < matrix->first[row + 1]; ++i) {
        const std::size_t to = std::size_t(i - matrix->first[row]) * n + row;
        padded_columns[to] = matrix->columns[i];
        padded_values[to] = matrix->values[i];
      }
    auto columns = array(std::move(padded_columns));
    auto values = array(std::move(padded_values)), x = uniform(n, 1), y = room<float>(n);
    return Problem{[=] {
                     rowsparse_ell<<<blocks_of(n, 192), 192>>>(
                         columns->data(), values->data(), x->data(), y->data(), n, kRowsparseWidth);
                   },
                   [=] { return rowsparse_right(*matrix, x, y); }};
  });
  set.add("rowsparse_coo", sizes, [](unsigned n) {
    auto matrix = rowsparse_matrix(n);
    std::vector<RowsparseElement> listed;
    for (unsigned row = 0; row < n; ++row)
      for (unsigned i = matrix->first[row]; i < matrix->first[row + 1]; ++i)
        listed.push_back({row, matrix->columns[i], matrix->values[i]});
    auto elements = array(std::move(listed));
    auto x = uniform(n, 1), y = room<float>(n);
    return Problem{[=] {
                     rowsparse_coo<<<blocks_of(elements->size(), 1024), 1024>>>(
                         elements->data(), x->data(), y->data(), elements->size());
                   },
                   [=] { return rowsparse_right(*matrix, x, y); }, [=] { clear(y); }};
  });
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// A sparse matrix times eight dense columns. The matrix has four to sixteen numbers in a row, most of them not far from
// the diagonal. By rows (CSR), a thread for each or a warp for each; in rows of equal length (ELL) in double, where the
// dense columns lie one after another; and by columns (CSC), where eight threads add what a column gives, by atomics.
#pragma once

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSpmmsDense = 8;    // dense columns
constexpr unsigned kSpmmsLength = 16;  // numbers in the longest row

__global__ void spmms_thread(const unsigned* start, const unsigned* column, const float* value,
                             const float* dense, float* out, unsigned rows) {
  const unsigned row = thread_number();
  if (row >= rows) return;
  float sum[kSpmmsDense] = {};
  for (unsigned k = start[row]; k < start[row + 1]; ++k) {
    const float a = value[k];
    const float* from = dense + column[k] * kSpmmsDense;
    for (unsigned j = 0; j < kSpmmsDense; ++j) sum[j] += a * from[j];
  }
  for (unsigned j = 0; j < kSpmmsDense; ++j) out[row * kSpmmsDense + j] = sum[j];
}

// Four numbers of the row at a time, each by eight lanes.
__global__ void spmms_warp(const unsigned* __restrict__ start, const unsigned* __restrict__ column,
                           const float* __restrict__ value, const float* __restrict__ dense,
                           float* __restrict__ out, unsigned rows) {
  const unsigned row = thread_number() / 32;
  if (row >= rows) return;
  const unsigned lane = threadIdx.x % 32;
  const unsigned j = lane % kSpmmsDense;
  const unsigned end = start[row + 1];
  float sum = 0;
  for (unsigned k = start[row] + lane / kSpmmsDense; k < end; k += 32 / kSpmmsDense)
    sum += value[k] * dense[column[k] * kSpmmsDense + j];
  sum += __shfl_xor_sync(kAll, sum, 8);
  sum += __shfl_xor_sync(kAll, sum, 16);
  if (lane < kSpmmsDense) out[row * kSpmmsDense + j] = sum;
}

// The k-th numbers of all rows lie side by side; two dense columns for each thread.
__global__ void spmms_ell(const int* __restrict__ column, const double* __restrict__ value,
                          const double* __restrict__ dense, double* __restrict__ out,
                          unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const double* left = dense + 2 * blockIdx.y * static_cast<size_t>(rows);
  const double* right = left + rows;
  double one = 0, two = 0;
  for (unsigned k = 0; k < kSpmmsLength; ++k) {
    const int c = column[k * rows + row];
    if (c < 0) break;  // what is left of the row is empty
    const double a = value[k * rows + row];
    one += a * left[c];
    two += a * right[c];
  }
  out[2 * blockIdx.y * static_cast<size_t>(rows) + row] = one;
  out[(2 * blockIdx.y + 1) * static_cast<size_t>(rows) + row] = two;
}

__global__ void spmms_column(const unsigned* start, const unsigned* row, const float* value,
                             const float* dense, float* out, unsigned columns) {
  const unsigned c = thread_number() / kSpmmsDense;
  const unsigned j = thread_number() % kSpmmsDense;
  if (c >= columns) return;
  const float x = dense[c * kSpmmsDense + j];
  const unsigned end = start[c + 1];
  for (unsigned k = start[c]; k < end; ++k) atomicAdd(&out[row[k] * kSpmmsDense + j], value[k] * x);
}

struct SpmmsMatrix {
  std::vector<unsigned> start, column;
  std::vector<float> value;

  // One element of the product, where dense(c, j) is what it is multiplied with.
  template <class Dense>
  double product(unsigned row, unsigned j, Dense dense) const {
    double sum = 0;
    for (unsigned k = start[row]; k < start[row + 1]; ++k)
      sum += double(value[k]) * dense(column[k], j);
    return sum;
  }
};

inline std::shared_ptr<SpmmsMatrix> spmms_matrix(unsigned rows) {
  auto made = std::make_shared<SpmmsMatrix>();
  made->start.push_back(0);
  for (unsigned row = 0; row < rows; ++row) {
    const unsigned length = 4 + mixed(row + 77) % (kSpmmsLength - 3);
    for (unsigned k = 0; k < length; ++k) {
      const unsigned chance = mixed(row * kSpmmsLength + k);
      const bool far = chance % 8 == 0;
      made->column.push_back(far ? (chance >> 4) % rows
                                 : (row + rows - 600 + (chance >> 4) % 1201) % rows);
      made->value.push_back((mixed(chance) >> 16) / 65536.0f - 0.25f);
    }
    made->start.push_back(static_cast<unsigned>(made->column.size()));
  }
  return made;
}

// The same with rows and columns exchanged.
inline SpmmsMatrix spmms_turned(const SpmmsMatrix& matrix) {
  const unsigned rows = static_cast<unsigned>(matrix.start.size()) - 1;
  SpmmsMatrix made{std::vector<unsigned>(rows + 1), std::vector<unsigned>(matrix.column.size()),
                   std::vector<float>(matrix.value.size())};
  for (unsigned c : matrix.column) ++made.start[c + 1];
  for (unsigned c = 0; c < rows; ++c) made.start[c + 1] += made.start[c];
  std::vector<unsigned> next(made.start.begin(), made.start.end() - 1);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned k = matrix.start[row]; k < matrix.start[row + 1]; ++k) {
      const unsigned at = next[matrix.column[k]]++;
      made.column[at] = row;
      made.value[at] = matrix.value[k];
    }
  return made;
}

inline bool spmms_right(const SpmmsMatrix& matrix, const Shared<float>& dense,
                        const Shared<float>& out) {
  return agrees(out, [&](unsigned i) {
    return matrix.product(i / kSpmmsDense, i % kSpmmsDense,
                          [&](unsigned c, unsigned j) { return dense->host[c * kSpmmsDense + j]; });
  });
}

inline Problem spmms_thread_problem(unsigned rows) {
  auto matrix = spmms_matrix(rows);
  auto start = array(matrix->start), column = array(matrix->column);
  auto value = array(matrix->value);
  auto dense = uniform(std::size_t(rows) * kSpmmsDense, 31);
  auto out = room<float>(std::size_t(rows) * kSpmmsDense);
  return Problem{[=] {
                   spmms_thread<<<blocks_of(rows), kBlock>>>(start->data(), column->data(),
                                                             value->data(), dense->data(),
                                                             out->data(), rows);
                 },
                 [=] { return spmms_right(*matrix, dense, out); }};
}

inline Problem spmms_warp_problem(unsigned rows) {
  auto matrix = spmms_matrix(rows);
  auto start = array(matrix->start), column = array(matrix->column);
  auto value = array(matrix->value);
  auto dense = uniform(std::size_t(rows) * kSpmmsDense, 32);
  auto out = room<float>(std::size_t(rows) * kSpmmsDense);
  return Problem{[=] {
                   spmms_warp<<<blocks_of(rows, 4), 128>>>(start->data(), column->data(),
                                                           value->data(), dense->data(),
                                                           out->data(), rows);
                 },
                 [=] { return spmms_right(*matrix, dense, out); }};
}

inline Problem spmms_ell_problem(unsigned rows) {
  auto matrix = spmms_matrix(rows);
  std::vector<int> columns(std::size_t(rows) * kSpmmsLength, -1);
  std::vector<double> values(columns.size());
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned k = matrix->start[row]; k < matrix->start[row + 1]; ++k) {
      const std::size_t at = std::size_t(k - matrix->start[row]) * rows + row;
      columns[at] = static_cast<int>(matrix->column[k]);
      values[at] = matrix->value[k];
    }
  auto column = array(std::move(columns));
  auto value = array(std::move(values));
  auto dense = uniform<double>(std::size_t(rows) * kSpmmsDense, 33);
  auto out = room<double>(std::size_t(rows) * kSpmmsDense);
  return Problem{
      [=] {
        const dim3 grid(blocks_of(rows, 192), kSpmmsDense / 2);
        spmms_ell<<<grid, 192>>>(column->data(), value->data(), dense->data(), out->data(), rows);
      },
      [=] {
        const auto wanted = [&](unsigned i) {
          return matrix->product(i % rows, i / rows,
                                 [&](unsigned c, unsigned j) { return dense->host[j * rows + c]; });
        };
        return agrees(out, wanted, 1e-10);
      }};
}

inline Problem spmms_column_problem(unsigned rows) {
  auto matrix = spmms_matrix(rows);
  SpmmsMatrix turned = spmms_turned(*matrix);
  auto start = array(std::move(turned.start)), row = array(std::move(turned.column));
  auto value = array(std::move(turned.value));
  auto dense = uniform(std::size_t(rows) * kSpmmsDense, 34);
  auto out = room<float>(std::size_t(rows) * kSpmmsDense);
  clear(out);
  return Problem{[=] {
                   spmms_column<<<blocks_of(std::size_t(rows) * kSpmmsDense, 512), 512>>>(
                       start->data(), row->data(), value->data(), dense->data(), out->data(), rows);
                 },
                 [=] { return spmms_right(*matrix, dense, out); }, [=] { clear(out); }};
}

inline void add_spmms(Set& set) {
  const std::vector<unsigned> sizes = {3000, 130000, 420003};
  set.add("spmms_thread", sizes, spmms_thread_problem);
  set.add("spmms_warp", sizes, spmms_warp_problem);
  set.add("spmms_ell", sizes, spmms_ell_problem);
  set.add("spmms_column", sizes, spmms_column_problem);
}

}  // namespace timing_set

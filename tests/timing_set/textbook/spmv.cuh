// SPDX-License-Identifier: MIT
// A sparse matrix times a vector. Most rows are short and some are long; most entries lie near the
// diagonal. The entries lie row by row (a thread or a warp per row), as padded rows side by side,
// or as triples that are added up atomically.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void spmv_scalar(const unsigned* starts, const int* columns, const float* values,
                            const float* x, float* y, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (unsigned i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

__global__ void spmv_warp(const unsigned* __restrict__ starts, const int* __restrict__ columns,
                          const float* __restrict__ values, const float* __restrict__ x,
                          float* __restrict__ y, unsigned rows) {
  const unsigned row = thread_number() / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  const unsigned end = starts[row + 1];
  float sum = 0;
  for (unsigned i = starts[row] + lane; i < end; i += 32) sum += values[i] * x[columns[i]];
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(kAll, sum, offset);
  if (lane == 0) y[row] = sum;
}

// Entry k of all rows, then entry k + 1 of all rows; the column is negative where there is none.
__global__ void spmv_ell(const int* __restrict__ columns, const float* __restrict__ values,
                         const float* __restrict__ x, float* __restrict__ y, unsigned rows,
                         unsigned width) {
  for (unsigned row = thread_number(); row < rows; row += gridDim.x * blockDim.x) {
    float sum = 0;
    for (unsigned k = 0; k < width; ++k) {
      const int column = columns[k * rows + row];
      if (column >= 0) sum += values[k * rows + row] * x[column];
    }
    y[row] = sum;
  }
}

struct SpmvEntry {
  int row, column;
  float value;
};

__global__ void spmv_coo(const SpmvEntry* entries, const float* x, float* y, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const SpmvEntry entry = entries[i];
  atomicAdd(y + entry.row, entry.value * x[entry.column]);
}

constexpr unsigned kSpmvLongest = 80, kSpmvBand = 1500;

// On the host, row by row.
struct SpmvMatrix {
  std::vector<unsigned> starts;
  std::vector<int> columns;
  std::vector<float> values;
  explicit SpmvMatrix(unsigned rows) : starts(rows + 1) {
    for (unsigned row = 0; row < rows; ++row) {
      const unsigned entries = 10 + 6000 / (40 + mixed(row) % 1024);
      starts[row + 1] = starts[row] + std::min(entries, kSpmvLongest);
    }
    columns.reserve(starts[rows]);
    values.reserve(starts[rows]);
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned i = starts[row]; i < starts[row + 1]; ++i) {
        const unsigned any = mixed(i + 77), length = starts[row + 1] - starts[row];
        const unsigned near_by =
            row + rows * 8 + kSpmvBand * (i - starts[row]) / length - kSpmvBand / 2 + any % 16;
        columns.push_back(static_cast<int>((any % 8 == 7 ? mixed(any) : near_by) % rows));
        values.push_back(static_cast<float>(any >> 16) / 65536.0f - 0.25f);
      }
  }
  double times(const std::vector<float>& x, unsigned row) const {
    double sum = 0;
    for (unsigned i = starts[row]; i < starts[row + 1]; ++i)
      sum += static_cast<double>(values[i]) * x[columns[i]];
    return sum;
  }
};

inline Problem spmv_scalar_problem(unsigned rows) {
  const auto matrix = std::make_shared<const SpmvMatrix>(rows);
  auto starts = array(matrix->starts);
  auto columns = array(matrix->columns);
  auto values = array(matrix->values);
  auto x = uniform(rows, 5);
  auto y = room<float>(rows);
  return Problem{
      [=] {
        spmv_scalar<<<blocks_of(rows, 128), 128>>>(starts->data(), columns->data(), values->data(),
                                                   x->data(), y->data(), rows);
      },
      [=] { return agrees(y, [&](unsigned row) { return matrix->times(x->host, row); }); }};
}

inline Problem spmv_warp_problem(unsigned rows) {
  const auto matrix = std::make_shared<const SpmvMatrix>(rows);
  auto starts = array(matrix->starts);
  auto columns = array(matrix->columns);
  auto values = array(matrix->values);
  auto x = uniform(rows, 5);
  auto y = room<float>(rows);
  return Problem{
      [=] {
        spmv_warp<<<blocks_of(std::size_t{rows} * 32, 512), 512>>>(
            starts->data(), columns->data(), values->data(), x->data(), y->data(), rows);
      },
      [=] { return agrees(y, [&](unsigned row) { return matrix->times(x->host, row); }); }};
}

inline Problem spmv_ell_problem(unsigned rows) {
  const auto matrix = std::make_shared<const SpmvMatrix>(rows);
  const auto place = [&](unsigned i) {  // of padded entry i among all, or the end
    const unsigned at = matrix->starts[i % rows] + i / rows;
    return at < matrix->starts[i % rows + 1] ? at : matrix->starts[rows];
  };
  const std::size_t room_for = std::size_t{rows} * kSpmvLongest;
  auto columns = array<int>(room_for, [&](unsigned i) {
    const unsigned at = place(i);
    return at < matrix->columns.size() ? matrix->columns[at] : -1;
  });
  auto values = array<float>(room_for, [&](unsigned i) {
    const unsigned at = place(i);
    return at < matrix->values.size() ? matrix->values[at] : 0.0f;
  });
  auto x = uniform(rows, 5);
  auto y = room<float>(rows);
  return Problem{
      [=] {
        spmv_ell<<<std::min(blocks_of(rows), 1056u), kBlock>>>(
            columns->data(), values->data(), x->data(), y->data(), rows, kSpmvLongest);
      },
      [=] { return agrees(y, [&](unsigned row) { return matrix->times(x->host, row); }); }};
}

inline Problem spmv_coo_problem(unsigned rows) {
  const auto matrix = std::make_shared<const SpmvMatrix>(rows);
  const unsigned count = matrix->starts[rows];
  std::vector<SpmvEntry> triples;
  triples.reserve(count);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned i = matrix->starts[row]; i < matrix->starts[row + 1]; ++i)
      triples.push_back({static_cast<int>(row), matrix->columns[i], matrix->values[i]});
  auto entries = array(std::move(triples));
  auto x = uniform(rows, 5);
  auto y = array(std::vector<float>(rows));
  return Problem{
      [=] { spmv_coo<<<blocks_of(count), kBlock>>>(entries->data(), x->data(), y->data(), count); },
      [=] { return agrees(y, [&](unsigned row) { return matrix->times(x->host, row); }); },
      [=] { clear(y); }};
}

inline void add_spmv(Set& set) {
  const std::vector<unsigned> sizes = {350, 45000, 260000};  // rows, of 28 entries on average
  set.add("spmv_scalar", sizes, spmv_scalar_problem);
  set.add("spmv_warp", sizes, spmv_warp_problem);
  set.add("spmv_ell", sizes, spmv_ell_problem);
  set.add("spmv_coo", sizes, spmv_coo_problem);
}

}  // namespace timing_set

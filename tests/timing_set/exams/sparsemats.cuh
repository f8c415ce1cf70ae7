// SPDX-License-Identifier: MIT
// A sparse matrix times a vector: y = a * x, for n rows of 4 to 36 entries, most of them near the
// diagonal and some anywhere. In compressed rows (CSR) by thread, by warp, by eight lanes and with
// products staged in shared memory; in rows of equal length (ELL); and entry by entry (COO).
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kSparsematsLongest = 36;

constexpr unsigned sparsemats_length(unsigned row) { return 4 + mixed(row) % 33; }

// The column of entry j of a row: every fourth is anywhere, the others are within a band.
constexpr unsigned sparsemats_column(unsigned row, unsigned j, unsigned n) {
  const unsigned random = mixed(row * 64 + j + 77);
  if (j % 4 == 0) return random % n;
  const unsigned band = n < 2000 ? n : 2000;
  const unsigned before = row < band / 2 ? row : band / 2;
  const unsigned start = row - before < n - band ? row - before : n - band;
  const unsigned step = band / kSparsematsLongest;
  return start + j * step + random % step;
}

constexpr double sparsemats_value(unsigned row, unsigned j) {
  return (mixed(row * 64 + j + 0x5000'0000u) >> 16) / 65536.0;
}

template <class T>
struct SparsematsMatrix {
  Shared<unsigned> starts, columns, rows;
  Shared<T> values;
};

// Compressed rows, with the row of each entry where that is asked for.
template <class T = float>
SparsematsMatrix<T> sparsemats_matrix(unsigned n, bool with_rows = false) {
  std::vector<unsigned> starts(n + 1), columns, rows;
  for (unsigned row = 0; row < n; ++row) starts[row + 1] = starts[row] + sparsemats_length(row);
  std::vector<T> values;
  columns.reserve(starts[n]);
  values.reserve(starts[n]);
  for (unsigned row = 0; row < n; ++row)
    for (unsigned j = 0; j < sparsemats_length(row); ++j) {
      columns.push_back(sparsemats_column(row, j, n));
      values.push_back(static_cast<T>(sparsemats_value(row, j)));
      if (with_rows) rows.push_back(row);
    }
  SparsematsMatrix<T> made;
  made.starts = array(std::move(starts));
  made.columns = array(std::move(columns));
  if (with_rows) made.rows = array(std::move(rows));
  made.values = array(std::move(values));
  return made;
}

template <class T>
bool sparsemats_right(const Shared<T>& x, const Shared<T>& y) {
  const unsigned n = y->size();
  return agrees(y, [=](unsigned row) {
    double sum = 0;
    for (unsigned j = 0; j < sparsemats_length(row); ++j)
      sum += sparsemats_value(row, j) * double{x->host[sparsemats_column(row, j, n)]};
    return sum;
  });
}

__global__ void sparsemats_rows(const unsigned* starts, const unsigned* columns,
                                const float* values, const float* x, float* y, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (unsigned i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

__global__ void sparsemats_warps(const unsigned* __restrict__ starts,
                                 const unsigned* __restrict__ columns,
                                 const float* __restrict__ values, const float* __restrict__ x,
                                 float* __restrict__ y, unsigned n) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (row >= n) return;  // the same for the whole warp
  const unsigned end = starts[row + 1];
  float sum = 0;
  for (unsigned i = starts[row] + lane; i < end; i += 32) sum += values[i] * x[columns[i]];
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}

// Eight lanes per row, in double. All lanes of a warp go to the end, as they shuffle together.
__global__ void sparsemats_eights(const unsigned* __restrict__ starts,
                                  const unsigned* __restrict__ columns,
                                  const double* __restrict__ values, const double* __restrict__ x,
                                  double* __restrict__ y, unsigned n) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const unsigned lane = threadIdx.x % 8;
  double sum = 0;
  if (row < n) {
    const unsigned end = starts[row + 1];
    for (unsigned i = starts[row] + lane; i < end; i += 8) sum += values[i] * x[columns[i]];
  }
  for (unsigned d = 4; d > 0; d /= 2) sum += __shfl_down_sync(kAll, sum, d, 8);
  if (row < n && lane == 0) y[row] = sum;
}

// Entry j of all rows side by side; short rows are filled up with zeros.
__global__ void sparsemats_ell(const unsigned* __restrict__ columns,
                               const float* __restrict__ values, const float* __restrict__ x,
                               float* __restrict__ y, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (unsigned j = 0; j < kSparsematsLongest; ++j) {
    const unsigned i = j * n + row;
    sum += values[i] * x[columns[i]];
  }
  y[row] = sum;
}

// One thread per entry; the entries of a row meet in atomic additions.
__global__ void sparsemats_coo(const unsigned* rows, const unsigned* columns, const float* values,
                               const float* x, float* y, unsigned entries) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < entries) atomicAdd(&y[rows[i]], values[i] * x[columns[i]]);
}

// A block makes the products of its 128 rows side by side in shared memory; then each thread adds
// those of one row.
constexpr unsigned kSparsematsBlock = 128;
__global__ void sparsemats_staged(const unsigned* __restrict__ starts,
                                  const unsigned* __restrict__ columns,
                                  const float* __restrict__ values, const float* __restrict__ x,
                                  float* __restrict__ y, unsigned n) {
  __shared__ float products[kSparsematsBlock * kSparsematsLongest];
  const unsigned first_row = blockIdx.x * kSparsematsBlock;
  const unsigned first = starts[first_row];
  const unsigned end = starts[min(first_row + kSparsematsBlock, n)];
  for (unsigned i = first + threadIdx.x; i < end; i += kSparsematsBlock)
    products[i - first] = values[i] * x[columns[i]];
  __syncthreads();
  const unsigned row = first_row + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (unsigned i = starts[row]; i < starts[row + 1]; ++i) sum += products[i - first];
  y[row] = sum;
}

inline void sparsemats_add_others(Set& set, const std::vector<unsigned>& sizes) {
  set.add("sparsemats_ell", sizes, [](unsigned n) {
    auto columns = array<unsigned>(kSparsematsLongest * n, [n](unsigned i) {
      const unsigned row = i % n, j = i / n;
      return j < sparsemats_length(row) ? sparsemats_column(row, j, n) : row;
    });
    auto values = array<float>(kSparsematsLongest * n, [n](unsigned i) {
      const unsigned row = i % n, j = i / n;
      return j < sparsemats_length(row) ? sparsemats_value(row, j) : 0.0;
    });
    auto x = uniform(n, 4), y = room<float>(n);
    return Problem{[=] {
                     sparsemats_ell<<<blocks_of(n, 192), 192>>>(columns->data(), values->data(),
                                                                x->data(), y->data(), n);
                   },
                   [=] { return sparsemats_right(x, y); }};
  });
  set.add("sparsemats_coo", sizes, [](unsigned n) {
    auto a = sparsemats_matrix(n, true);
    auto x = uniform(n, 5), y = room<float>(n);
    clear(y);
    const unsigned entries = a.values->size();
    return Problem{[=] {
                     sparsemats_coo<<<blocks_of(entries, 1024), 1024>>>(
                         a.rows->data(), a.columns->data(), a.values->data(), x->data(), y->data(),
                         entries);
                   },
                   [=] { return sparsemats_right(x, y); }, [=] { clear(y); }};
  });
}

inline void add_sparsemats(Set& set) {
  const std::vector<unsigned> sizes = {3'000, 130'001, 400'009};
  set.add("sparsemats_rows", sizes, [](unsigned n) {
    auto a = sparsemats_matrix(n);
    auto x = uniform(n, 1), y = room<float>(n);
    return Problem{[=] {
                     sparsemats_rows<<<blocks_of(n, 256), 256>>>(
                         a.starts->data(), a.columns->data(), a.values->data(), x->data(),
                         y->data(), n);
                   },
                   [=] { return sparsemats_right(x, y); }};
  });
  set.add("sparsemats_warps", sizes, [](unsigned n) {
    auto a = sparsemats_matrix(n);
    auto x = uniform(n, 2), y = room<float>(n);
    return Problem{[=] {
                     sparsemats_warps<<<blocks_of(32 * n, 128), 128>>>(
                         a.starts->data(), a.columns->data(), a.values->data(), x->data(),
                         y->data(), n);
                   },
                   [=] { return sparsemats_right(x, y); }};
  });
  set.add("sparsemats_eights", sizes, [](unsigned n) {
    auto a = sparsemats_matrix<double>(n);
    auto x = uniform<double>(n, 3), y = room<double>(n);
    return Problem{[=] {
                     sparsemats_eights<<<blocks_of(8 * n, 512), 512>>>(
                         a.starts->data(), a.columns->data(), a.values->data(), x->data(),
                         y->data(), n);
                   },
                   [=] { return sparsemats_right(x, y); }};
  });
  sparsemats_add_others(set, sizes);
  set.add("sparsemats_staged", sizes, [](unsigned n) {
    auto a = sparsemats_matrix(n);
    auto x = uniform(n, 6), y = room<float>(n);
    return Problem{[=] {
                     sparsemats_staged<<<blocks_of(n, kSparsematsBlock), kSparsematsBlock>>>(
                         a.starts->data(), a.columns->data(), a.values->data(), x->data(),
                         y->data(), n);
                   },
                   [=] { return sparsemats_right(x, y); }};
  });
}

}  // namespace timing_set

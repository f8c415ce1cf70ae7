// SPDX-License-Identifier: MIT
// Elements picked by an array of indices: gathered from anywhere, scattered to anywhere, gathered
// by whole rows of a table, and put into another order within each block, through shared memory.
#pragma once

#include "../set.cuh"

namespace timing_set {

__global__ void picks_gather(const float* in, const unsigned* index, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}

__global__ void picks_scatter(const int* in, const unsigned* index, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[index[i]] = in[i];
}

constexpr unsigned kPicksWidth = 24;

// The block is as broad as a row.
__global__ void picks_rows(const float* table, const int* index, float* out, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row < rows)
    out[row * kPicksWidth + threadIdx.x] = table[index[row] * kPicksWidth + threadIdx.x];
}

constexpr unsigned kPicksWindow = 512;

// The order is one of its own within each block.
__global__ void picks_window(const double* in, const unsigned short* place, double* out,
                             unsigned n) {
  __shared__ double window[kPicksWindow];
  const unsigned i = blockIdx.x * kPicksWindow + threadIdx.x;
  if (i < n) window[place[i]] = in[i];
  __syncthreads();
  if (i < n) out[i] = window[threadIdx.x];
}

// A permutation of n numbers: a mixing of some bits that can be undone, until the result is small
// enough.
inline unsigned picks_shuffled(unsigned i, unsigned n, unsigned seed) {
  unsigned bits = 1;
  while ((1u << bits) < n) ++bits;
  const unsigned mask = (1u << bits) - 1;
  do {
    for (unsigned round = 0; round < 3; ++round) {
      i = (i * 0x9e3779b1u + mixed(seed * 3 + round)) & mask;
      i ^= i >> (bits + 1) / 2;
    }
  } while (i >= n);
  return i;
}

inline Problem picks_gather_problem(unsigned n) {
  auto in = uniform(n, 41), out = room<float>(n);
  auto index = array<unsigned>(n, [=](unsigned i) { return mixed(i + 42) % n; });
  return Problem{
      [=] { picks_gather<<<blocks_of(n, 256), 256>>>(in->data(), index->data(), out->data(), n); },
      [=] {
        return agrees(
            out, [&](unsigned i) { return in->host[index->host[i]]; }, 0);
      }};
}

inline Problem picks_scatter_problem(unsigned n) {
  auto in = array<int>(n, [](unsigned i) { return mixed(i + 43) >> 1; });
  auto out = room<int>(n);
  auto index = array<unsigned>(n, [=](unsigned i) { return picks_shuffled(i, n, 44); });
  return Problem{
      [=] { picks_scatter<<<blocks_of(n, 128), 128>>>(in->data(), index->data(), out->data(), n); },
      [=] {
        const std::vector<int> got = out->device.download();
        for (unsigned i = 0; i < n; i += n / 100000 | 1)
          if (got[index->host[i]] != in->host[i]) return false;
        return true;
      }};
}

inline Problem picks_rows_problem(unsigned rows) {
  const std::size_t n = std::size_t(rows) * kPicksWidth;
  auto table = uniform(n, 45), out = room<float>(n);
  auto index = array<int>(rows, [=](unsigned i) { return mixed(i + 46) % rows; });
  const dim3 block(kPicksWidth, 8);
  return Problem{[=] {
                   picks_rows<<<blocks_of(rows, block.y), block>>>(table->data(), index->data(),
                                                                   out->data(), rows);
                 },
                 [=] {
                   return agrees(
                       out,
                       [&](unsigned i) {
                         const unsigned row = index->host[i / kPicksWidth];
                         return table->host[row * kPicksWidth + i % kPicksWidth];
                       },
                       0);
                 }};
}

inline Problem picks_window_problem(unsigned n) {
  auto in = uniform<double>(n, 47), out = room<double>(n);
  auto place = array<unsigned short>(n, [=](unsigned i) {
    const unsigned block = i / kPicksWindow;
    const unsigned count = std::min(kPicksWindow, n - block * kPicksWindow);
    return picks_shuffled(i % kPicksWindow, count, block);
  });
  return Problem{[=] {
                   picks_window<<<blocks_of(n, kPicksWindow), kPicksWindow>>>(
                       in->data(), place->data(), out->data(), n);
                 },
                 [=] {
                   const std::vector<double> got = out->device.download();
                   for (unsigned i = 0; i < n; i += n / 100000 | 1)
                     if (got[i / kPicksWindow * kPicksWindow + place->host[i]] != in->host[i])
                       return false;
                   return true;
                 }};
}

inline void add_picks(Set& set) {
  const std::vector<unsigned> sizes = {4001, 1300003, 14000003};
  set.add("picks_gather", sizes, picks_gather_problem);
  set.add("picks_scatter", sizes, picks_scatter_problem);
  set.add("picks_rows", {300, 90001, 1000003}, picks_rows_problem);
  set.add("picks_window", sizes, picks_window_problem);
}

}  // namespace timing_set

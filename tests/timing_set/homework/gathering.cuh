// SPDX-License-Identifier: MIT
// n elements put in another order by an array of indices: gathered from anywhere, scattered to
// anywhere, gathered from nearby only, and whole rows of a table of n/8 structs looked up.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void gathering_anywhere(const float* in, const unsigned* from, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[from[i]];
}

__global__ void gathering_scatter(const int* __restrict__ in, const unsigned* __restrict__ to,
                                  int* __restrict__ out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[to[i]] = in[i];
}

// Two elements for each thread, a block apart.
__global__ void gathering_nearby(const double* __restrict__ in, const int* __restrict__ from,
                                 double* __restrict__ out, int n) {
  const int first = blockIdx.x * 2 * blockDim.x + threadIdx.x;
  const int second = first + blockDim.x;
  if (first < n) out[first] = in[from[first]];
  if (second < n) out[second] = in[from[second]];
}

struct GatheringRow {
  float red, green, blue;
  float weight;
};
__global__ void gathering_rows(const GatheringRow* table, const int* index, GatheringRow* out,
                               int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = table[index[i]];
}

// The numbers below n, each once, shuffled among every `window` neighbours.
inline std::vector<unsigned> gathering_order(unsigned n, unsigned window, unsigned seed) {
  std::vector<unsigned> order(n);
  for (unsigned i = 0; i < n; ++i) order[i] = i;
  for (unsigned i = 1; i < n; ++i) {
    const unsigned first = i / window * window;
    std::swap(order[i], order[first + mixed(i ^ (seed << 24)) % (i - first + 1)]);
  }
  return order;
}

inline void add_gathering(Set& set) {
  const std::vector<unsigned> sizes = {300'000, 6'000'007};
  set.add("gathering_anywhere", sizes, [](unsigned n) {
    auto in = uniform(n, 1), out = room<float>(n);
    auto from = array(gathering_order(n, n, 1));
    return Problem{[=] {
                     gathering_anywhere<<<blocks_of(n, 256), 256>>>(in->data(), from->data(),
                                                                    out->data(), n);
                   },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return in->host[from->host[i]]; }, 0);
                   }};
  });
  set.add("gathering_scatter", sizes, [](unsigned n) {
    auto in = array<int>(n, [](unsigned i) { return mixed(i) >> 6; });
    auto out = room<int>(n);
    auto to = array(gathering_order(n, n, 2));
    auto wanted = std::make_shared<std::vector<int>>(n);
    for (unsigned i = 0; i < n; ++i) (*wanted)[to->host[i]] = in->host[i];
    return Problem{
        [=] { gathering_scatter<<<8 * 132, 192>>>(in->data(), to->data(), out->data(), n); },
        [=] {
          return agrees(
              out, [=](unsigned i) { return (*wanted)[i]; }, 0);
        }};
  });
  set.add("gathering_nearby", sizes, [](unsigned n) {
    auto in = uniform<double>(n, 3), out = room<double>(n);
    const auto order = gathering_order(n, 1000, 3);
    auto from = array(std::vector<int>(order.begin(), order.end()));
    return Problem{[=] {
                     gathering_nearby<<<blocks_of(n, 2 * 512), 512>>>(in->data(), from->data(),
                                                                      out->data(), n);
                   },
                   [=] {
                     return agrees(
                         out, [=](unsigned i) { return in->host[from->host[i]]; }, 0);
                   }};
  });
  set.add("gathering_rows", sizes, [](unsigned n) {
    const unsigned rows = n / 8;
    auto table = uniform(4 * rows, 4), out = room<float>(4 * n);
    auto index = array<int>(n, [rows](unsigned i) { return mixed(i) % rows; });
    return Problem{
        [=] {
          gathering_rows<<<blocks_of(n, 128), 128>>>(
              reinterpret_cast<const GatheringRow*>(table->data()), index->data(),
              reinterpret_cast<GatheringRow*>(out->data()), n);
        },
        [=] {
          return agrees(
              out, [=](unsigned i) { return table->host[4 * index->host[i / 4] + i % 4]; }, 0);
        }};
  });
}

}  // namespace timing_set

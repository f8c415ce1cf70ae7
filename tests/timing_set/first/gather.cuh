// SPDX-License-Identifier: MIT
// Reads and writes through an index: random, 32 places in a row at a time, sorted; from tables that fit into L2 and from
// one that does not. A table that has more places than are asked for is used evenly.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

__global__ void gather(const float* table, const unsigned* index, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = table[index[i]];
}
__global__ void gather_fours(const float4* table, const unsigned* index, float4* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = table[index[i]];
}
__global__ void scatter(const float* in, const unsigned* index, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[index[i]] = in[i];
}

enum class Order { Random, Runs, Sorted };

// n places in a table, each at most once (Random, Runs: an odd factor turns a power of two over itself).
inline std::vector<unsigned> places(unsigned n, unsigned table, Order order) {
  const unsigned spread = table / n;
  std::vector<unsigned> index(n);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned run = (i / 32 * 0x9e3779b1u) % (n / 32) * 32 + i % 32;
    const unsigned single = (i * 0x9e3779b1u + 12345u) % n;
    const unsigned at = order == Order::Random ? single : order == Order::Runs ? run : i;
    index[i] = at * spread + (order == Order::Runs ? 0 : mixed(at) % spread);
  }
  return index;
}

template <unsigned Table>
Problem gather_problem(unsigned n, Order order) {
  auto table = uniform(Table, 1);
  auto index = array(places(n, Table, order));
  auto out = room<float>(n);
  return {[=] { gather<<<blocks_of(n), kBlock>>>(table->data(), index->data(), out->data(), n); },
          [=] {
            return agrees(
                out, [=](unsigned i) { return table->host[index->host[i]]; }, 0);
          }};
}
inline Problem scatter_problem(unsigned n, Order order) {
  constexpr unsigned kTable = 1 << 22;
  auto in = uniform(n, 1), out = room<float>(kTable);
  auto index = array(places(n, kTable, order));
  return {[=] { scatter<<<blocks_of(n), kBlock>>>(in->data(), index->data(), out->data(), n); },
          [=] {
            const std::vector<float> got = out->device.download();
            for (unsigned i = 0; i < n; i += 31)
              if (got[index->host[i]] != in->host[i]) return false;
            return true;
          }};
}

inline void add_gather(Set& set) {
  const std::vector<unsigned> sizes = {1 << 14, 1 << 18, 1 << 22};
  constexpr unsigned kSmall = 1 << 22, kMiddle = 1 << 24, kLarge = 1 << 25;
  set.add("gather_small", sizes,
          [=](unsigned n) { return gather_problem<kSmall>(n, Order::Random); });
  set.add("gather_large", sizes,
          [=](unsigned n) { return gather_problem<kLarge>(n, Order::Random); });
  set.add("gather_runs", sizes,
          [=](unsigned n) { return gather_problem<kMiddle>(n, Order::Runs); });
  set.add("gather_sorted", sizes,
          [=](unsigned n) { return gather_problem<kMiddle>(n, Order::Sorted); });
  set.add("gather_fours", sizes, [=](unsigned n) {
    auto table = uniform(kMiddle, 1), out = room<float>(std::size_t{n} * 4);
    auto index = array(places(n, kMiddle / 4, Order::Random));
    return Problem{
        [=] {
          gather_fours<<<blocks_of(n), kBlock>>>(reinterpret_cast<const float4*>(table->data()),
                                                 index->data(),
                                                 reinterpret_cast<float4*>(out->data()), n);
        },
        [=] {
          return agrees(
              out, [=](unsigned i) { return table->host[index->host[i / 4] * 4 + i % 4]; }, 0);
        }};
  });
  set.add("scatter_random", sizes, [](unsigned n) { return scatter_problem(n, Order::Random); });
  set.add("scatter_runs", sizes, [](unsigned n) { return scatter_problem(n, Order::Runs); });
  set.add("scatter_sorted", sizes, [](unsigned n) { return scatter_problem(n, Order::Sorted); });
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Small tables that all threads look into: in constant memory (lanes that differ wait for each other), in global memory
// (a table that fits into L1), and in between two entries of one.
#pragma once
#include "../set.cuh"

namespace timing_set {

constexpr unsigned kEntries = 1024;
__constant__ float constant_table[kEntries];

__global__ void lookup_constant(const unsigned* in, const float*, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n)
    out[i] = constant_table[in[i] % kEntries] + constant_table[in[i] / kEntries % kEntries];
}
__global__ void lookup_global(const unsigned* in, const float* table, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = table[in[i] % kEntries] + table[in[i] / kEntries % kEntries];
}
__global__ void lookup_between(const unsigned* in, const float* table, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float at = static_cast<float>(in[i] >> 8) * ((kEntries - 1) / 16777216.f);
  const unsigned low = static_cast<unsigned>(at);
  const float part = at - static_cast<float>(low);
  out[i] = table[low] * (1 - part) + table[min(low + 1, kEntries - 1)] * part;
}

inline float looked_up(const std::vector<float>& table, unsigned x, bool between) {
  if (!between) return table[x % kEntries] + table[x / kEntries % kEntries];
  const float at = static_cast<float>(x >> 8) * ((kEntries - 1) / 16777216.f);
  const auto low = static_cast<unsigned>(at);
  const float part = at - static_cast<float>(low);
  return table[low] * (1 - part) + table[std::min(low + 1, kEntries - 1)] * part;
}
template <class Function>
std::function<Problem(unsigned)> lookup_problem(Function kernel, bool between) {
  return [=](unsigned n) {
    auto in = array<unsigned>(n, mixed);
    auto table = uniform(kEntries, 1), out = room<float>(n);
    COURSE_CHECK(cudaMemcpyToSymbol(constant_table, table->host.data(), table->device.bytes()));
    return Problem{
        [=] { kernel<<<blocks_of(n), kBlock>>>(in->data(), table->data(), out->data(), n); },
        [=] {
          return agrees(out,
                        [=](unsigned i) { return looked_up(table->host, in->host[i], between); });
        }};
  };
}

inline void add_lookup(Set& set) {
  const std::vector<unsigned> sizes = {1 << 16, 1 << 19, 1 << 22};
  set.add("lookup_constant", sizes, lookup_problem(lookup_constant, false));
  set.add("lookup_global", sizes, lookup_problem(lookup_global, false));
  set.add("lookup_between", sizes, lookup_problem(lookup_between, true));
}

}  // namespace timing_set

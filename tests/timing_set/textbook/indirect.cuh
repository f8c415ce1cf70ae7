// SPDX-License-Identifier: MIT
// Memory reached through an index: a gather through a random permutation, a scatter of wider
// values through one that moves nothing far, look-ups with interpolation in a table that each
// block keeps in shared memory, and whole rows picked by the numbers of words, as an embedding
// does, where some words are far more frequent than others.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void indirect_gather(float* out, const float* in, const unsigned* index, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}

__global__ void indirect_scatter(long long* __restrict__ out, const long long* __restrict__ in,
                                 const int* __restrict__ place, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[place[i]] = in[i];
}

constexpr int kIndirectSteps = 2048;

__global__ void __launch_bounds__(512)
    indirect_table(float* __restrict__ out, const float* __restrict__ in,
                   const float* __restrict__ table, unsigned n) {
  __shared__ float near_table[kIndirectSteps + 1];
  for (int k = threadIdx.x; k <= kIndirectSteps; k += blockDim.x) near_table[k] = table[k];
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    const float place = in[i] * kIndirectSteps;
    const int step = min(static_cast<int>(place), kIndirectSteps - 1);
    const float below = near_table[step], above = near_table[step + 1];
    out[i] = below + (place - step) * (above - below);
  }
}

constexpr unsigned kIndirectWidth = 64;  // floats in a row
constexpr unsigned kIndirectLanes = kIndirectWidth / 4;

__global__ void indirect_rows(float4* out, const float4* rows, const int* words, float scale,
                              unsigned count) {
  const unsigned position = thread_number() / kIndirectLanes;
  const unsigned lane = threadIdx.x % kIndirectLanes;
  if (position >= count) return;
  const float4 part = rows[words[position] * kIndirectLanes + lane];
  out[position * kIndirectLanes + lane] =
      make_float4(part.x * scale, part.y * scale, part.z * scale, part.w * scale);
}

// The numbers below n, shuffled in windows of so many.
template <class T>
std::vector<T> indirect_shuffled(unsigned n, unsigned window, unsigned seed) {
  std::vector<T> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = static_cast<T>(i);
  for (unsigned first = 0; first < n; first += window)
    for (unsigned k = std::min(window, n - first); k > 1; --k)
      std::swap(values[first + k - 1], values[first + mixed(first + k + seed) % k]);
  return values;
}

inline Problem indirect_gather_problem(unsigned n) {
  auto in = uniform(n, 51);
  auto index = array(indirect_shuffled<unsigned>(n, n, 52));
  auto out = room<float>(n);
  return Problem{
      [=] { indirect_gather<<<blocks_of(n), kBlock>>>(out->data(), in->data(), index->data(), n); },
      [=] {
        return agrees(
            out, [&](unsigned i) { return in->host[index->host[i]]; }, 0);
      }};
}

inline Problem indirect_scatter_problem(unsigned n) {
  auto in =
      array<long long>(n, [](unsigned i) { return 1000ll * (mixed(i + 53) >> 4) + i % 1000; });
  auto place = array(indirect_shuffled<int>(n, 5000, 54));
  auto out = room<long long>(n);
  return Problem{[=] {
                   indirect_scatter<<<std::min(blocks_of(n, 128), 1056u), 128>>>(
                       out->data(), in->data(), place->data(), static_cast<int>(n));
                 },
                 [=] {
                   const std::vector<long long> got = out->device.download();
                   for (unsigned i = 0; i < n; ++i)
                     if (got[place->host[i]] != in->host[i]) return false;
                   return true;
                 }};
}

inline Problem indirect_table_problem(unsigned n) {
  auto in = uniform(n, 55);
  auto table = array<float>(kIndirectSteps + 1, [](unsigned k) {
    return std::pow(static_cast<double>(k) / kIndirectSteps, 1 / 2.2);
  });
  auto out = room<float>(n);
  return Problem{[=] {
                   indirect_table<<<std::min(blocks_of(n, 512), 396u), 512>>>(
                       out->data(), in->data(), table->data(), n);
                 },
                 [=] {
                   return agrees(
                       out,
                       [&](unsigned i) {
                         const double place = static_cast<double>(in->host[i]) * kIndirectSteps;
                         const double step = std::floor(place);
                         const double below = table->host[static_cast<unsigned>(step)];
                         const double above = table->host[static_cast<unsigned>(step) + 1];
                         return below + (place - step) * (above - below);
                       },
                       1e-5);
                 }};
}

// A random number of a random length in bits: low numbers are the frequent ones, as in Zipf's law.
inline int indirect_word(unsigned i, unsigned vocabulary) {
  unsigned bits = 0;
  while (vocabulary >> (bits + 1)) ++bits;
  const unsigned below = 1u << (1 + mixed(i + 56) % bits);
  return static_cast<int>(mixed(i + 0x40000000u) % std::min(below, vocabulary));
}

inline Problem indirect_rows_problem(unsigned n) {
  const unsigned count = n / kIndirectWidth, vocabulary = count;
  auto rows = uniform(std::size_t{vocabulary} * kIndirectWidth, 57);
  auto words = array<int>(count, [=](unsigned i) { return indirect_word(i, vocabulary); });
  auto out = room<float>(std::size_t{count} * kIndirectWidth);
  const float scale = 8;  // the square root of the width
  return Problem{[=] {
                   indirect_rows<<<blocks_of(count * kIndirectLanes, 1024), 1024>>>(
                       reinterpret_cast<float4*>(out->data()),
                       reinterpret_cast<const float4*>(rows->data()), words->data(), scale, count);
                 },
                 [=] {
                   return agrees(
                       out,
                       [&](unsigned i) {
                         const unsigned row = words->host[i / kIndirectWidth];
                         return scale * rows->host[row * kIndirectWidth + i % kIndirectWidth];
                       },
                       0);
                 }};
}

inline void add_indirect(Set& set) {
  const std::vector<unsigned> sizes = {8000, 1600000, 8000000};  // multiples of a row's width
  set.add("indirect_gather", sizes, indirect_gather_problem);
  set.add("indirect_scatter", sizes, indirect_scatter_problem);
  set.add("indirect_table", sizes, indirect_table_problem);
  set.add("indirect_rows", sizes, indirect_rows_problem);
}

}  // namespace timing_set

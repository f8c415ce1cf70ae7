// SPDX-License-Identifier: MIT
// Moving n numbers: gathers and scatters through an index array that is a random order, by one
// number a thread, four at a time, eight neighbours a thread, and by whole rows; and a copy of
// one channel out of several.
#pragma once
#include "../set.cuh"

namespace timing_set {

__global__ void movers_gather(const float* in, const unsigned* index, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}

__global__ void movers_scatter(const float* in, const unsigned* index, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[index[i]] = in[i];
}

// Four independent reads a thread and a step; the first threads have what is left.
__global__ void movers_fours(const float* __restrict__ in, const unsigned* __restrict__ index,
                             float* __restrict__ out, unsigned n) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned step = gridDim.x * blockDim.x;
  for (unsigned i = me; i < n / 4; i += step) {
    const uint4 from = reinterpret_cast<const uint4*>(index)[i];
    reinterpret_cast<float4*>(out)[i] = make_float4(in[from.x], in[from.y], in[from.z], in[from.w]);
  }
  const unsigned rest = n / 4 * 4 + me;
  if (rest < n) out[rest] = in[index[rest]];
}

// Neighbouring threads are eight numbers apart, in the index array and in the result.
constexpr unsigned kMoversChunk = 8;
__global__ void movers_chunks(const double* in, const unsigned* index, double* out, unsigned n) {
  const unsigned first = kMoversChunk * (blockIdx.x * blockDim.x + threadIdx.x);
  for (unsigned k = 0; k < kMoversChunk; ++k)
    if (first + k < n) out[first + k] = in[index[first + k]];
}

// As for a table of word vectors: a warp copies a whole row, whose number is in the index array.
constexpr unsigned kMoversWidth = 45;
__global__ void movers_rows(const float* __restrict__ in, const unsigned* __restrict__ index,
                            float* __restrict__ out, unsigned rows) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  const float* from = in + index[row] * kMoversWidth;
  float* to = out + row * kMoversWidth;
  for (unsigned k = threadIdx.x % 32; k < kMoversWidth; k += 32) to[k] = from[k];
}

// One of five interleaved channels.
constexpr unsigned kMoversChannels = 5;
__global__ void movers_strided(const float* in, float* out, unsigned channel, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * kMoversChannels + channel];
}

// The numbers below n in a random order.
inline Shared<unsigned> movers_order(unsigned n, unsigned seed) {
  std::vector<unsigned> order(n);
  for (unsigned i = 0; i < n; ++i) order[i] = i;
  for (unsigned i = n; i > 1; --i) std::swap(order[i - 1], order[mixed(i ^ (seed << 24)) % i]);
  return array(std::move(order));
}

template <class T>
bool movers_gathered(const Shared<T>& in, const Shared<unsigned>& index, const Shared<T>& out) {
  return agrees(
      out, [&](unsigned i) { return in->host[index->host[i]]; }, 0);
}

// All of it: what a scatter leaves out may lie anywhere.
inline bool movers_scattered(const Shared<float>& in, const Shared<unsigned>& index,
                             const Shared<float>& out) {
  const std::vector<float> got = out->device.download();
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[index->host[i]] != in->host[i]) return false;
  return true;
}

inline void movers_add_rest(Set& set, const std::vector<unsigned>& sizes) {
  set.add("movers_rows", sizes, [](unsigned n) {
    const unsigned rows = n / kMoversWidth;
    auto in = uniform(rows * kMoversWidth, 5);
    auto index = movers_order(rows, 5);
    auto out = room<float>(rows * kMoversWidth);
    return Problem{
        [=] {
          movers_rows<<<blocks_of(rows, 192 / 32), 192>>>(in->data(), index->data(), out->data(),
                                                          rows);
        },
        [=] {
          return agrees(out, [=](unsigned i) {
            return in->host[index->host[i / kMoversWidth] * kMoversWidth + i % kMoversWidth];
          });
        }};
  });
  set.add("movers_strided", sizes, [](unsigned n) {
    auto in = uniform(kMoversChannels * n, 6);
    auto out = room<float>(n);
    return Problem{
        [=] { movers_strided<<<blocks_of(n, 1024), 1024>>>(in->data(), out->data(), 2, n); },
        [=] {
          return agrees(
              out, [=](unsigned i) { return in->host[i * kMoversChannels + 2]; }, 0);
        }};
  });
}

inline void add_movers(Set& set) {
  const std::vector<unsigned> sizes = {20'011, 4'000'037, 10'000'019};
  set.add("movers_gather", sizes, [](unsigned n) {
    auto in = uniform(n, 1);
    auto index = movers_order(n, 1);
    auto out = room<float>(n);
    return Problem{[=] {
                     movers_gather<<<blocks_of(n, 256), 256>>>(in->data(), index->data(),
                                                               out->data(), n);
                   },
                   [=] { return movers_gathered(in, index, out); }};
  });
  set.add("movers_scatter", sizes, [](unsigned n) {
    auto in = uniform(n, 2);
    auto index = movers_order(n, 2);
    auto out = room<float>(n);
    return Problem{[=] {
                     movers_scatter<<<blocks_of(n, 128), 128>>>(in->data(), index->data(),
                                                                out->data(), n);
                   },
                   [=] { return movers_scattered(in, index, out); }};
  });
  set.add("movers_fours", sizes, [](unsigned n) {
    auto in = uniform(n, 3);
    auto index = movers_order(n, 3);
    auto out = room<float>(n);
    return Problem{
        [=] { movers_fours<<<4 * 132, 512>>>(in->data(), index->data(), out->data(), n); },
        [=] { return movers_gathered(in, index, out); }};
  });
  set.add("movers_chunks", sizes, [](unsigned n) {
    auto in = uniform<double>(n, 4);
    auto index = movers_order(n, 4);
    auto out = room<double>(n);
    return Problem{[=] {
                     movers_chunks<<<blocks_of(blocks_of(n, kMoversChunk), 64), 64>>>(
                         in->data(), index->data(), out->data(), n);
                   },
                   [=] { return movers_gathered(in, index, out); }};
  });
  movers_add_rest(set, sizes);
}

}  // namespace timing_set

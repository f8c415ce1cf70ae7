// SPDX-License-Identifier: MIT
// The tones of an image of bytes: counted by block and by warp, and exchanged by a table in shared or in global memory.
#pragma once
#include <algorithm>

#include "../set.cuh"

namespace timing_set {

constexpr unsigned kTones = 256;
// Copies: how many tables of counters the warps of a block have.
template <unsigned Copies>
__global__ void tones_counted(const unsigned* in, unsigned* counts, unsigned words) {
  __shared__ unsigned own[Copies][kTones];
  for (unsigned k = threadIdx.x; k < Copies * kTones; k += blockDim.x)
    own[k / kTones][k % kTones] = 0;
  __syncthreads();
  unsigned* const bins = own[threadIdx.x / 32 % Copies];
  for (unsigned i = thread_number(); i < words; i += gridDim.x * blockDim.x) {
    const unsigned x = in[i];
    atomicAdd(&bins[x & 255], 1u);
    atomicAdd(&bins[x >> 8 & 255], 1u);
    atomicAdd(&bins[x >> 16 & 255], 1u);
    atomicAdd(&bins[x >> 24], 1u);
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < kTones; k += blockDim.x) {
    unsigned sum = 0;
    for (unsigned c = 0; c < Copies; ++c) sum += own[c][k];
    if (sum) atomicAdd(&counts[k], sum);
  }
}
template <bool InShared>
__global__ void tones_exchanged(const uchar4* in, const unsigned char* table, uchar4* out,
                                unsigned words) {
  __shared__ unsigned char kept[kTones];
  if (InShared) {
    if (threadIdx.x < kTones) kept[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
  }
  const unsigned char* const by = InShared ? kept : table;
  const unsigned i = thread_number();
  if (i >= words) return;
  const uchar4 x = in[i];
  out[i] = {by[x.x], by[x.y], by[x.z], by[x.w]};
}

// Dark ones are more frequent.
inline unsigned char tone_at(unsigned i) {
  const unsigned r = mixed(i);
  return static_cast<unsigned char>((r & 255) * (r >> 8 & 255) / 256);
}
template <unsigned Copies>
Problem count_problem(unsigned n) {
  auto in = array<unsigned char>(n, tone_at);
  auto counts = room<unsigned>(kTones);
  return {[=] {
            tones_counted<Copies><<<std::min(blocks_of(n / 4), 528u), kBlock>>>(
                reinterpret_cast<const unsigned*>(in->data()), counts->data(), n / 4);
          },
          [=] {
            std::vector<unsigned> wanted(kTones);
            for (const unsigned char tone : in->host) ++wanted[tone];
            return counts->device.download() == wanted;
          },
          [=] { clear(counts); }};
}
template <bool InShared>
Problem exchange_problem(unsigned n) {
  auto in = array<unsigned char>(n, tone_at), out = room<unsigned char>(n);
  auto table = array<unsigned char>(kTones, [](unsigned i) { return mixed(i) & 255; });
  return {[=] {
            tones_exchanged<InShared><<<blocks_of(n / 4), kBlock>>>(
                reinterpret_cast<const uchar4*>(in->data()), table->data(),
                reinterpret_cast<uchar4*>(out->data()), n / 4);
          },
          [=] {
            return agrees(
                out, [=](unsigned i) { return table->host[in->host[i]]; }, 0);
          }};
}

inline void add_tone(Set& set) {
  const std::vector<unsigned> sizes = {1 << 16, 1 << 20, 1 << 24};
  set.add("tones_by_block", sizes, count_problem<1>);
  set.add("tones_by_warp", sizes, count_problem<8>);
  set.add("tones_by_shared_table", sizes, exchange_problem<true>);
  set.add("tones_by_global_table", sizes, exchange_problem<false>);
}

}  // namespace timing_set

// SPDX-License-Identifier: MIT
// Work that is not the same for all: more from block to block, one block with most of it, unlike warps, unlike lanes.
#pragma once
#include "../set.cuh"

namespace timing_set {

enum class Share { Rising, OneBlock, Warps, Lanes };

template <Share Kind>
__host__ __device__ unsigned rounds_for(unsigned block, unsigned thread, unsigned blocks) {
  if (Kind == Share::Rising) return 4 + 120 * block / blocks;
  if (Kind == Share::OneBlock) return block == blocks / 2 ? 1024 : 16;
  const unsigned who = Kind == Share::Warps ? block * 4 + thread / 32 : block * 128 + thread;
  const unsigned r = mixed(who);
  return r % 16 ? 8 + r % 32 : 256;
}
template <Share Kind>
__global__ void uneven(const float* in, float* out) {
  float x = in[thread_number()];
  const unsigned rounds = rounds_for<Kind>(blockIdx.x, threadIdx.x, gridDim.x);
#pragma unroll 1
  for (unsigned k = 0; k < rounds; ++k) x = x * 0.75f + 0.5f / (x + 1.f);
  out[thread_number()] = x;
}

template <Share Kind>
Problem uneven_problem(unsigned blocks) {
  auto in = uniform(blocks * 128, 1), out = room<float>(blocks * 128);
  return {[=] { uneven<Kind><<<blocks, 128>>>(in->data(), out->data()); },
          [=] {
            return agrees(out, [=](unsigned i) {
              float x = in->host[i];
              const unsigned rounds = rounds_for<Kind>(i / 128, i % 128, blocks);
              for (unsigned k = 0; k < rounds; ++k) x = x * 0.75f + 0.5f / (x + 1.f);
              return x;
            });
          }};
}

inline void add_uneven(Set& set) {
  const std::vector<unsigned> sizes = {132, 1000, 16000};
  set.add("uneven_rising", sizes, uneven_problem<Share::Rising>);
  set.add("uneven_one_block", sizes, uneven_problem<Share::OneBlock>);
  set.add("uneven_warps", sizes, uneven_problem<Share::Warps>);
  set.add("uneven_lanes", sizes, uneven_problem<Share::Lanes>);
}

}  // namespace timing_set

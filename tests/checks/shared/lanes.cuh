// SPDX-License-Identifier: MIT
// Lanes of one warp: see corpus.cuh.
#pragma once

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void warp_reverse_racy(int* a, int*, int) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;          // race A
  a[threadIdx.x] = s[31 - threadIdx.x];  // race B
}
__global__ void warp_reverse(int* a, int*, int) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  a[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void warp_tree_racy(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  s[threadIdx.x + 32] = 1;
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    s[threadIdx.x] += s[threadIdx.x + step];  // race A B
  }
  if (threadIdx.x == 0) a[0] = s[0];
}
__global__ void warp_tree(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  s[threadIdx.x + 32] = 1;
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    const int other = s[threadIdx.x + step];
    __syncwarp();
    s[threadIdx.x] += other;
    __syncwarp();
  }
  if (threadIdx.x == 0) a[0] = s[0];
}

__global__ void half_mask_racy(int* a, int*, int) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;  // race A
  __syncwarp(threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u);
  a[threadIdx.x] = s[31 - threadIdx.x];  // race B
}
__global__ void half_mask(int* a, int*, int) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u);
  a[threadIdx.x] = s[threadIdx.x ^ 15];
}
__global__ void two_halves_meet(int* a, int*, int) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u);
  s[threadIdx.x ^ 15] += 1;
  __syncwarp();
  a[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void branch_of_warp_racy(int* a, int* b, int) {
  __shared__ int s[2];
  if (threadIdx.x == 0) {
    s[0] = b[0];  // race A
  } else if (threadIdx.x == 1) {
    a[1] = s[0];  // race B
  }
}
__global__ void branch_of_warp(int* a, int*, int) {
  __shared__ int s[2];
  if (threadIdx.x == 0) s[0] = 5;
  __syncwarp();
  if (threadIdx.x == 1) a[1] = s[0];
}

__global__ void shuffle_meets(int* a, int*, int) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  const int sum = __shfl_xor_sync(0xffffffffu, s[threadIdx.x], 1);
  a[threadIdx.x] = s[threadIdx.x ^ 1] + sum;
}
__global__ void ballot_meets(int* a, int*, int) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  const unsigned votes = __ballot_sync(0xffffffffu, threadIdx.x & 1);
  a[threadIdx.x] = s[31 - threadIdx.x] + static_cast<int>(votes & 1);
}

__global__ void tile_of_16_racy(int* a, int*, int) {
  __shared__ int s[64];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  s[threadIdx.x] = tile.thread_rank();  // race A
  tile.sync();
  a[threadIdx.x] = s[threadIdx.x ^ 16];  // race B
}
__global__ void tile_of_16(int* a, int*, int) {
  __shared__ int s[64];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  s[threadIdx.x] = tile.thread_rank();
  tile.sync();
  a[threadIdx.x] = s[threadIdx.x ^ 8];
}
__global__ void group_sync(int* a, int*, int) {
  __shared__ int s[64];
  const auto block = cg::this_thread_block();
  s[block.thread_rank()] = block.thread_rank();
  block.sync();
  a[threadIdx.x] = s[63 - block.thread_rank()];
}
__global__ void coalesced_racy(int* a, int*, int) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;  // race A
  if (threadIdx.x % 2 == 0) {
    const auto group = cg::coalesced_threads();
    group.sync();
    a[threadIdx.x] = s[threadIdx.x + 1];  // race B
  }
}
// coalesced_threads() would name those who run together at that moment, whoever they are.
__global__ void group_of_a_branch(int* a, int*, int) {
  __shared__ int s[32];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto group = cg::binary_partition(warp, threadIdx.x % 2 == 0);
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 2 == 0) {
    group.sync();
    a[threadIdx.x] = s[threadIdx.x ^ 2];
  }
}

// Tiles of more than a warp meet through one word for all of them, so that in the usual order the second has heard of the
// first.
__global__ void tile_of_64_hidden_racy(int* a, int*, int) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ int s[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  s[threadIdx.x] = tile.thread_rank();  // race A
  tile.sync();
  a[threadIdx.x] = s[threadIdx.x ^ 64];  // race B
}
__global__ void tile_of_64(int* a, int*, int) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ int s[128];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  s[threadIdx.x] = tile.thread_rank();
  tile.sync();
  a[threadIdx.x] = s[threadIdx.x ^ 32];
}

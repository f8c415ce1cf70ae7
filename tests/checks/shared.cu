// SPDX-License-Identifier: MIT
// Races in shared memory, each beside its cure: see corpus.cuh.
#include <cooperative_groups.h>

#include "corpus.cuh"

namespace cg = cooperative_groups;

// ---- a barrier is missing between writing and reading

__global__ void reverse_racy(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;          // race A
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void reverse(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void tree_racy(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];  // race A B
  }
  if (threadIdx.x == 0) a[0] = s[0];
}
__global__ void tree(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) a[0] = s[0];
}

__global__ void tree_start_racy(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;  // race A
  for (int step = 64; step > 0; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];  // race B
    __syncthreads();
  }
  if (threadIdx.x == 0) a[0] = s[0];
}

__global__ void barrier_before_racy(int* a, int*, int) {
  __shared__ int s[64];
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;                 // race A
  a[threadIdx.x] = s[(threadIdx.x + 32) % 64];  // race B
  __syncthreads();
}
__global__ void barrier_behind(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[threadIdx.x] = s[(threadIdx.x + 32) % 64];
}

__global__ void flag_of_block_racy(int* a, int* b, int) {
  __shared__ int ready;
  if (threadIdx.x == 0) ready = b[0];  // race A
  a[threadIdx.x] = ready;              // race B
}
__global__ void flag_of_block(int* a, int*, int) {
  __shared__ int ready;
  if (threadIdx.x == 0) ready = 7;
  __syncthreads();
  a[threadIdx.x] = ready;
}

__global__ void total_racy(int* a, int*, int) {
  __shared__ int total;
  if (threadIdx.x == blockDim.x - 1) total = threadIdx.x;  // race A
  if (threadIdx.x == 0) a[0] = total;                      // race B
}
__global__ void total(int* a, int*, int) {
  __shared__ int total;
  if (threadIdx.x == blockDim.x - 1) total = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) a[0] = total;
}

__global__ void halo_racy(int* a, int* b, int) {
  __shared__ int s[66];
  s[threadIdx.x + 1] = b[threadIdx.x];                                        // race A
  if (threadIdx.x == 0) s[0] = s[65] = 0;                                     // race C
  a[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];  // race B
  __syncthreads();
}
__global__ void halo(int* a, int* b, int) {
  __shared__ int s[66];
  s[threadIdx.x + 1] = b[threadIdx.x];
  if (threadIdx.x == 0) s[0] = s[65] = 0;
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}

// ---- the next round begins before the last one has been read

__global__ void one_word_twice_racy(int* a, int* b, int) {
  __shared__ int word;
  if (threadIdx.x == 0) word = b[0];
  __syncthreads();
  const int most = word;              // race A
  if (threadIdx.x == 0) word = b[1];  // race B
  __syncthreads();
  a[threadIdx.x] = most + word;
}
__global__ void one_word_twice(int* a, int* b, int) {
  __shared__ int word;
  if (threadIdx.x == 0) word = b[0];
  __syncthreads();
  const int most = word;
  __syncthreads();
  if (threadIdx.x == 0) word = b[1];
  __syncthreads();
  a[threadIdx.x] = most + word;
}

__global__ void tile_again_racy(int* a, int* b, int) {
  __shared__ int tile[64];
  int sum = 0;
  for (int t = 0; t < 4; ++t) {
    tile[threadIdx.x] = b[t * 64 + threadIdx.x];  // race B
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[k];  // race A
  }
  a[threadIdx.x] = sum;
}
__global__ void tile_again(int* a, int* b, int) {
  __shared__ int tile[64];
  int sum = 0;
  for (int t = 0; t < 4; ++t) {
    tile[threadIdx.x] = b[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[k];
    __syncthreads();
  }
  a[threadIdx.x] = sum;
}
__global__ void two_tiles(int* a, int* b, int) {
  __shared__ int tile[2][64];
  int sum = 0;
  for (int t = 0; t < 4; ++t) {
    tile[t % 2][threadIdx.x] = b[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[t % 2][k];
  }
  a[threadIdx.x] = sum;
}

__global__ void scan_in_place_racy(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    if (threadIdx.x >= step) s[threadIdx.x] += s[threadIdx.x - step];  // race A B
    __syncthreads();
  }
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void scan_in_place(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    const int left = threadIdx.x >= step ? s[threadIdx.x - step] : 0;
    __syncthreads();
    s[threadIdx.x] += left;
    __syncthreads();
  }
  a[threadIdx.x] = s[threadIdx.x];
}

__global__ void shift_racy(int* a, int*, int) {
  __shared__ int s[65];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  s[threadIdx.x + 1] = s[threadIdx.x];  // race A B
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void shift(int* a, int*, int) {
  __shared__ int s[65];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int mine = s[threadIdx.x];
  __syncthreads();
  s[threadIdx.x + 1] = mine;
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x + 1];
}

// ---- counting

__global__ void bins_plain_racy(int* a, int*, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[threadIdx.x % 4] += 1;  // race A B
  __syncthreads();
  if (threadIdx.x < 4) a[threadIdx.x] = bins[threadIdx.x];
}
__global__ void bins_atomic(int* a, int*, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) a[threadIdx.x] = bins[threadIdx.x];
}
__global__ void bins_not_zero_yet_racy(int* a, int*, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;  // race A
  atomicAdd(&bins[threadIdx.x % 4], 1);        // race B
  __syncthreads();
  if (threadIdx.x < 4) a[threadIdx.x] = bins[threadIdx.x];
}
__global__ void bins_read_early_racy(int* a, int*, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 4], 1);                     // race A
  if (threadIdx.x < 4) a[threadIdx.x] = bins[threadIdx.x];  // race B
}
__global__ void bins_of_block_scope(int* a, int*, int) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd_block(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) a[threadIdx.x] = bins[threadIdx.x];
}

__global__ void everybody_writes_racy(int* a, int*, int) {
  __shared__ int who;
  who = threadIdx.x;  // race A B
  __syncthreads();
  a[threadIdx.x] = who;
}
__global__ void one_writes(int* a, int*, int) {
  __shared__ int who;
  if (threadIdx.x == 5) who = threadIdx.x;
  __syncthreads();
  a[threadIdx.x] = who;
}
__global__ void same_value_in_a_warp(int* a, int*, int) {
  __shared__ int seen;
  if (threadIdx.x < 32) seen = 1;
  __syncthreads();
  a[threadIdx.x] = seen;
}

// ---- lanes of one warp

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
__global__ void coalesced(int* a, int*, int) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 2 == 0) {
    const auto group = cg::coalesced_threads();
    group.sync();
    a[threadIdx.x] = s[threadIdx.x ^ 2];
  }
}

// ---- barriers with numbers

__device__ void named_sync(int id, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ void named_arrive(int id, int threads) {
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__global__ void two_numbers_racy(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;  // race A
  named_sync(1 + threadIdx.x / 64, 64);
  a[threadIdx.x] = s[127 - threadIdx.x];  // race B
}
__global__ void two_numbers(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  named_sync(1 + threadIdx.x / 64, 64);
  a[threadIdx.x] = s[threadIdx.x ^ 63];
}
__global__ void one_number(int* a, int*, int) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  named_sync(3, 128);
  a[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void consumer_does_not_wait_racy(int* a, int*, int) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = threadIdx.x;  // race A
    named_sync(1, 64);
  } else {
    named_arrive(1, 64);
    a[threadIdx.x] = s[threadIdx.x - 32];  // race B
  }
}
__global__ void producer_arrives(int* a, int*, int) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = threadIdx.x;
    named_arrive(1, 64);
  } else {
    named_sync(1, 64);
    a[threadIdx.x] = s[threadIdx.x - 32];
  }
}
__global__ void producer_goes_on_racy(int* a, int*, int) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    named_arrive(1, 64);
    s[threadIdx.x] = threadIdx.x;  // race A
  } else {
    named_sync(1, 64);
    a[threadIdx.x] = s[threadIdx.x - 32];  // race B
  }
}
__global__ void vote_of_block(int* a, int*, int) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  const int n = __syncthreads_count(threadIdx.x % 2);
  a[threadIdx.x] = s[63 - threadIdx.x] + n;
}

// ---- bytes and vectors

__global__ void neighbour_bytes(int* a, int*, int) {
  __shared__ char s[64];
  s[threadIdx.x] = static_cast<char>(threadIdx.x);
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void byte_of_a_word_racy(int* a, int*, int) {
  __shared__ union {
    char bytes[256];
    int words[64];
  } s;
  s.bytes[threadIdx.x * 2] = 1;           // race A
  a[threadIdx.x] = s.words[threadIdx.x];  // race B
}
__global__ void byte_of_a_word(int* a, int*, int) {
  __shared__ union {
    char bytes[256];
    int words[64];
  } s;
  s.words[threadIdx.x] = 0;
  s.bytes[threadIdx.x * 4 + 1] = 1;
  a[threadIdx.x] = s.words[threadIdx.x];
}
__global__ void vector_over_neighbour_racy(int* a, int*, int) {
  __shared__ __align__(16) int s[256];
  s[threadIdx.x] = threadIdx.x;                                   // race A
  const int4 four = reinterpret_cast<int4*>(s)[threadIdx.x / 4];  // race B
  a[threadIdx.x] = four.x + four.w;
}
__global__ void vector_own(int* a, int*, int) {
  __shared__ __align__(16) int s[256];
  reinterpret_cast<int4*>(s)[threadIdx.x] = make_int4(1, 2, 3, 4);
  a[threadIdx.x] = s[threadIdx.x * 4 + 3];
}
extern __shared__ int dynamic[];
__global__ void overlapping_arrays_racy(int* a, int*, int) {
  int *first = dynamic, *second = dynamic + 32;  // 64 are meant
  first[threadIdx.x] = threadIdx.x;              // race A
  second[threadIdx.x] = -1;                      // race B
  __syncthreads();
  a[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}
__global__ void separate_arrays(int* a, int*, int) {
  int *first = dynamic, *second = dynamic + 64;
  first[threadIdx.x] = threadIdx.x;
  second[threadIdx.x] = -1;
  __syncthreads();
  a[threadIdx.x] = first[threadIdx.x] + second[63 - threadIdx.x];
}

// ---- flags in shared memory

__global__ void volatile_flag_racy(int* a, int* b, int) {
  __shared__ int data;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = b[1];  // race A
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {
    }
    a[0] = data;  // race B
  }
}
__global__ void volatile_flag_with_fences(int* a, int* b, int) {
  __shared__ int data;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = b[1];
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    a[0] = data;
  }
}

using corpus::Case;
const Case kCases[] = {
    CASE(reverse_racy),
    CASE(reverse),
    CASE(tree_racy, 1, 128),
    CASE(tree, 1, 128),
    CASE(tree_start_racy, 1, 128),
    CASE(barrier_before_racy),
    CASE(barrier_behind),
    CASE(flag_of_block_racy),
    CASE(flag_of_block),
    CASE(total_racy),
    CASE(total),
    CASE(halo_racy),
    CASE(halo),
    CASE(one_word_twice_racy),
    CASE(one_word_twice),
    CASE(tile_again_racy),
    CASE(tile_again),
    CASE(two_tiles),
    CASE(scan_in_place_racy),
    CASE(scan_in_place),
    CASE(shift_racy),
    CASE(shift),
    CASE(bins_plain_racy),
    CASE(bins_atomic),
    CASE(bins_not_zero_yet_racy),
    CASE(bins_read_early_racy),
    CASE(bins_of_block_scope),
    CASE(everybody_writes_racy),
    CASE(one_writes),
    CASE(same_value_in_a_warp),
    CASE(warp_reverse_racy, 1, 32),
    CASE(warp_reverse, 1, 32),
    CASE(warp_tree_racy, 1, 32),
    CASE(warp_tree, 1, 32),
    CASE(half_mask_racy, 1, 32),
    CASE(half_mask, 1, 32),
    CASE(two_halves_meet, 1, 32),
    CASE(branch_of_warp_racy, 1, 32),
    CASE(branch_of_warp, 1, 32),
    CASE(shuffle_meets, 1, 32),
    CASE(ballot_meets, 1, 32),
    CASE(tile_of_16_racy),
    CASE(tile_of_16),
    CASE(group_sync),
    CASE(coalesced_racy, 1, 32),
    CASE(coalesced, 1, 32),
    CASE(two_numbers_racy, 1, 128),
    CASE(two_numbers, 1, 128),
    CASE(one_number, 1, 128),
    CASE(consumer_does_not_wait_racy),
    CASE(producer_arrives),
    CASE(producer_goes_on_racy),
    CASE(vote_of_block),
    CASE(neighbour_bytes),
    CASE(byte_of_a_word_racy),
    CASE(byte_of_a_word),
    CASE(vector_over_neighbour_racy),
    CASE(vector_own),
    CASE(overlapping_arrays_racy, 1, 64, 1024),
    CASE(separate_arrays, 1, 64, 1024),
    CASE(volatile_flag_racy),
    CASE(volatile_flag_with_fences),
};

int main() { return corpus::run(kCases); }

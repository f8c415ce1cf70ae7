// SPDX-License-Identifier: MIT
// Words and locks that threads of two devices change: see pair.cuh.
#pragma once

#include "pair.cuh"

__global__ void far_counter(int* a, int*, int) { atomicAdd_system(a, 1); }
__global__ void far_counter_of_the_device_racy(int* a, int*, int) {
  atomicAdd(a, 1);  // race A B
}
__global__ void far_counter_of_mixed_scope_racy(int* a, int*, int rank) {
  if (rank == 0) {
    atomicAdd(a, 1);  // race A
  } else {
    atomicAdd_system(a, 1);  // race B
  }
}
__global__ void far_counter_of_the_block_racy(int* a, int*, int) {
  if (threadIdx.x == 0) atomicAdd_block(a, 1);  // race A B
}
__global__ void far_counters_of_their_own(int* a, int* b, int rank) {
  atomicAdd(rank == 0 ? a : b, 1);
}
__global__ void far_counter_read_racy(int* a, int* b, int rank) {
  if (rank == 0) {
    atomicAdd_system(a, 1);  // race A
  } else {
    b[threadIdx.x] = a[0];  // race B
  }
}
__global__ void far_counter_plain_racy(int* a, int*, int) {
  if (threadIdx.x == 0) a[0] += 1;  // race A B
}
__global__ void far_ref(int*, int* b, int) { pair::System(b[3]).fetch_max(3, pair::kRelaxed); }
__global__ void far_ref_of_the_device_racy(int*, int* b, int) {
  pair::Device(b[3]).fetch_max(3, pair::kRelaxed);  // race A B
}
__global__ void far_halves(int* a, int*, int rank) { a[32 * rank + threadIdx.x] = 1; }
__global__ void far_halves_overlap_racy(int* a, int*, int rank) {
  a[31 * rank + threadIdx.x] = 1 + rank;  // race A B
}
__global__ void far_bytes(int* a, int*, int rank) {
  reinterpret_cast<char*>(a)[2 * threadIdx.x + static_cast<unsigned>(rank)] = 1;
}
__global__ void far_bytes_overlap_racy(int* a, int*, int rank) {
  char* const bytes = reinterpret_cast<char*>(a) + rank;
  bytes[threadIdx.x] = static_cast<char>(rank + 5);  // race A B
}
__global__ void far_both_read(int* a, int* b, int rank) {
  (rank == 0 ? a : b)[32 + threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
__global__ void far_volatile_data_racy(int* a, int*, int rank) {
  if (threadIdx.x == 0) static_cast<volatile int*>(a)[4] = rank + 1;  // race A B
}

__global__ void far_lock(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  while (atomicCAS_system(a, 0, 1) != 0) {
  }
  __threadfence_system();
  a[1] += 1;
  __threadfence_system();
  atomicExch_system(a, 0);
}
__global__ void far_lock_of_the_device_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(a, 0, 1) != 0) {  // race C
  }
  __threadfence_system();
  a[1] += 1;  // race A B
  __threadfence_system();
  atomicExch(a, 0);  // race C
}
__global__ void far_lock_fence_of_the_device_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  while (atomicCAS_system(a, 0, 1) != 0) {
  }
  __threadfence();
  a[1] += 1;  // race A B
  __threadfence();
  atomicExch_system(a, 0);
}
// What each device does alone is looked at as ever.
__global__ void far_neighbours_racy(int* a, int* b, int rank) {
  int* const mine = rank == 0 ? a : b;
  mine[threadIdx.x] = static_cast<int>(threadIdx.x);                     // race A
  if (threadIdx.x < 31) mine[32 + threadIdx.x] = mine[threadIdx.x + 1];  // race B
}
__global__ void far_neighbours(int* a, int* b, int rank) {
  int* const mine = rank == 0 ? a : b;
  mine[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncwarp();
  if (threadIdx.x < 31) mine[32 + threadIdx.x] = mine[threadIdx.x + 1];
}

// SPDX-License-Identifier: MIT
// Barriers of the block and of the cluster: see sync.cu.
#pragma once

#define BARRIER(id, threads) asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory")

// finds sync-barrier-count
__global__ void two_counts_broken(int* a, int*, int) {
  a[threadIdx.x] = 1;
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");  // sync A
  } else {
    asm volatile("bar.sync 1, 32;" ::: "memory");  // sync B
  }
}
__global__ void one_count(int* a, int*, int) {
  a[threadIdx.x] = 1;
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
}
// finds sync-operand
__global__ void no_whole_warps_broken(int*, int*, int n) {
  BARRIER(1, n - 4096 + 48);  // sync A
}
__global__ void whole_warps(int*, int*, int n) { BARRIER(1, n - 4096 + 64); }
// finds sync-operand
__global__ void no_such_barrier_broken(int*, int*, int n) {
  BARRIER(n - 4096 + 16, 64);  // sync A
}
__global__ void last_barrier(int*, int*, int n) { BARRIER(n - 4096 + 15, 64); }
// finds sync-deadlock
__global__ void counts_a_warp_that_ended_broken(int* a, int*, int) {
  if (threadIdx.x >= 32) return;
  asm volatile("bar.sync 1, 64;" ::: "memory");  // sync A
  a[threadIdx.x] = 1;
}
__global__ void counts_those_who_come(int* a, int*, int) {
  if (threadIdx.x >= 32) return;
  asm volatile("bar.sync 1, 32;" ::: "memory");
  a[threadIdx.x] = 1;
}
// finds sync-divergent-barrier
__global__ void barrier_in_a_branch_broken(int* a, int* b, int) {
  if (threadIdx.x < 16) __syncthreads();  // sync A
  a[threadIdx.x] = b[threadIdx.x];        // sync B
}
__global__ void barrier_in_a_branch_of_all(int* a, int* b, int n) {
  if (n > 16) __syncthreads();
  a[threadIdx.x] = b[threadIdx.x];
}
// finds sync-divergent-barrier
__global__ void barrier_in_each_branch_broken(int* a, int* b, int) {
  if (threadIdx.x < 16) {
    a[threadIdx.x] = b[threadIdx.x];
    __syncthreads();  // sync A
  } else {
    b[threadIdx.x] = 1;
    __syncthreads();
  }
}
__global__ void barrier_behind_the_branch(int* a, int* b, int) {
  if (threadIdx.x < 16) {
    a[threadIdx.x] = b[threadIdx.x + 32];
  } else {
    b[threadIdx.x] = 1;
  }
  __syncthreads();
}
// finds sync-divergent-barrier
__global__ void barrier_in_uneven_rounds_broken(int* a, int* b, int) {
  for (int i = 0; i <= threadIdx.x % 2; ++i) __syncthreads();  // sync A
  a[threadIdx.x] = b[threadIdx.x];                             // sync B
}
__global__ void barrier_in_even_rounds(int* a, int* b, int) {
  for (int i = 0; i <= 1; ++i) __syncthreads();
  a[threadIdx.x] = b[threadIdx.x];
}
__global__ void leaves_before_the_barrier(int* a, int* b, int) {
  if (threadIdx.x >= 20) return;
  __syncthreads();
  a[threadIdx.x] = b[threadIdx.x];
}
__global__ void spins_before_the_barrier(int* a, int* b, int) {
  if (threadIdx.x == 0) {
    while (atomicAdd(b, 0) < 31) {
    }
  } else if (threadIdx.x < 32) {
    atomicAdd(b, 1);
  }
  __syncthreads();
  a[threadIdx.x] = b[threadIdx.x + 1];
}
// finds sync-livelock
__global__ void the_other_warp_never_comes_broken(int* a, int*, int) {
  if (threadIdx.x < 32) {
    while (*reinterpret_cast<volatile int*>(a) == 0) {  // sync A
    }
  }
  __syncthreads();
  if (threadIdx.x == 32) atomicExch(a, 1);
}
__global__ void the_other_warp_comes(int* a, int*, int) {
  if (threadIdx.x == 32) atomicExch(a, 1);
  if (threadIdx.x < 32) {
    while (*reinterpret_cast<volatile int*>(a) == 0) {
    }
  }
  __syncthreads();
}
// finds sync-operand
__global__ void __cluster_dims__(2) arrives_twice_broken(int* a, int*, int) {
  asm volatile("barrier.cluster.arrive;" ::: "memory");
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  asm volatile("barrier.cluster.arrive;" ::: "memory");  // sync A
}
__global__ void __cluster_dims__(2) arrives_and_waits(int* a, int*, int) {
  asm volatile("barrier.cluster.arrive;" ::: "memory");
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  asm volatile("barrier.cluster.wait;" ::: "memory");
}

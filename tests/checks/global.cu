// SPDX-License-Identifier: MIT
// Races in global memory, each beside its cure: see corpus.cuh.
#include <cooperative_groups.h>

#include <cuda/atomic>

#include "corpus.cuh"

namespace cg = cooperative_groups;

__device__ int volatile_read(const int* p) { return *reinterpret_cast<const volatile int*>(p); }
__device__ void volatile_write(int* p, int value) { *reinterpret_cast<volatile int*>(p) = value; }

template <cuda::thread_scope kScope>
__device__ cuda::atomic_ref<int, kScope> ref(int& word) {
  return cuda::atomic_ref<int, kScope>(word);
}
constexpr auto kDevice = cuda::thread_scope_device;
constexpr auto kBlock = cuda::thread_scope_block;

// ---- counters

__global__ void counter_racy(int* a, int*, int) {
  *a = *a + 1;  // race A B
}
__global__ void counter(int* a, int*, int) { atomicAdd(a, 1); }

__global__ void counter_read_racy(int* a, int* b, int) {
  atomicAdd(a, 1);                        // race A
  b[blockIdx.x * 64 + threadIdx.x] = *a;  // race B
}
__global__ void counter_read(int* a, int* b, int) {
  atomicAdd(a, 1);
  b[blockIdx.x * 64 + threadIdx.x] = atomicAdd(a, 0);
}
__global__ void counter_of_block_scope_racy(int* a, int*, int) {
  atomicAdd_block(a, 1);  // race A B
}
__global__ void counter_of_block_scope(int* a, int*, int) { atomicAdd_block(a + blockIdx.x, 1); }
__global__ void counter_of_mixed_scope_racy(int* a, int*, int) {
  if (blockIdx.x == 0) {
    atomicAdd_block(a, 1);  // race A
  } else {
    atomicAdd(a, 1);  // race B
  }
}
__global__ void counter_zeroed_racy(int* a, int*, int) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *a = 0;  // race A
  atomicAdd(a, 1);                                  // race B
}
__global__ void guarded_maximum_racy(int* a, int* b, int) {
  const int mine = b[threadIdx.x] + threadIdx.x;
  if (*a < mine) atomicMax(a, mine);  // race A B
}
__global__ void maximum(int* a, int* b, int) {
  const int mine = b[threadIdx.x] + threadIdx.x;
  atomicMax(a, mine);
}
__global__ void guarded_maximum(int* a, int* b, int) {
  const int mine = b[threadIdx.x] + threadIdx.x;
  if (volatile_read(a) < mine) atomicMax(a, mine);
}
__global__ void histogram_racy(int* a, int* b, int) {
  ++a[b[threadIdx.x] + threadIdx.x % 8];  // race A B
}
__global__ void histogram(int* a, int* b, int) {
  atomicAdd(&a[b[threadIdx.x] + threadIdx.x % 8], 1);
}
__global__ void atomic_ref_relaxed(int* a, int*, int) {
  ref<kDevice>(*a).fetch_add(1, cuda::std::memory_order_relaxed);
}
__global__ void atomic_ref_of_block_racy(int* a, int*, int) {
  ref<kBlock>(*a).fetch_add(1, cuda::std::memory_order_relaxed);  // race A B
}
__global__ void volatile_is_no_race(int* a, int*, int) {
  volatile_write(a, volatile_read(a) + 1);  // gives any sum, but each access is one
}

// ---- data and flag between two blocks: block 0 gives, block 1 waits

__global__ void flag_without_fences_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];  // race A
    volatile_write(a, 1);
  } else {
    while (volatile_read(a) == 0) {
    }
    b[2] = a[1];  // race B
  }
}
__global__ void flag_with_fences(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];
    __threadfence();
    volatile_write(a, 1);
  } else {
    while (volatile_read(a) == 0) {
    }
    __threadfence();
    b[2] = a[1];
  }
}
__global__ void flag_without_giver_fence_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];  // race A
    atomicExch(a, 1);
  } else {
    while (atomicAdd(a, 0) == 0) {
    }
    __threadfence();
    b[2] = a[1];  // race B
  }
}
__global__ void flag_without_taker_fence_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];  // race A
    __threadfence();
    atomicExch(a, 1);
  } else {
    while (atomicAdd(a, 0) == 0) {
    }
    b[2] = a[1];  // race B
  }
}
__global__ void flag_fence_after_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];  // race A
    atomicExch(a, 1);
    __threadfence();
  } else {
    while (atomicAdd(a, 0) == 0) {
    }
    __threadfence();
    b[2] = a[1];  // race B
  }
}
__global__ void flag_block_fence_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];  // race A
    __threadfence_block();
    atomicExch(a, 1);
  } else {
    while (atomicAdd(a, 0) == 0) {
    }
    __threadfence();
    b[2] = a[1];  // race B
  }
}
__global__ void flag_plain_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];  // race C
    __threadfence();
    *a = 1;  // race A
  } else {
    while (atomicAdd(a, 0) == 0) {  // race B
    }
    __threadfence();
    b[2] = a[1];  // race C
  }
}
__global__ void flag_release_acquire(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];
    ref<kDevice>(*a).store(1, cuda::std::memory_order_release);
  } else {
    while (ref<kDevice>(*a).load(cuda::std::memory_order_acquire) == 0) {
    }
    b[2] = a[1];
  }
}
__global__ void flag_relaxed_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];  // race A
    ref<kDevice>(*a).store(1, cuda::std::memory_order_relaxed);
  } else {
    while (ref<kDevice>(*a).load(cuda::std::memory_order_acquire) == 0) {
    }
    b[2] = a[1];  // race B
  }
}
__global__ void flag_taken_relaxed_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];  // race A
    ref<kDevice>(*a).store(1, cuda::std::memory_order_release);
  } else {
    while (ref<kDevice>(*a).load(cuda::std::memory_order_relaxed) == 0) {
    }
    b[2] = a[1];  // race B
  }
}
__global__ void flag_block_scope_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];                                                // race C
    ref<kBlock>(*a).store(1, cuda::std::memory_order_release);  // race A
  } else {
    while (ref<kBlock>(*a).load(cuda::std::memory_order_acquire) == 0) {  // race B
    }
    b[2] = a[1];  // race C
  }
}
__global__ void flag_sequential(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[1] = b[1];
    ref<kDevice>(*a).store(1);
  } else {
    while (ref<kDevice>(*a).load() == 0) {
    }
    b[2] = a[1];
  }
}
__global__ void whole_block_gives(int* a, int* b, int) {
  if (blockIdx.x == 0) {
    a[64 + threadIdx.x] = b[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) ref<kDevice>(*a).store(1, cuda::std::memory_order_release);
  } else {
    if (threadIdx.x == 0) {
      while (ref<kDevice>(*a).load(cuda::std::memory_order_acquire) == 0) {
      }
    }
    __syncthreads();
    b[64 + threadIdx.x] = a[64 + (threadIdx.x ^ 1)];
  }
}
__global__ void block_gives_without_barrier_racy(int* a, int* b, int) {
  if (blockIdx.x == 0) {
    a[64 + threadIdx.x] = b[threadIdx.x];  // race A
    if (threadIdx.x == 0) ref<kDevice>(*a).store(1, cuda::std::memory_order_release);
  } else {
    if (threadIdx.x == 0) {
      while (ref<kDevice>(*a).load(cuda::std::memory_order_acquire) == 0) {
      }
    }
    __syncthreads();
    b[64 + threadIdx.x] = a[64 + (threadIdx.x ^ 1)];  // race B
  }
}
__global__ void chain_of_blocks(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  const int i = blockIdx.x;
  int before = 0;
  if (i > 0) {
    while (ref<kDevice>(a[i - 1]).load(cuda::std::memory_order_acquire) == 0) {
    }
    for (int k = 0; k < i; ++k) before += b[k];
  }
  b[i] = before + 1;
  ref<kDevice>(a[i]).store(1, cuda::std::memory_order_release);
}
__global__ void chain_of_blocks_racy(int* a, int* b, int) {
  if (threadIdx.x != 0) return;
  const int i = blockIdx.x;
  int before = 0;
  if (i > 0) {
    while (ref<kDevice>(a[i - 1]).load(cuda::std::memory_order_acquire) == 0) {
    }
    for (int k = 0; k < i; ++k) before += b[k];  // race A
  }
  ref<kDevice>(a[i]).store(1, cuda::std::memory_order_release);
  b[i] = before + 1;  // race B
}

// ---- locks

__device__ void lock(int* l) {
  while (atomicCAS(l, 0, 1) != 0) {
  }
}
__device__ void unlock(int* l) { atomicExch(l, 0); }

__global__ void lock_without_fences_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  lock(a);
  a[1] += 1;  // race A B
  unlock(a);
}
__global__ void lock_with_fences(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  lock(a);
  __threadfence();
  a[1] += 1;
  __threadfence();
  unlock(a);
}
__global__ void lock_freed_early_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  lock(a);
  __threadfence();
  const int old = a[1];  // race A
  __threadfence();
  unlock(a);
  a[1] = old + 1;  // race B
}
__global__ void lock_of_block_scope_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  while (atomicCAS_block(a, 0, 1) != 0) {  // race C
  }
  __threadfence();
  a[1] += 1;  // race A B
  __threadfence();
  atomicExch_block(a, 0);  // race C
}
__global__ void lock_freed_plainly_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(a, 0, 1) != 0) {  // race A
  }
  __threadfence();
  a[1] += 1;  // race C
  __threadfence();
  *a = 0;  // race B
}
__global__ void lock_acquire_release(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  const auto word = ref<kDevice>(*a);
  int expected = 0;
  while (!word.compare_exchange_weak(expected, 1, cuda::std::memory_order_acquire)) expected = 0;
  a[1] += 1;
  word.store(0, cuda::std::memory_order_release);
}
__global__ void lock_taken_relaxed_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  const auto word = ref<kDevice>(*a);
  int expected = 0;
  while (!word.compare_exchange_weak(expected, 1, cuda::std::memory_order_relaxed)) expected = 0;
  a[1] += 1;  // race A B
  word.store(0, cuda::std::memory_order_release);
}
__global__ void two_locks_racy(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  int* const mine = a + 8 * (blockIdx.x % 2);
  lock(mine);
  __threadfence();
  a[1] += 1;  // race A B
  __threadfence();
  unlock(mine);
}
__global__ void ticket_lock(int* a, int*, int) {
  if (threadIdx.x != 0) return;
  const int ticket = atomicAdd(a, 1);
  while (atomicAdd(a + 1, 0) != ticket) {
  }
  __threadfence();
  a[2] += 1;
  __threadfence();
  atomicAdd(a + 1, 1);
}
__global__ void lanes_take_a_lock(int* a, int*, int) {
  bool done = false;
  while (!done) {
    if (atomicCAS(a, 0, 1) == 0) {
      __threadfence();
      a[1] += 1;
      __threadfence();
      atomicExch(a, 0);
      done = true;
    }
  }
}

// ---- the last block adds up

__global__ void last_block(int* a, int* b, int) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    b[blockIdx.x] = blockIdx.x;
    __threadfence();
    last = atomicAdd(a, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(a + 1, b[threadIdx.x]);
}
__global__ void last_block_racy(int* a, int* b, int) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    b[blockIdx.x] = blockIdx.x;  // race A
    last = atomicAdd(a, 1) == static_cast<int>(gridDim.x) - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(a + 1, b[threadIdx.x]);  // race B
}
__global__ void last_block_all_write(int* a, int* b, int) {
  __shared__ bool last;
  b[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(a, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += b[i];
  atomicAdd(a + 1, sum);
}
__global__ void last_block_no_barrier_racy(int* a, int* b, int) {
  __shared__ bool last;
  b[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // race A
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(a, 1) == static_cast<int>(gridDim.x) - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
    sum += b[i];  // race B
  atomicAdd(a + 1, sum);
}

// ---- one array, read and written

__global__ void stencil_in_place_racy(int* a, int*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) a[i] = a[i + 1] + 1;  // race A B
}
__global__ void stencil(int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) b[i] = a[i + 1] + 1;
}
__global__ void same_output_racy(int* a, int*, int) {
  a[threadIdx.x] = blockIdx.x;  // race A B
}
__global__ void own_output(int* a, int*, int) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
}
__global__ void edges_overlap_racy(int* a, int*, int) {
  const int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;  // one column too little
  a[i] = i + blockIdx.x;                                      // race A B
}
__global__ void sum_in_one_kernel_racy(int* a, int* b, int) {
  if (threadIdx.x == 0) b[blockIdx.x] = 1;  // race A
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x < gridDim.x)
    a[threadIdx.x] = b[threadIdx.x];  // race B
}
__global__ void block_exchange_racy(int* a, int* b, int) {
  a[threadIdx.x] = threadIdx.x;          // race A
  b[threadIdx.x] = a[threadIdx.x ^ 32];  // race B
}
__global__ void block_exchange(int* a, int* b, int) {
  a[threadIdx.x] = threadIdx.x;
  __syncthreads();
  b[threadIdx.x] = a[threadIdx.x ^ 32];
}
__global__ void warp_exchange_racy(int* a, int* b, int) {
  a[threadIdx.x] = threadIdx.x;         // race A
  b[threadIdx.x] = a[threadIdx.x ^ 1];  // race B
}
__global__ void warp_exchange(int* a, int* b, int) {
  a[threadIdx.x] = threadIdx.x;
  __syncwarp();
  b[threadIdx.x] = a[threadIdx.x ^ 1];
}
__global__ void bytes_side_by_side(int* a, int*, int) {
  reinterpret_cast<char*>(a)[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void parent_read_racy(int* a, int*, int) {
  const int i = (blockIdx.x * 64 + threadIdx.x) % 16;
  if (a[i] == 0) atomicCAS(&a[i], 0, 1);  // race A B
}
__global__ void parent_read(int* a, int*, int) {
  const int i = (blockIdx.x * 64 + threadIdx.x) % 16;
  if (volatile_read(&a[i]) == 0) atomicCAS(&a[i], 0, 1);
}
__global__ void slots_of_a_queue(int* a, int* b, int) { b[atomicAdd(a, 1)] = threadIdx.x; }
__global__ void slots_read_racy(int* a, int* b, int) {
  b[atomicAdd(a, 1)] = threadIdx.x;                      // race A
  if (threadIdx.x == 0 && blockIdx.x == 3) a[1] = b[0];  // race B
}

// ---- the grid meets

__global__ void grid_meets(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  cg::this_grid().sync();
  b[i] = a[n - 1 - i];
}
__global__ void grid_does_not_meet_racy(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;  // race A
  __syncthreads();
  b[i] = a[n - 1 - i];  // race B
}
__global__ void grid_meets_once_racy(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  cg::this_grid().sync();
  const int other = a[n - 1 - i];  // race A
  a[i] = other + 1;                // race B
  b[i] = other;
}
__global__ void grid_meets_twice(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  cg::this_grid().sync();
  const int other = a[n - 1 - i];
  cg::this_grid().sync();
  a[i] = other + 1;
  b[i] = other;
}
__global__ void own_grid_barrier(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[64 + i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(a, 1);
    while (atomicAdd(a, 0) < static_cast<int>(gridDim.x)) {
    }
    __threadfence();
  }
  __syncthreads();
  b[i] = a[64 + n - 1 - i];
}
__global__ void own_grid_barrier_racy(int* a, int* b, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[64 + i] = i;           // race A
  if (threadIdx.x == 0) {  // the others have not been waited for
    __threadfence();
    atomicAdd(a, 1);
    while (atomicAdd(a, 0) < static_cast<int>(gridDim.x)) {
    }
    __threadfence();
  }
  __syncthreads();
  b[i] = a[64 + n - 1 - i];  // race B
}

using corpus::Case;
const Case kCases[] = {
    CASE(counter_racy, 4),
    CASE(counter, 4),
    CASE(counter_read_racy, 4),
    CASE(counter_read, 4),
    CASE(counter_of_block_scope_racy, 4),
    CASE(counter_of_block_scope, 4),
    CASE(counter_of_mixed_scope_racy, 4),
    CASE(counter_zeroed_racy, 4),
    CASE(guarded_maximum_racy, 4),
    CASE(maximum, 4),
    CASE(guarded_maximum, 4),
    CASE(histogram_racy, 4),
    CASE(histogram, 4),
    CASE(atomic_ref_relaxed, 4),
    CASE(atomic_ref_of_block_racy, 4),
    CASE(volatile_is_no_race, 4),
    CASE(flag_without_fences_racy, 2),
    CASE(flag_with_fences, 2),
    CASE(flag_without_giver_fence_racy, 2),
    CASE(flag_without_taker_fence_racy, 2),
    CASE(flag_fence_after_racy, 2),
    CASE(flag_block_fence_racy, 2),
    CASE(flag_plain_racy, 2),
    CASE(flag_release_acquire, 2),
    CASE(flag_relaxed_racy, 2),
    CASE(flag_taken_relaxed_racy, 2),
    CASE(flag_block_scope_racy, 2),
    CASE(flag_sequential, 2),
    CASE(whole_block_gives, 2),
    CASE(block_gives_without_barrier_racy, 2),
    CASE(chain_of_blocks, 6),
    CASE(chain_of_blocks_racy, 6),
    CASE(lock_without_fences_racy, 4),
    CASE(lock_with_fences, 4),
    CASE(lock_freed_early_racy, 4),
    CASE(lock_of_block_scope_racy, 4),
    CASE(lock_freed_plainly_racy, 4),
    CASE(lock_acquire_release, 4),
    CASE(lock_taken_relaxed_racy, 4),
    CASE(two_locks_racy, 4),
    CASE(ticket_lock, 4),
    CASE(lanes_take_a_lock, 2),
    CASE(last_block, 4),
    CASE(last_block_racy, 4),
    CASE(last_block_all_write, 4),
    CASE(last_block_no_barrier_racy, 4),
    CASE(stencil_in_place_racy, 4),
    CASE(stencil, 4),
    CASE(same_output_racy, 4),
    CASE(own_output, 4),
    CASE(edges_overlap_racy, 4),
    CASE(sum_in_one_kernel_racy, 4),
    CASE(block_exchange_racy),
    CASE(block_exchange),
    CASE(warp_exchange_racy),
    CASE(warp_exchange),
    CASE(bytes_side_by_side, 4),
    CASE(parent_read_racy, 4),
    CASE(parent_read, 4),
    CASE(slots_of_a_queue, 4),
    CASE(slots_read_racy, 4),
    CASE(grid_meets, 4, 64, 0, true),
    CASE(grid_does_not_meet_racy, 4, 64, 0, true),
    CASE(grid_meets_once_racy, 4, 64, 0, true),
    CASE(grid_meets_twice, 4, 64, 0, true),
    CASE(own_grid_barrier, 4),
    CASE(own_grid_barrier_racy, 4),
};

int main() { return corpus::run(kCases); }

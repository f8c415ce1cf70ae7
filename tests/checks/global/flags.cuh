// SPDX-License-Identifier: MIT
// Data and flag between two blocks: block 0 gives, block 1 waits: see corpus.cuh.
#pragma once

#include "words.cuh"

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

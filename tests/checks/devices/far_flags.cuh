// SPDX-License-Identifier: MIT
// Data and flag between two devices: rank 0 gives, rank 1 waits: see pair.cuh.
#pragma once

#include "pair.cuh"

__global__ void far_release_acquire(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0) {
    b[1] = a[1];
    pair::System(b[0]).store(1, pair::kRelease);
  } else {
    while (pair::System(b[0]).load(pair::kAcquire) == 0) {
    }
    b[2] = b[1];
  }
}
__global__ void far_release_for_the_device_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0) {
    b[1] = a[1];                                  // race A
    pair::Device(b[0]).store(1, pair::kRelease);  // race C
  } else {
    while (pair::System(b[0]).load(pair::kAcquire) == 0) {  // race C
    }
    b[2] = b[1];  // race B
  }
}
__global__ void far_acquire_for_the_device_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0) {
    b[1] = a[1];                                  // race A
    pair::System(b[0]).store(1, pair::kRelease);  // race C
  } else {
    while (pair::Device(b[0]).load(pair::kAcquire) == 0) {  // race C
    }
    b[2] = b[1];  // race B
  }
}
__global__ void far_word_for_the_device_racy(int*, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0) {
    pair::System(b[0]).store(1, pair::kRelaxed);  // race A
  } else {
    while (pair::Device(b[0]).load(pair::kRelaxed) == 0) {  // race B
    }
  }
}
__global__ void far_word(int*, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0) {
    pair::System(b[0]).store(1, pair::kRelaxed);
  } else {
    while (pair::System(b[0]).load(pair::kRelaxed) == 0) {
    }
  }
}
__global__ void far_relaxed_store_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0) {
    b[1] = a[1];  // race A
    pair::System(b[0]).store(1, pair::kRelaxed);
  } else {
    while (pair::System(b[0]).load(pair::kAcquire) == 0) {
    }
    b[2] = b[1];  // race B
  }
}
__global__ void far_relaxed_load_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0) {
    b[1] = a[1];  // race A
    pair::System(b[0]).store(1, pair::kRelease);
  } else {
    while (pair::System(b[0]).load(pair::kRelaxed) == 0) {
    }
    b[2] = b[1];  // race B
  }
}
__global__ void far_volatile_with_fences(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  volatile int* const word = b;
  if (rank == 0) {
    b[1] = a[1];
    __threadfence_system();
    *word = 1;
  } else {
    while (*word == 0) {
    }
    __threadfence_system();
    b[2] = b[1];
  }
}
__global__ void far_volatile_fence_of_the_device_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  volatile int* const word = b;
  if (rank == 0) {
    b[1] = a[1];  // race A
    __threadfence();
    *word = 1;
  } else {
    while (*word == 0) {
    }
    __threadfence_system();
    b[2] = b[1];  // race B
  }
}
__global__ void far_volatile_takers_fence_of_the_device_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  volatile int* const word = b;
  if (rank == 0) {
    b[1] = a[1];  // race A
    __threadfence_system();
    *word = 1;
  } else {
    while (*word == 0) {
    }
    __threadfence();
    b[2] = b[1];  // race B
  }
}
__global__ void far_word_first_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0) {
    pair::System(b[0]).store(1, pair::kRelease);
    b[1] = a[1];  // race A
  } else {
    while (pair::System(b[0]).load(pair::kAcquire) == 0) {
    }
    b[2] = b[1];  // race B
  }
}
__global__ void far_looks_once_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0) {
    if (pair::System(b[0]).load(pair::kAcquire) == 0) b[1] = a[1];  // race A
    pair::System(b[0]).store(1, pair::kRelease);
  } else {
    (void)pair::System(a[0]).load(pair::kAcquire);
    b[2] = b[1];  // race B
  }
}
// All threads of a block write, one tells it; one hears it, all read.
__global__ void far_block_to_block(int* a, int* b, int rank) {
  const unsigned i = 32 + threadIdx.x;
  if (rank == 0) {
    b[i] = a[i];
    __syncthreads();
    if (threadIdx.x == 0) pair::System(b[0]).store(1, pair::kRelease);
  } else {
    if (threadIdx.x == 0) {
      while (pair::System(b[0]).load(pair::kAcquire) == 0) {
      }
    }
    __syncthreads();
    b[i + 256] = b[i];
  }
}
__global__ void far_block_does_not_gather_racy(int* a, int* b, int rank) {
  const unsigned i = 32 + threadIdx.x;
  if (rank == 0) {
    b[i] = a[i];  // race A
    if (threadIdx.x == 0) pair::System(b[0]).store(1, pair::kRelease);
  } else {
    if (threadIdx.x == 0) {
      while (pair::System(b[0]).load(pair::kAcquire) == 0) {
      }
    }
    __syncthreads();
    b[i + 256] = b[i];  // race B
  }
}
__global__ void far_block_does_not_wait_racy(int* a, int* b, int rank) {
  const unsigned i = 32 + threadIdx.x;
  if (rank == 0) {
    b[i] = a[i];  // race A
    __syncthreads();
    if (threadIdx.x == 0) pair::System(b[0]).store(1, pair::kRelease);
  } else {
    if (threadIdx.x == 0) {
      while (pair::System(b[0]).load(pair::kAcquire) == 0) {
      }
    }
    b[i + 256] = b[i];  // race B
  }
}

// SPDX-License-Identifier: MIT
// Words that go from thread to thread, and buffers that are used again: see pair.cuh.
#pragma once

#include "pair.cuh"

// Block 0 of rank 0 writes and tells block 1, for which the scope of the device is enough; that one tells rank 1.
__global__ void far_relay(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0 && blockIdx.x == 0) {
    b[1] = a[1];
    pair::Device(a[0]).store(1, pair::kRelease);
  } else if (rank == 0) {
    while (pair::Device(a[0]).load(pair::kAcquire) == 0) {
    }
    pair::System(b[0]).store(1, pair::kRelease);
  } else if (blockIdx.x == 0) {
    while (pair::System(b[0]).load(pair::kAcquire) == 0) {
    }
    b[2] = b[1];
  }
}
__global__ void far_relay_relaxed_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0 && blockIdx.x == 0) {
    b[1] = a[1];  // race A
    pair::Device(a[0]).store(1, pair::kRelease);
  } else if (rank == 0) {
    while (pair::Device(a[0]).load(pair::kRelaxed) == 0) {
    }
    pair::System(b[0]).store(1, pair::kRelease);
  } else if (blockIdx.x == 0) {
    while (pair::System(b[0]).load(pair::kAcquire) == 0) {
    }
    b[2] = b[1];  // race B
  }
}
// A word whose holder adds to it goes on carrying what was released before.
__global__ void far_relay_by_an_atomic(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  if (rank == 0 && blockIdx.x == 0) {
    b[1] = a[1];
    pair::System(b[0]).store(1, pair::kRelease);
  } else if (rank == 0) {
    while (pair::System(b[0]).load(pair::kRelaxed) == 0) {
    }
    pair::System(b[0]).fetch_add(1, pair::kRelaxed);
  } else if (blockIdx.x == 0) {
    while (pair::System(b[0]).load(pair::kAcquire) < 2) {
    }
    b[2] = b[1];
  }
}
// One place for two letters: the second is written when the first has been read.
__global__ void far_letters(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  for (int k = 1; k <= 3; ++k) {
    if (rank == 0) {
      while (pair::System(a[0]).load(pair::kAcquire) < k - 1) {
      }
      b[1] = k;
      pair::System(b[0]).store(k, pair::kRelease);
    } else {
      while (pair::System(b[0]).load(pair::kAcquire) < k) {
      }
      b[2] += b[1];
      pair::System(a[0]).store(k, pair::kRelease);
    }
  }
}
__global__ void far_letters_answer_taken_relaxed_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  for (int k = 1; k <= 3; ++k) {
    if (rank == 0) {
      while (pair::System(a[0]).load(pair::kRelaxed) < k - 1) {
      }
      b[1] = k;  // race A
      pair::System(b[0]).store(k, pair::kRelease);
    } else {
      while (pair::System(b[0]).load(pair::kAcquire) < k) {
      }
      b[2] += b[1];  // race B
      pair::System(a[0]).store(k, pair::kRelease);
    }
  }
}
__global__ void far_letters_answered_too_early_racy(int* a, int* b, int rank) {
  if (threadIdx.x != 0) return;
  for (int k = 1; k <= 3; ++k) {
    if (rank == 0) {
      while (pair::System(a[0]).load(pair::kAcquire) < k - 1) {
      }
      b[1] = k;  // race A
      pair::System(b[0]).store(k, pair::kRelease);
    } else {
      while (pair::System(b[0]).load(pair::kAcquire) < k) {
      }
      pair::System(a[0]).store(k, pair::kRelease);
      b[2] += b[1];  // race B
    }
  }
}
__device__ void far_meet(int* mine, int* theirs) {
  __syncthreads();
  if (threadIdx.x == 0) {
    pair::System(*theirs).store(1, pair::kRelease);
    while (pair::System(*mine).load(pair::kAcquire) == 0) {
    }
  }
  __syncthreads();
}
// Both write, meet, and read what the other has written.
__global__ void far_meeting(int* a, int* b, int rank) {
  int* const mine = rank == 0 ? a : b;
  int* const theirs = rank == 0 ? b : a;
  const unsigned i = 32 + threadIdx.x;
  mine[i] = rank;
  far_meet(mine, theirs);
  mine[i + 256] = theirs[63 - threadIdx.x];
}
__global__ void far_meeting_too_early_racy(int* a, int* b, int rank) {
  int* const mine = rank == 0 ? a : b;
  int* const theirs = rank == 0 ? b : a;
  const unsigned i = 32 + threadIdx.x;
  far_meet(mine, theirs);
  mine[i] = rank + 7;                        // race A
  mine[i + 256] = theirs[63 - threadIdx.x];  // race B
}
__global__ void far_no_meeting_behind_it_racy(int* a, int* b, int rank) {
  int* const mine = rank == 0 ? a : b;
  int* const theirs = rank == 0 ? b : a;
  const unsigned i = 32 + threadIdx.x;
  far_meet(mine, theirs);
  mine[i + 256] = theirs[i];  // race A
  mine[i] = 9;                // race B
}

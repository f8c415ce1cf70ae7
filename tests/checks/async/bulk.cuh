// SPDX-License-Identifier: MIT
// Bulk copies: see corpus.cuh.
#pragma once

#include "copying.cuh"

// On one line where they stand: compilers do not agree on which line of a longer statement an instruction belongs to.
#define BULK_IN(to, from, bar)                                                              \
  asm volatile(                                                                             \
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, " \
      "[%2];" ::"r"(in_shared(to)),                                                         \
      "l"(from), "r"(in_shared(bar))                                                        \
      : "memory")
#define BULK_OUT(to, from)                                                               \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(to), \
               "r"(in_shared(from))                                                      \
               : "memory")

__global__ void bulk_not_waited_racy(int* a, int* b, int) {
  __shared__ Word bar;
  __shared__ __align__(16) int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&bar, 256);
    BULK_IN(s, b, &bar);  // race A
  }
  __syncthreads();
  a[threadIdx.x] = s[threadIdx.x];  // race B
  wait(&bar, 0);
}
__global__ void bulk_waited(int* a, int* b, int) {
  __shared__ Word bar;
  __shared__ __align__(16) int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&bar, 256);
    bulk_in(s, b, 256, &bar);
  }
  wait(&bar, 0);
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void bulk_out_reused_racy(int* a, int*, int) {
  __shared__ __align__(16) int s[64];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    BULK_OUT(a, s);  // race A
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  }
  __syncthreads();
  s[threadIdx.x] = 0;  // race B
}
__global__ void bulk_out_waited(int* a, int*, int) {
  __shared__ __align__(16) int s[64];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk_out(a, s, 256);
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
  __syncthreads();
  s[threadIdx.x] = 0;
}

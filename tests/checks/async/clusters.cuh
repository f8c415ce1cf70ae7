// SPDX-License-Identifier: MIT
// Clusters: see corpus.cuh.
#pragma once

#include "copying.cuh"

__global__ void peer_read_racy(int* a, int*, int) {
  __shared__ int s[64];
  const auto cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;  // race A
  const int* const other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  a[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];  // race B
  cluster.sync();
}
__global__ void peer_read(int* a, int*, int) {
  __shared__ int s[64];
  const auto cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* const other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  a[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];
  cluster.sync();
}
__global__ void peer_written_again_racy(int* a, int*, int) {
  __shared__ int s[64];
  const auto cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* const other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  a[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];  // race A
  s[threadIdx.x] = -1;                                    // race B
  cluster.sync();
}
__global__ void peer_block_barrier_racy(int* a, int*, int) {
  __shared__ int s[64];
  const auto cluster = cg::this_cluster();
  cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x] = threadIdx.x;  // race A
  __syncthreads();
  a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];  // race B
  cluster.sync();
}
__global__ void peer_write(int* a, int*, int) {
  __shared__ int s[64];
  const auto cluster = cg::this_cluster();
  cluster.sync();
  cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x] = threadIdx.x;
  cluster.sync();
  a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void peer_counts_plain_racy(int* a, int*, int) {
  __shared__ int count;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) count = 0;
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&count, 0) += 1;  // race A B
  cluster.sync();
  if (threadIdx.x == 0) a[blockIdx.x] = count;
}
__global__ void peer_counts(int* a, int*, int) {
  __shared__ int count;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) count = 0;
  cluster.sync();
  if (threadIdx.x == 0) atomicAdd(cluster.map_shared_rank(&count, 0), 1);
  cluster.sync();
  if (threadIdx.x == 0) a[blockIdx.x] = count;
}
__global__ void cluster_arrives_only_racy(int* a, int*, int) {
  __shared__ int s[64];
  const auto cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;  // race A
  cluster.barrier_arrive();
  const int* const other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  a[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];  // race B
  cluster.barrier_wait();
  cluster.sync();
}
__global__ void other_cluster_racy(int* a, int* b, int) {
  const auto cluster = cg::this_cluster();
  a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;  // race A
  cluster.sync();
  b[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x ^ 2) * 64 + threadIdx.x];  // race B
}
__global__ void own_cluster(int* a, int* b, int) {
  const auto cluster = cg::this_cluster();
  a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  cluster.sync();
  b[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x ^ 1) * 64 + threadIdx.x];
}
__global__ void cluster_scope_counts(int* a, int*, int) {
  asm volatile("red.relaxed.cluster.global.add.s32 [%0], 1;" ::"l"(a + blockIdx.x / 2) : "memory");
}
__global__ void cluster_scope_counts_racy(int* a, int*, int) {
  asm volatile("red.relaxed.cluster.global.add.s32 [%0], 1;" ::"l"(a) : "memory");  // race A B
}

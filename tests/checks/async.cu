// SPDX-License-Identifier: MIT
// Asynchronous copies, mbarriers, clusters and distributed shared memory: races and their cures, see corpus.cuh.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>

#include "corpus.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init  // a cuda::barrier in shared memory

namespace cg = cooperative_groups;
using Word = unsigned long long;

__device__ unsigned in_shared(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void make_bar(Word* bar, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(in_shared(bar)), "r"(count) : "memory");
}
__device__ void arrive(Word* bar) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(in_shared(bar))
               : "memory");
}
__device__ void expect(Word* bar, int bytes) {
  asm volatile(
      "{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(in_shared(bar)),
      "r"(bytes)
      : "memory");
}
__device__ void wait(Word* bar, int parity) {
  asm volatile(
      "{ .reg .pred p;\nW: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra W; }" ::"r"(
          in_shared(bar)),
      "r"(parity)
      : "memory");
}
__device__ void copies_arrive(Word* bar) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(in_shared(bar)) : "memory");
}
__device__ void bulk_in(void* to, const void* from, int bytes, Word* bar) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(in_shared(to)),
      "l"(from), "r"(bytes), "r"(in_shared(bar))
      : "memory");
}
__device__ void bulk_out(void* to, const void* from, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"(in_shared(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// ---- cp.async

__global__ void copy_not_waited_racy(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  __pipeline_commit();
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void copy_waited(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void own_copy_not_waited_racy(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  __pipeline_commit();
  a[threadIdx.x] = s[threadIdx.x];  // race B
}
__global__ void own_copy_waited(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void copy_without_barrier_racy(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  __pipeline_commit();
  __pipeline_wait_prior(0);
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void copy_barrier_first_racy(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void waits_for_too_little_racy(int* a, int* b, int) {
  __shared__ int s[2][64];
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&s[k][threadIdx.x], &b[k * 64 + threadIdx.x], 4);  // race A
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  a[threadIdx.x] = s[0][63 - threadIdx.x];
  a[64 + threadIdx.x] = s[1][63 - threadIdx.x];  // race B
}
__global__ void waits_step_by_step(int* a, int* b, int) {
  __shared__ int s[2][64];
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&s[k][threadIdx.x], &b[k * 64 + threadIdx.x], 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  a[threadIdx.x] = s[0][63 - threadIdx.x];
  __pipeline_wait_prior(0);
  __syncthreads();
  a[64 + threadIdx.x] = s[1][63 - threadIdx.x];
}
__global__ void copies_over_readers_racy(int* a, int* b, int) {
  __shared__ int s[64];
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    __pipeline_memcpy_async(&s[threadIdx.x], &b[k * 64 + threadIdx.x], 4);  // race B
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[63 - threadIdx.x];  // race A
  }
  a[threadIdx.x] = sum;
}
__global__ void copies_behind_readers(int* a, int* b, int) {
  __shared__ int s[64];
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    __pipeline_memcpy_async(&s[threadIdx.x], &b[k * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[63 - threadIdx.x];
    __syncthreads();
  }
  a[threadIdx.x] = sum;
}
__global__ void source_changes_racy(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  __pipeline_commit();
  b[threadIdx.x] = 1;  // race B
  __pipeline_wait_prior(0);
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void source_changes_later(int* a, int* b, int) {
  __shared__ int s[64];
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  b[threadIdx.x] = 1;
  a[threadIdx.x] = s[threadIdx.x];
}

// ---- mbarriers

__global__ void mbarrier_without_wait_racy(int* a, int*, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;  // race A
  arrive(&bar);
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void mbarrier_waits(int* a, int*, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  arrive(&bar);
  wait(&bar, 0);
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void mbarrier_second_phase_racy(int* a, int*, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  arrive(&bar);
  wait(&bar, 0);
  s[threadIdx.x] = threadIdx.x;  // race A
  arrive(&bar);
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void mbarrier_two_phases(int* a, int*, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  arrive(&bar);
  wait(&bar, 0);
  s[threadIdx.x] = threadIdx.x;
  arrive(&bar);
  wait(&bar, 1);
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void mbarrier_made_late_racy(int* a, int*, int) {
  __shared__ Word bar;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(in_shared(&bar)) : "memory");  // race A
  }
  if (threadIdx.x >= 32) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(in_shared(&bar)));  // race B
    a[threadIdx.x] = 1;
  }
}
__global__ void copies_counted(int* a, int* b, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);
  copies_arrive(&bar);
  wait(&bar, 0);
  a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void copies_not_counted_racy(int* a, int* b, int) {
  __shared__ Word bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 64);
  __syncthreads();
  __pipeline_memcpy_async(&s[threadIdx.x], &b[threadIdx.x], 4);  // race A
  arrive(&bar);
  wait(&bar, 0);
  a[threadIdx.x] = s[63 - threadIdx.x];  // race B
}
__global__ void producer_and_consumer(int* a, int* b, int) {
  __shared__ Word full, empty;
  __shared__ int s[32];
  if (threadIdx.x == 0) {
    make_bar(&full, 32);
    make_bar(&empty, 32);
  }
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    if (threadIdx.x < 32) {
      if (k > 0) wait(&empty, (k - 1) % 2);
      s[threadIdx.x] = b[k * 32 + threadIdx.x] + k;
      arrive(&full);
    } else {
      wait(&full, k % 2);
      a[k * 32 + threadIdx.x - 32] = s[63 - threadIdx.x];
      arrive(&empty);
    }
  }
}
__global__ void producer_does_not_wait_racy(int* a, int* b, int) {
  __shared__ Word full;
  __shared__ int s[32];
  if (threadIdx.x == 0) make_bar(&full, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    s[threadIdx.x] = b[threadIdx.x] + 1;
    arrive(&full);
    s[threadIdx.x] = b[32 + threadIdx.x] + 2;  // race A
  } else {
    wait(&full, 0);
    a[threadIdx.x - 32] = s[63 - threadIdx.x];  // race B
  }
}
__global__ void library_barrier(int* a, int*, int) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  bar.arrive_and_wait();
  a[threadIdx.x] = s[63 - threadIdx.x];
}

// ---- bulk copies

__global__ void bulk_not_waited_racy(int* a, int* b, int) {
  __shared__ Word bar;
  __shared__ __align__(16) int s[64];
  if (threadIdx.x == 0) make_bar(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&bar, 256);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, "
        "[%2];" ::"r"(in_shared(s)),
        "l"(b), "r"(in_shared(&bar))  // race A
        : "memory");
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
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(a),
                 "r"(in_shared(s))  // race A
                 : "memory");
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

// ---- clusters

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

using corpus::Case;
const Case kCases[] = {
    CASE(copy_not_waited_racy),
    CASE(copy_waited),
    CASE(own_copy_not_waited_racy),
    CASE(own_copy_waited),
    CASE(copy_without_barrier_racy),
    CASE(copy_barrier_first_racy),
    CASE(waits_for_too_little_racy),
    CASE(waits_step_by_step),
    CASE(copies_over_readers_racy),
    CASE(copies_behind_readers),
    CASE(source_changes_racy),
    CASE(source_changes_later),
    CASE(mbarrier_without_wait_racy),
    CASE(mbarrier_waits),
    CASE(mbarrier_second_phase_racy),
    CASE(mbarrier_two_phases),
    CASE(mbarrier_made_late_racy),
    CASE(copies_counted),
    CASE(copies_not_counted_racy),
    CASE(producer_and_consumer),
    CASE(producer_does_not_wait_racy),
    CASE(library_barrier),
    CASE(bulk_not_waited_racy),
    CASE(bulk_waited),
    CASE(bulk_out_reused_racy),
    CASE(bulk_out_waited),
    CASE(peer_read_racy, 4, 64, 0, false, 2),
    CASE(peer_read, 4, 64, 0, false, 2),
    CASE(peer_written_again_racy, 4, 64, 0, false, 2),
    CASE(peer_block_barrier_racy, 4, 64, 0, false, 2),
    CASE(peer_write, 4, 64, 0, false, 2),
    CASE(peer_counts_plain_racy, 4, 64, 0, false, 2),
    CASE(peer_counts, 4, 64, 0, false, 2),
    CASE(cluster_arrives_only_racy, 4, 64, 0, false, 2),
    CASE(other_cluster_racy, 4, 64, 0, false, 2),
    CASE(own_cluster, 4, 64, 0, false, 2),
    CASE(cluster_scope_counts, 4, 64, 0, false, 2),
    CASE(cluster_scope_counts_racy, 4, 64, 0, false, 2),
};

int main() { return corpus::run(kCases); }

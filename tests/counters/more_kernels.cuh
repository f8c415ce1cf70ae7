// SPDX-License-Identifier: MIT
// Micro-kernels for the rules that kernels.cuh leaves open: local memory that ptxas cannot keep in
// registers, lanes that meet unevenly, copies of parts, the shared memory of other blocks.
#pragma once

#include "kernels.cuh"

// ---- local memory: stored and loaded at places that only the run knows

template <class T>
__device__ T filled(unsigned v) {
  if constexpr (sizeof(T) == 16) return T{v, v, v, v};
  if constexpr (sizeof(T) <= 8) return static_cast<T>(v);
}
// Lanes kStep elements apart; only the first kLanes.
template <class T, int kStep, int kLanes>
__global__ void local_memory(const int* index, T* out) {
  T own[64];
  if (lane() >= kLanes) return;
  const unsigned i = index[0] + lane() * kStep;
  own[i & 63] = filled<T>(threadIdx.x);
  own[(i + index[1] + 7) & 63] = filled<T>(lane());
  out[thread_index()] = own[(i + index[2]) & 63];
}

// ---- shared memory

// Lanes share by two in one half of the warp only.
__device__ inline unsigned pairs_in_one_half(unsigned t) {
  return t % 32 < 16 ? t % 16 / 2 * 16 : t % 16 * 16;
}
// Each lane as its neighbour in one half, as the next but one in the other.
__device__ inline unsigned pairs_of_two_kinds(unsigned t) {
  return t % 32 < 16 ? t % 16 / 2 * 16 : t % 2 * 16;
}
// Half of the lanes on one word, the others each on their own.
__device__ inline unsigned uneven(unsigned l) { return l < 16 ? 0 : l; }

enum class Op { Add, Max, Exchange, Swap };
template <Op kOp, class T>
__device__ T atomic(T* at, T value) {
  if constexpr (kOp == Op::Add) return atomicAdd(at, value);
  if constexpr (kOp == Op::Max) return atomicMax(at, value);
  if constexpr (kOp == Op::Exchange) return atomicExch(at, value);
  if constexpr (kOp == Op::Swap) return atomicCAS(at, T(0), value);
}
template <Op kOp, class T, int kAddresses>
__global__ void atomic_shared_result(T* out) {
  extern __shared__ uint4 shared_memory[];
  T* at = reinterpret_cast<T*>(shared_memory) + lane() % kAddresses;
  out[thread_index()] = atomic<kOp>(at, T(threadIdx.x));
}
__global__ void atomic_shared_uneven(unsigned* out) {
  extern __shared__ uint4 shared_memory[];
  unsigned* at = reinterpret_cast<unsigned*>(shared_memory) + uneven(lane());
  out[thread_index()] = atomicAdd(at, threadIdx.x);
}

// ---- global atomics

template <int kStep>
__global__ void reduce_uneven(unsigned* counters) {
  atomicMax(counters + uneven(lane()) * kStep, threadIdx.x);
}
__global__ void atomic_long(unsigned long long* counters, unsigned long long* out) {
  out[thread_index()] = atomicAdd(counters + lane() % 4, 1ull);
}

// ---- cp.async

__global__ void copy_async_8(const char* in, unsigned* out) {
  const unsigned to = shared_at(threadIdx.x * 8);
  const char* from = in + thread_index() * 16;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[thread_index()] = lds32(threadIdx.x % 32 * 4);
}
// Odd lanes take nothing from their source: zeros are written.
__global__ void copy_async_some(const char* in, unsigned* out) {
  const unsigned to = shared_at(threadIdx.x * 16), bytes = lane() % 2 ? 0 : 16;
  const char* from = in + thread_index() * 16;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[thread_index()] = lds32(threadIdx.x % 32 * 4);
}

// ---- the shared memory of the other block of the cluster

enum class Far { Load, Store, Add };
template <Far kFar>
__global__ void __cluster_dims__(2) far_shared(unsigned* out) {
  unsigned rank, at, value = threadIdx.x;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(at)
               : "r"(shared_at(threadIdx.x * 4)), "r"(rank ^ 1));
  sts32(threadIdx.x * 4, value);
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  if constexpr (kFar == Far::Load) {
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
  } else if constexpr (kFar == Far::Store) {
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
  } else {
    asm volatile("atom.shared::cluster.max.u32 %0, [%1], 7;" : "=r"(value) : "r"(at) : "memory");
  }
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  out[thread_index()] = value;
}

// Reads where nothing is: the launch fails.
__global__ void fault(const int* nowhere, int* out) { out[thread_index()] = nowhere[lane()]; }

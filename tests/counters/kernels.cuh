// SPDX-License-Identifier: MIT
// The micro-kernels: each makes one kind of access, so that a counter that is wrong names its rule.
// A load is followed by one coalesced store of what it gave, or it would be dropped.
#pragma once

#include "access.cuh"

__device__ inline unsigned thread_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline unsigned lane() { return threadIdx.x % 32; }
__device__ inline unsigned scattered(unsigned i) { return (i * 2654435761u) >> 14; }  // below 2^18

// ---- global loads

// Element (thread * kStep + kOffset).
template <class T, int kStep, int kOffset>
__global__ void load_global(const T* in, T* out) {
  const unsigned i = thread_index();
  out[i] = in[i * kStep + kOffset];
}
__global__ void load_broadcast(const float* in, float* out) {
  out[thread_index()] = in[threadIdx.x / 32 * 64];
}
__global__ void load_two_addresses(const float* in, float* out) {
  out[thread_index()] = in[lane() % 2 * 64];
}
__global__ void load_reversed(const float* in, float* out) {
  const unsigned i = thread_index();
  out[i] = in[i ^ 31];
}
__global__ void load_permuted(const float* in, float* out) {
  const unsigned i = thread_index();
  out[i] = in[(i & ~31u) + i * 7 % 32];
}
__global__ void load_scattered(const float* in, float* out) {
  const unsigned i = thread_index();
  out[i] = in[scattered(i)];
}
__global__ void load_float4_broadcast(const float4* in, float4* out) {
  const float4 v = in[threadIdx.x / 32 * 16];
  if (lane() == 0) out[thread_index() / 32] = v;
}
__global__ void load_read_only(const float* in, float* out) {
  const unsigned i = thread_index();
  out[i] = __ldg(in + i * 2);
}
// The first kLanes of each warp; the others are switched off.
template <int kLanes>
__global__ void load_some_lanes(const float* in, float* out) {
  const unsigned i = thread_index();
  if (lane() < kLanes) out[i] = in[i];
}
__global__ void load_odd_lanes(const float* in, float* out) {
  const unsigned i = thread_index();
  if (lane() % 2) out[i] = in[i * 4];
}

// ---- global stores

template <class T, int kStep, int kOffset>
__global__ void store_global(T* out, T value) {
  out[thread_index() * kStep + kOffset] = value;
}
__global__ void store_same_address(unsigned* out) { out[blockIdx.x] = threadIdx.x; }
__global__ void store_scattered(float* out) { out[scattered(thread_index())] = 1.0f; }

// ---- atomics in global memory

// Lanes on kAddresses different words, kStep words apart; nobody wants the result.
template <class T, int kAddresses, int kStep>
__global__ void reduce_global(T* out) {
  atomicAdd(out + lane() % kAddresses * kStep, T(threadIdx.x));
}
template <class T, int kAddresses, int kStep>
__global__ void atomic_global(T* counters, T* out) {
  out[thread_index()] = atomicAdd(counters + lane() % kAddresses * kStep, T(threadIdx.x));
}
__global__ void atomic_cas(unsigned* counters, unsigned* out) {
  out[thread_index()] = atomicCAS(counters + lane() % 4, 0u, threadIdx.x);
}
__global__ void atomic_exchange(unsigned* counters, unsigned* out) {
  out[thread_index()] = atomicExch(counters + lane() * 2, threadIdx.x);
}
__global__ void atomic_max(unsigned* counters) {
  atomicMax(counters + scattered(thread_index()), 5u);
}

// ---- shared memory: each load at the byte that `where` gives for the thread

using Where = unsigned (*)(unsigned thread);
template <int kStep>
__device__ unsigned strided(unsigned t) {
  return t % 32 * kStep * 4;
}
template <int kStep>
__device__ unsigned strided64(unsigned t) {
  return t % 32 * kStep * 8;
}
template <int kStep>
__device__ unsigned strided128(unsigned t) {
  return t % 32 * kStep * 16;
}
__device__ inline unsigned same_word(unsigned) { return 64; }
// Groups of kGroup lanes read the same kBytes.
template <int kGroup, int kBytes>
__device__ unsigned grouped(unsigned t) {
  return t % 32 / kGroup * kBytes;
}
// Lanes kGroup apart read the same kBytes.
template <int kGroup, int kBytes>
__device__ unsigned folded(unsigned t) {
  return t % kGroup * kBytes;
}
// Two words of one bank, each read by half of the warp.
__device__ inline unsigned two_words_of_a_bank(unsigned t) { return t % 32 / 16 * 128; }
__device__ inline unsigned random_word(unsigned t) { return t * 2654435761u >> 20 << 2; }
__device__ inline unsigned random_pair(unsigned t) { return t * 2654435761u >> 21 << 3; }
__device__ inline unsigned random_quad(unsigned t) { return t * 2654435761u >> 22 << 4; }
__device__ inline unsigned bytes_in_order(unsigned t) { return t; }
__device__ inline unsigned shorts_in_order(unsigned t) { return 2 * t; }
__device__ inline unsigned shorts_apart(unsigned t) { return 130 * (t % 32); }

template <int kBytes>
__device__ unsigned load_shared_bytes(unsigned at) {
  if constexpr (kBytes == 1) return lds8(at);
  if constexpr (kBytes == 2) return lds16(at);
  if constexpr (kBytes == 4) return lds32(at);
  if constexpr (kBytes == 8) return lds64(at);
  return lds128(at);
}
// Only the lanes of kMask.
template <int kBytes, Where kWhere, unsigned kMask>
__global__ void load_shared(unsigned* out) {
  if (kMask == 0xffffffffu || (kMask >> lane() & 1)) {
    out[thread_index()] = load_shared_bytes<kBytes>(kWhere(threadIdx.x));
  }
}
template <int kBytes, Where kWhere, unsigned kMask>
__global__ void store_shared() {
  if (kMask != 0xffffffffu && !(kMask >> lane() & 1)) return;
  const unsigned at = kWhere(threadIdx.x);
  if constexpr (kBytes == 1) sts8(at, threadIdx.x);
  if constexpr (kBytes == 4) sts32(at, threadIdx.x);
  if constexpr (kBytes == 8) sts64(at, threadIdx.x);
  if constexpr (kBytes == 16) sts128(at, threadIdx.x);
}
// kAddresses words, kStep words apart.
template <class T, int kAddresses, int kStep>
__global__ void atomic_shared() {
  extern __shared__ uint4 shared_memory[];
  atomicAdd(reinterpret_cast<T*>(shared_memory) + lane() % kAddresses * kStep, T(threadIdx.x));
}

// ---- the rest

// An array that is indexed by what only the run knows lives in local memory.
template <bool kSame>
__global__ void local_array(const int* index, int* out) {
  int own[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) own[i] = i * 3 + static_cast<int>(threadIdx.x);
  const unsigned i = thread_index();
  out[i] = own[(index[0] + (kSame ? 0 : lane())) & 31];
}
__global__ void shuffles(int* out) {
  int v = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int step = 16; step; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  out[thread_index()] = v;
}
__global__ void barriers(int* out) {
#pragma unroll 1
  for (int i = 0; i < 8; ++i) __syncthreads();
  out[thread_index()] = 1;
}
__constant__ float table[64];
template <bool kSame>
__global__ void load_constant(float* out) {
  const unsigned i = thread_index();
  out[i] = table[kSame ? blockIdx.x : lane()];
}
// A loop of as many rounds as the lane's number: lanes leave one after another.
__global__ void loop_divergent(int* out, const float* in) {
  float sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < lane(); ++i) sum += in[i * 32 + lane()];
  out[thread_index()] = static_cast<int>(sum);
}
__global__ void loop_uniform(float* out, const float* in, int rounds) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) sum += in[i * 256 + thread_index()];
  out[thread_index()] = sum;
}
// Both sides store, so that neither can be turned into a select.
template <int kPeriod>
__global__ void branch(int* out, int* other) {
  const unsigned i = thread_index();
  if (threadIdx.x / kPeriod % 2) {
    out[i] = static_cast<int>(i) * 3;
    __threadfence();
    out[i + 4096] = 1;
  } else {
    other[i * 2] = static_cast<int>(i) + 1;
  }
}
// cp.async of kBytes per thread.
template <int kBytes>
__global__ void copy_async(const char* in, unsigned* out) {
  const unsigned to = shared_at(threadIdx.x * kBytes);
  const char* from = in + thread_index() * kBytes;
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(kBytes)
                 : "memory");
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[thread_index()] = lds32(threadIdx.x % 32 * 4);
}

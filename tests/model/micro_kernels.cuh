// SPDX-License-Identifier: MIT
// Micro-kernels for the constants of the timing model: each is limited by one thing. They work on zeros, and the stores
// behind `if (x == kNever)` only keep the compiler from dropping the work.
#pragma once

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>

namespace model {

namespace cg = cooperative_groups;

constexpr unsigned kNever = 0x12345678;
constexpr unsigned kAll = 0xffffffffu;

__device__ inline unsigned fold(unsigned v) { return v; }
__device__ inline unsigned fold(uint4 v) { return (v.x ^ v.y) ^ (v.z ^ v.w); }

static __global__ void empty() {}
static __global__ void empty_arguments(const void*, std::size_t, void*, void*, void*) {}

// ---- memory

// `InFlight` loads per thread and round, side by side; `count` is a multiple of what a round takes.
template <class T, int InFlight, bool Streaming>
__global__ void read(const T* in, std::size_t count, unsigned* out) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  unsigned x = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += InFlight * threads) {
    T v[InFlight];
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      v[k] = Streaming ? __ldcs(in + i + k * threads) : in[i + k * threads];
#pragma unroll
    for (int k = 0; k < InFlight; ++k) x ^= fold(v[k]);
  }
  if (x == kNever) *out = x;
}

// The same through shared memory: cp.async of 16 bytes, Stages groups on their way.
template <int Stages>
__global__ void read_async(const uint4* in, std::size_t count, unsigned* out) {
  __shared__ uint4 ring[Stages][256];
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t me = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto ask = [&](std::size_t round) {
    const std::size_t i = me + round * threads;
    if (i < count) __pipeline_memcpy_async(&ring[round % Stages][threadIdx.x], in + i, 16);
    __pipeline_commit();
  };
  for (int s = 0; s < Stages - 1; ++s) ask(s);
  unsigned x = 0;
  std::size_t round = 0;
  for (std::size_t i = me; i < count; i += threads, ++round) {
    ask(round + Stages - 1);
    __pipeline_wait_prior(Stages - 1);
    x ^= fold(ring[round % Stages][threadIdx.x]);
  }
  if (x == kNever) *out = x;
}

__device__ inline unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// The same with the bulk copy engine: one thread asks for Bytes at a time, the others wait for them and read one word.
template <int Bytes, int Stages>
__global__ void read_bulk(const unsigned char* in, std::size_t chunks, unsigned* out) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char ring[];
  __shared__ std::uint64_t arrived[Stages];
  const auto ask = [&](std::size_t chunk, int stage) {
    const unsigned barrier = shared_address(&arrived[stage]);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(Bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(shared_address(ring + stage * Bytes)),
        "l"(in + chunk * Bytes), "r"(Bytes), "r"(barrier)
        : "memory");
  };
  if (threadIdx.x == 0) {
    for (auto& b : arrived)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&b)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (int s = 0; s < Stages; ++s)
      if (blockIdx.x + s * std::size_t{gridDim.x} < chunks)
        ask(blockIdx.x + s * std::size_t{gridDim.x}, s);
  }
  __syncthreads();
  unsigned x = 0, phase = 0;
  int stage = 0;
  for (std::size_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
    unsigned there = 0;
    while (!there)
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, "
          "0, p; }"
          : "=r"(there)
          : "r"(shared_address(&arrived[stage])), "r"(phase)
          : "memory");
    x ^= reinterpret_cast<const unsigned*>(ring + stage * Bytes)[threadIdx.x];
    __syncthreads();
    const std::size_t next = chunk + Stages * std::size_t{gridDim.x};
    if (threadIdx.x == 0 && next < chunks) ask(next, stage);
    if (++stage == Stages) stage = 0, phase ^= 1;
  }
  if (x == kNever) *out = x;
#endif
}

template <class T>
__global__ void write(T* out, std::size_t count, T value) {
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    out[i] = value;
}

static __global__ void copy(const uint4* in, uint4* out, std::size_t count) {
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    out[i] = in[i];
}

// Each value is the index of the next one. Through L2 only.
static __global__ void chase(const unsigned* next, int steps, unsigned* out) {
  unsigned at = 0;
  for (int i = 0; i < steps; ++i) at = __ldcg(next + at);
  if (at == kNever) *out = at;
}

// ---- arithmetic: one step of a chain

struct FloatFma {
  static __device__ unsigned step(unsigned v, unsigned a) {
    return __float_as_uint(fmaf(__uint_as_float(v), __uint_as_float(a), __uint_as_float(a)));
  }
};
struct IntegerAdd {
  static __device__ unsigned step(unsigned v, unsigned a) { return (v ^ a) + v; }  // two
};
struct IntegerFma {
  static __device__ unsigned step(unsigned v, unsigned a) { return v * a + v; }
};
struct Wide {  // a 64-bit multiply-add, as addresses need
  static __device__ unsigned step(unsigned v, unsigned a) {
    const unsigned long long w = static_cast<unsigned long long>(v) * a + v;
    return static_cast<unsigned>(w >> 32) + static_cast<unsigned>(w);
  }
};
struct Convert {
  static __device__ unsigned step(unsigned v, unsigned a) {
    return static_cast<unsigned>(__uint2float_rn(v)) + a;
  }
};
struct Special {
  static __device__ unsigned step(unsigned v, unsigned) {
    float root;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(__uint_as_float(v)));
    return __float_as_uint(root);
  }
};
struct Remainder {
  static __device__ unsigned step(unsigned v, unsigned a) { return (v + kNever) % (a + 7); }
};
struct Shuffle {
  static __device__ unsigned step(unsigned v, unsigned) { return __shfl_xor_sync(kAll, v, 1); }
};
struct Vote {
  static __device__ unsigned step(unsigned v, unsigned a) { return __ballot_sync(kAll, v == a); }
};
struct Redux {
  static __device__ unsigned step(unsigned v, unsigned) { return __reduce_add_sync(kAll, v); }
};
struct Match {
  static __device__ unsigned step(unsigned v, unsigned) { return __match_any_sync(kAll, v); }
};
struct Divergent {  // both ways of a branch, one multiply each
  static __device__ unsigned step(unsigned v, unsigned a) {
    if (threadIdx.x & 1) {
      asm volatile("mul.lo.u32 %0, %0, %1;" : "+r"(v) : "r"(a));
    } else {
      asm volatile("mad.lo.u32 %0, %0, %1, %0;" : "+r"(v) : "r"(a));
    }
    return v;
  }
};

// 32 steps of each of `Chains` chains per round.
template <class Operation, int Chains>
__global__ void arithmetic(int rounds, unsigned a, unsigned* out) {
  unsigned v[Chains];
  for (int k = 0; k < Chains; ++k) v[k] = threadIdx.x + k;
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int s = 0; s < 32; ++s) {
#pragma unroll
      for (int k = 0; k < Chains; ++k) v[k] = Operation::step(v[k], a);
    }
  }
  unsigned x = 0;
  for (int k = 0; k < Chains; ++k) x ^= v[k];
  if (x == kNever) *out = x;
}

// Code that is executed once, from its first to its last instruction.
template <int Instructions>
__global__ void straight(unsigned a, unsigned* out) {
  unsigned v = threadIdx.x;
#pragma unroll
  for (int i = 0; i < Instructions; ++i) v = v * a + v;
  if (v == kNever) *out = v;
}

// ---- shared memory and barriers

// Loads whose address comes from the load before, `step` words between lanes.
template <class T>
__global__ void shared_loads(int rounds, unsigned step, unsigned* out) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* const words = reinterpret_cast<T*>(raw);
  for (unsigned i = threadIdx.x; i < 32 * 1024 / sizeof(T); i += blockDim.x) words[i] = T{};
  __syncthreads();
  unsigned at = threadIdx.x % 32 * step, x = 0;
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int s = 0; s < 8; ++s) {
      x ^= fold(words[at]);
      at ^= x;  // zero: the next address is known only now
    }
  }
  if (x == kNever) *out = x;
}

static __global__ void barriers(int rounds, unsigned* out) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    __syncthreads();
    x = x * 3 + 1;
  }
  if (x == kNever) *out = x;
}

static __global__ void grid_barriers(int rounds, unsigned* out) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    cg::this_grid().sync();
    x = x * 3 + 1;
  }
  if (x == kNever) *out = x;
}

static __global__ void cluster_barriers(int rounds, unsigned* out) {
#if __CUDA_ARCH__ >= 900
  unsigned x = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    cg::this_cluster().sync();
    x = x * 3 + 1;
  }
  if (x == kNever) *out = x;
#endif
}

// Loads from the shared memory of the next block of the cluster, one after the other.
static __global__ void cluster_loads(int rounds, unsigned* out) {
#if __CUDA_ARCH__ >= 900
  __shared__ unsigned words[256];
  const auto cluster = cg::this_cluster();
  words[threadIdx.x] = 0;
  cluster.sync();
  const unsigned* const there =
      cluster.map_shared_rank(words, (cluster.block_rank() + 1) % cluster.num_blocks());
  unsigned x = 0;
  for (int i = 0; i < rounds; ++i) x ^= there[(threadIdx.x + x) % 256];
  cluster.sync();
  if (x == kNever) *out = x;
#endif
}

// Which multiprocessor each block is on, and when it began and ended.
static __global__ void placement(unsigned* multiprocessor, unsigned long long* times,
                                 unsigned wait_ns) {
  if (threadIdx.x != 0) return;
  unsigned id = 0;
  unsigned long long begin = 0, now = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < wait_ns);
  multiprocessor[blockIdx.x] = id;
  times[2 * blockIdx.x] = begin;
  times[2 * blockIdx.x + 1] = now;
}

// How fast the clock really runs: cycles in `wait_ns`.
static __global__ void clock_rate(unsigned wait_ns, unsigned* out) {
  unsigned long long begin = 0, now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  const long long start = clock64();
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < wait_ns);
  out[0] = static_cast<unsigned>(clock64() - start);
  out[1] = static_cast<unsigned>(now - begin);
}

// ---- atomics

// `lanes` of each warp add `rounds` times; address number i lies i * spread elements away.
template <class T, bool WithResult, bool SameValue>
__global__ void atomics(T* at, unsigned addresses, unsigned spread, unsigned lanes, int rounds,
                        unsigned* out) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 >= lanes) return;
  T* const mine = at + std::size_t{me % addresses} * spread;
  const T value = SameValue ? T(1) : T(threadIdx.x & 7);
  T x = 0;
  for (int i = 0; i < rounds; ++i) {
    const T got = atomicAdd(mine, value);
    if (WithResult) x += got;
  }
  if (WithResult && x == T(kNever)) *out = 1;
}

// One after the other: what is added is known only when the result is there.
template <class T>
__global__ void atomic_chain(T* at, int rounds, unsigned* out) {
  T x = 1;
  for (int i = 0; i < rounds; ++i) x = atomicAdd(at, x) == T(kNever) ? T(2) : T(1);
  if (x == T(2)) *out = 1;
}

template <class T, bool OneAddress>
__global__ void shared_atomics(int rounds, unsigned* out) {
  __shared__ T words[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = 0;
  __syncthreads();
  for (int i = 0; i < rounds; ++i)
    atomicAdd(&words[OneAddress ? 0 : threadIdx.x], T(threadIdx.x & 7));
  __syncthreads();
  if (words[threadIdx.x] == T(kNever)) *out = 1;
}

// Each block stores a word, fences and takes a ticket `rounds` times; Fence 0: neither store nor fence.
template <int Fence>
__global__ void tickets(unsigned* ticket, unsigned* words, int rounds, unsigned* out) {
  if (threadIdx.x != 0) return;
  unsigned x = 0;
  for (int i = 0; i < rounds; ++i) {
    if (Fence) {
      words[blockIdx.x] = x;
      __threadfence();
    }
    x = atomicAdd(ticket, 1u + x) == kNever;
  }
  if (x) *out = x;
}

// Store and fence only.
static __global__ void fences(unsigned* words, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    words[blockIdx.x * blockDim.x + threadIdx.x] = i;
    __threadfence();
  }
}

}  // namespace model

// What the weak memory mode shows of memory orders and scopes, as CUDA C++ writes them: for each
// test whether some seed gives the surprising result.
// gpu: skip the memory mode is the emulator's
#include <stdlib.h>

#include <cuda/atomic>
#include <string>

#include "../check.cuh"

constexpr int kSeeds = 2000;

using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;
constexpr auto kDevice = cuda::thread_scope_device;
constexpr auto kBlock = cuda::thread_scope_block;
template <cuda::thread_scope kScope = kDevice>
using Word = cuda::atomic_ref<unsigned, kScope>;

struct Cells {
  unsigned message, pad0[31], flag, pad1[31], third, pad2[31], read[4];
};

// Thread 0 of a block, or lane 0 of a warp where there is one block.
__device__ int role() {
  if (threadIdx.x % 32) return -1;
  return gridDim.x > 1 ? blockIdx.x : threadIdx.x / 32;
}

template <cuda::memory_order kStore, cuda::memory_order kLoad, cuda::thread_scope kScope>
__global__ void orders(Cells* c) {
  if (role() == 0) {
    c->message = 1;
    Word<kScope>(c->flag).store(1, kStore);
  } else if (role() == 1) {
    c->read[0] = Word<kScope>(c->flag).load(kLoad);
    c->read[1] = c->message;
  }
}

__global__ void plain(Cells* c) {
  if (role() == 0) {
    c->message = 1;
    c->flag = 1;
  } else if (role() == 1) {
    c->read[0] = c->flag;
    c->read[1] = c->message;
  }
}

template <bool kWriter, bool kReader>
__global__ void fences(Cells* c) {
  if (role() == 0) {
    c->message = 1;
    if (kWriter) __threadfence();
    *const_cast<volatile unsigned*>(&c->flag) = 1;
  } else if (role() == 1) {
    c->read[0] = *const_cast<volatile unsigned*>(&c->flag);
    if (kReader) __threadfence();
    c->read[1] = c->message;
  }
}

// A third block adds to the flag between the writer and the reader.
template <bool kAtomic>
__global__ void relay(Cells* c) {
  const Word<> flag(c->flag);
  if (role() == 0) {
    c->message = 1;
    flag.store(1, memory_order_release);
  } else if (role() == 1) {
    while (flag.load(memory_order_relaxed) != 1) {
    }
    if (kAtomic) {
      flag.fetch_add(1, memory_order_relaxed);
    } else {
      flag.store(2, memory_order_relaxed);
    }
  } else if (role() == 2) {
    while (flag.load(memory_order_acquire) != 2) {
    }
    c->read[0] = 1;
    c->read[1] = c->message;
  }
}

// Each stores to one word and reads the other's.
template <cuda::memory_order kFence, cuda::thread_scope kScope>
__global__ void store_buffering(Cells* c) {
  if (role() < 0) return;
  unsigned& mine = role() == 0 ? c->flag : c->third;
  unsigned& other = role() == 0 ? c->third : c->flag;
  Word<>(mine).store(1, memory_order_relaxed);
  cuda::atomic_thread_fence(kFence, kScope);
  c->read[role()] = Word<>(other).load(memory_order_relaxed);
}

template <bool kSync>
__global__ void in_block(Cells* c) {
  if (threadIdx.x == 0) c->message = 1;
  if (kSync) __syncthreads();
  if (threadIdx.x == 32) c->read[0] = 1, c->read[1] = c->message;
}

template <bool kSync>
__global__ void in_warp(Cells* c) {
  __shared__ unsigned message;
  message = 0;
  __syncwarp();
  if (threadIdx.x == 0) message = 1;
  if (kSync) __syncwarp();
  if (threadIdx.x == 1) c->read[0] = 1, c->read[1] = message;
}

using Kernel = void (*)(Cells*);
using Surprise = bool (*)(const Cells&);
bool lost(const Cells& c) { return c.read[0] == 1 && c.read[1] == 0; }
bool both_zero(const Cells& c) { return c.read[0] == 0 && c.read[1] == 0; }

void test(const char* name, Kernel kernel, dim3 shape, Surprise surprise, Cells* device) {
  bool seen = false;
  for (int seed = 1; seed <= kSeeds && !seen; ++seed) {
    const std::string schedule = (seed % 4 ? "random:" : "pct:") + std::to_string(seed);
    setenv("WARPLADDER_SCHEDULE", schedule.c_str(), 1);
    CHECK(cudaMemset(device, 0, sizeof(Cells)));
    kernel<<<shape.x, shape.y>>>(device);
    CHECK_KERNEL();
    Cells cells;
    CHECK(cudaMemcpy(&cells, device, sizeof cells, cudaMemcpyDeviceToHost));
    seen = surprise(cells);
  }
  std::printf("%-44s %s\n", name, seen ? "seen" : "never");
}

int main() {
  setenv("WARPLADDER_MEMORY", "weak", 1);
  Cells* c = nullptr;
  CHECK(cudaMalloc(&c, sizeof(Cells)));
  const dim3 blocks(2, 1), warps(1, 64);
  const auto relaxed = memory_order_relaxed;
  const auto release = memory_order_release;
  const auto acquire = memory_order_acquire;
  test("message, plain flag", plain, blocks, lost, c);
  test("message, relaxed flag", orders<relaxed, relaxed, kDevice>, blocks, lost, c);
  test("message, release only", orders<release, relaxed, kDevice>, blocks, lost, c);
  test("message, acquire only", orders<relaxed, acquire, kDevice>, blocks, lost, c);
  test("message, release and acquire", orders<release, acquire, kDevice>, blocks, lost, c);
  test("message, block scope between blocks", orders<release, acquire, kBlock>, blocks, lost, c);
  test("message, block scope within a block", orders<release, acquire, kBlock>, warps, lost, c);
  test("message, sequentially consistent",
       orders<memory_order_seq_cst, memory_order_seq_cst, kDevice>, blocks, lost, c);
  test("message, volatile flag", fences<false, false>, blocks, lost, c);
  test("message, volatile flag, writer's fence", fences<true, false>, blocks, lost, c);
  test("message, volatile flag, reader's fence", fences<false, true>, blocks, lost, c);
  test("message, volatile flag, both fences", fences<true, true>, blocks, lost, c);
  test("message through an atomic of a third", relay<true>, dim3(3, 1), lost, c);
  test("message through a store of a third", relay<false>, dim3(3, 1), lost, c);
  test("store buffering, relaxed fences", store_buffering<relaxed, kDevice>, blocks, both_zero, c);
  test("store buffering, acq_rel fences", store_buffering<memory_order_acq_rel, kDevice>, blocks,
       both_zero, c);
  test("store buffering, seq_cst fences", store_buffering<memory_order_seq_cst, kDevice>, blocks,
       both_zero, c);
  test("store buffering, seq_cst fences of a block", store_buffering<memory_order_seq_cst, kBlock>,
       blocks, both_zero, c);
  test("block, nothing between", in_block<false>, warps, lost, c);
  test("block, __syncthreads()", in_block<true>, warps, lost, c);
  test("warp, nothing between", in_warp<false>, dim3(1, 32), lost, c);
  test("warp, __syncwarp()", in_warp<true>, dim3(1, 32), lost, c);
  return finish();
}

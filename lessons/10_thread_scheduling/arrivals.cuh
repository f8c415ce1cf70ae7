// SPDX-License-Identifier: MIT
// How warps of a block tell each other that something is there: barriers with a number, mbarriers, and
// copies that go on by themselves. One instruction each, in PTX, because the headers that wrap them
// (<cuda/barrier>, <cuda/pipeline>) take longer to compile than the rest of the lesson.
#pragma once

#include <cstdint>

namespace lesson10 {

__device__ inline unsigned in_shared(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// ---- barriers with a number: 0 to 15, of which 0 is __syncthreads()

// Waits until `threads` threads have come, by waiting or by arriving. What they wrote before is seen by
// all who waited. Both instructions are for whole warps whose lanes are together, so they meet first.
__device__ inline void wait_named(int number, int threads) {
  __syncwarp();
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
// Counts among them, and does not wait.
__device__ inline void arrive_named(int number, int threads) {
  __syncwarp();
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// ---- mbarriers: words in shared memory that count arrivals, phase after phase

using Mbarrier = std::uint64_t;

__device__ inline void init(Mbarrier* b, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(in_shared(b)), "r"(arrivals)
               : "memory");
}
__device__ inline void arrive(Mbarrier* b) {
  asm volatile(
      "{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(in_shared(b))
      : "memory");
}
// Arrives, and makes the phase wait for so many bytes of bulk copies, too.
__device__ inline void arrive_and_expect(Mbarrier* b, unsigned bytes) {
  asm volatile(
      "{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(
          in_shared(b)),
      "r"(bytes)
      : "memory");
}
// Whether phase 0, 1, 2, ... is over, by its last bit.
__device__ inline bool is_over(Mbarrier* b, unsigned phase) {
  unsigned over = 0;
  asm volatile(
      "{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, "
      "p; }"
      : "=r"(over)
      : "r"(in_shared(b)), "r"(phase & 1)
      : "memory");
  return over != 0;
}
__device__ inline void wait_for(Mbarrier* b, unsigned phase) {
  while (!is_over(b, phase)) {
  }
}

// ---- copies from global to shared memory that nobody has to wait for

// One word; a zero where `inside` is false, and then nothing is read.
__device__ inline void copy_word(std::uint32_t* to, const std::uint32_t* from, bool inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(in_shared(to)), "l"(from),
               "r"(inside ? 4 : 0)
               : "memory");
}
// Four words, 16 bytes on both sides.
__device__ inline void copy_four(std::uint32_t* to, const std::uint32_t* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(in_shared(to)), "l"(from)
               : "memory");
}
// This thread's copies since the last call are a group ...
__device__ inline void end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// ... and all of them but the last kLeft groups are there.
template <int kLeft>
__device__ void wait_for_groups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}
// Arrives when all copies are there that this thread has asked for.
__device__ inline void arrive_after_copies(Mbarrier* b) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(in_shared(b))
               : "memory");
}
// One thread asks for many bytes, a multiple of 16 (compute capability 9.0). The bytes count at b.
__device__ inline void copy_bulk(void* to, const void* from, unsigned bytes, Mbarrier* b) {
  // What ordinary accesses did to this memory comes first.
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(in_shared(to)),
      "l"(from), "r"(bytes), "r"(in_shared(b))
      : "memory");
}

}  // namespace lesson10

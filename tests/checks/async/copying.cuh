// SPDX-License-Identifier: MIT
// What the kernels with asynchronous copies and mbarriers share.
#pragma once

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>

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

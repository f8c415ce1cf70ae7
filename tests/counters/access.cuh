// SPDX-License-Identifier: MIT
// Accesses of a given width, as single instructions that the compiler can neither merge nor drop.
#pragma once

struct Word2 {
  unsigned x, y;
};
struct Word4 {
  unsigned x, y, z, w;
};

// Byte offset into the block's dynamic shared memory -> what ld.shared and st.shared take.
__device__ inline unsigned shared_at(unsigned offset) {
  extern __shared__ uint4 shared_memory[];
  return static_cast<unsigned>(__cvta_generic_to_shared(shared_memory)) + offset;
}

__device__ inline unsigned lds8(unsigned offset) {
  unsigned v;
  asm volatile("ld.shared.u8 %0, [%1];" : "=r"(v) : "r"(shared_at(offset)));
  return v;
}
__device__ inline unsigned lds16(unsigned offset) {
  unsigned short v;
  asm volatile("ld.shared.u16 %0, [%1];" : "=h"(v) : "r"(shared_at(offset)));
  return v;
}
__device__ inline unsigned lds32(unsigned offset) {
  unsigned v;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(shared_at(offset)));
  return v;
}
__device__ inline unsigned lds64(unsigned offset) {
  Word2 v;
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "r"(shared_at(offset)));
  return v.x + v.y;
}
__device__ inline unsigned lds128(unsigned offset) {
  Word4 v;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(shared_at(offset)));
  return v.x + v.y + v.z + v.w;
}

__device__ inline void sts8(unsigned offset, unsigned v) {
  asm volatile("st.shared.u8 [%0], %1;" ::"r"(shared_at(offset)), "r"(v) : "memory");
}
__device__ inline void sts32(unsigned offset, unsigned v) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared_at(offset)), "r"(v) : "memory");
}
__device__ inline void sts64(unsigned offset, unsigned v) {
  asm volatile("st.shared.v2.u32 [%0], {%1, %1};" ::"r"(shared_at(offset)), "r"(v) : "memory");
}
__device__ inline void sts128(unsigned offset, unsigned v) {
  asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(shared_at(offset)), "r"(v)
               : "memory");
}

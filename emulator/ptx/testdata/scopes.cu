// SPDX-License-Identifier: MIT
// The same names in several blocks of inline PTX, a cluster and dynamic shared memory.
// scopes.ptx: nvcc -ptx -arch=compute_90, with the path of .file shortened.
extern __shared__ double dynamic[];

__device__ __forceinline__ unsigned odd(unsigned x) {
  unsigned y;
  asm volatile(
      "{\n"
      "  .reg .pred p, q;\n"
      "  .reg .b32 t;\n"
      "  setp.eq.u32 p|q, %1, 0;\n"
      "  mov.u32 t, %%laneid;\n"
      "  @p bra DONE;\n"
      "  lop3.b32 t, t, %1, 0x1, 0x80;\n"
      "DONE:\n"
      "  mov.u32 %0, t;\n"
      "}"
      : "=r"(y)
      : "r"(x));
  return y;
}

__global__ void __cluster_dims__(2, 1, 1) scopes(unsigned* out) {
  __shared__ unsigned cell;
  cell = odd(out[0]) + odd(out[1]);
  dynamic[threadIdx.x] = 1.5;
  __syncthreads();
  out[2] = cell;
}

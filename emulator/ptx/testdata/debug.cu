// SPDX-License-Identifier: MIT
// A small kernel with all debug sections. debug.ptx: nvcc -ptx -G -arch=compute_80, with the path
// of .file shortened.
__device__ int twice(int x) {
  int y = x;
  return y + x;
}
__global__ void debug(int* out) { out[0] = twice(3); }

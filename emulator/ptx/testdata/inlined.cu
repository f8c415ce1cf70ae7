// SPDX-License-Identifier: MIT
// Two calls that are inlined, one inside the other, so that .loc carries function_name and
// inlined_at. inlined.ptx: nvcc -ptx -arch=compute_90 -lineinfo, with the path of .file shortened.
__device__ inline float inner(const float* p, int i) { return p[i] * 2.0f; }
__device__ inline float outer(const float* p, int i) { return inner(p, i + 1) + 1.0f; }
__global__ void inlined(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = outer(in, i);
}

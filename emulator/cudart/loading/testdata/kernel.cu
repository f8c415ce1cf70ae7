// SPDX-License-Identifier: MIT
// The source of the fatbins beside it, made by nvcc 13.0 with -fatbin and:
//   ptx_<mode>.fatbin  -gencode arch=compute_90,code=compute_90 --compress-mode=<mode>
//   sass.fatbin        -gencode arch=compute_90,code=sm_90 --compress-mode=size
//   multi.fatbin       PTX for compute_75, 90, 90a and 100, --compress-mode=size
//   rdc.fatbin         -rdc=true -arch=sm_90 --compress-mode=size
__device__ int counter = 3;
extern "C" __global__ void add(int* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] += counter;
}

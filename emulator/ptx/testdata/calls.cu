// SPDX-License-Identifier: MIT
// Calls of every kind and initialised data: recursion, function pointers, virtual functions, a
// struct by value, printf, addresses in initialisers, a branch table.
// calls.ptx: nvcc -ptx -arch=compute_75, with the path of .file shortened.
#include <cstdio>

struct Shape {
  virtual __device__ int area(int x) const = 0;
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area(int x) const override { return side * side + x; }
};
struct Pack {
  char tag;
  double value;
  int many[3];
};

__device__ const char* const words[2] = {"one", "two"};
__device__ int table[2][3] = {{1, 2}, {4, 5, 6}};
__constant__ float factors[2] = {0.5f, -2.0f};
__managed__ unsigned long long counter = 7;
__shared__ int room[4];

__device__ __noinline__ int up(int x) { return x + 1; }
__device__ __noinline__ int down(int x) { return x - 1; }
__device__ int (*steps[2])(int) = {up, down};
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ __noinline__ Pack repack(Pack p, int i) {
  p.many[i] += p.tag;
  return p;
}

__global__ void __launch_bounds__(128, 2) calls(int* out, Pack p, short k) {
  Square square(k);
  const Shape* shape = out[0] > 0 ? &square : nullptr;
  room[threadIdx.x & 3] = factorial(k);
  __syncthreads();
  out[1] = shape->area(3) + steps[k & 1](room[k & 3]) + repack(p, k).many[1] + table[k & 1][k % 3];
  printf("%s %f\n", words[k & 1], factors[0]);
  switch (out[2]) {
    case 0:
      out[3] = up(k);
      break;
    case 1:
      out[4] = down(k);
      break;
    case 2:
      out[5] = k * k;
      break;
    case 3:
      counter += 3;
      break;
    case 4:
      out[6] = out[7] + 9;
      break;
    case 5:
      out[8] = -k;
      break;
  }
}

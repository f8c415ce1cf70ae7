// A write before the start of an array, in a function that was inlined: both lines are named.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: write_before_start
// expect-stderr: block \(0,3,0\)
// expect-stderr: thread \(0,0,0\)
// expect-stderr: out_of_bounds_write\.cu:11
// expect-stderr: out_of_bounds_write\.cu:16
#include "../check.cuh"

__device__ __forceinline__ void put(int* out, int i, int value) {
  out[i] = value;  // here
}

__global__ void write_before_start(int* out, int shift) {
  const int i = blockIdx.y * 100 + threadIdx.x;
  if (blockIdx.y == 3) put(out, static_cast<int>(threadIdx.x) - shift, i);  // caller
}

int main() {
  int* out = nullptr;
  CHECK(cudaMalloc(&out, 100 * sizeof(int)));
  write_before_start<<<dim3(1, 4), 32>>>(out, 1);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

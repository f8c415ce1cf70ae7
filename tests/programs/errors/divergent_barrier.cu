// The two halves of a warp wait at two different barriers of the block.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: halves
// expect-stderr: block \(0,0,0\)
// expect-stderr: divergent_barrier\.cu:(11|14)
// expect-stderr: (?i)barrier
#include "../check.cuh"

__global__ void halves(int* out) {
  if (threadIdx.x < 16) {
    asm volatile("// first\n\tbar.sync 0;" ::: "memory");  // here
    out[threadIdx.x] = 1;
  } else {
    asm volatile("// second\n\tbar.sync 0;" ::: "memory");  // other
    out[threadIdx.x] = 2;
  }
}

int main() {
  int* out = nullptr;
  CHECK(cudaMalloc(&out, 32 * sizeof(int)));
  halves<<<1, 32>>>(out);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

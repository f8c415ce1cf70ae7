// A write past the end of the block's shared memory.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: past_shared
// expect-stderr: block \(0,0,0\)
// expect-stderr: thread \(16,0,0\)
// expect-stderr: shared_out_of_bounds\.cu:12
// expect-stderr: shared
#include "../check.cuh"

__global__ void past_shared(int* out) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;  // here
  __syncthreads();
  out[threadIdx.x] = s[0];
}

int main() {
  int* out = nullptr;
  CHECK(cudaMalloc(&out, 32 * sizeof(int)));
  past_shared<<<1, 32, 16 * sizeof(int)>>>(out);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

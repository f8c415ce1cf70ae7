// All lanes shuffle, but the mask names the lower half only.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: half_mask
// expect-stderr: thread \(16,0,0\)
// expect-stderr: lane_not_in_mask\.cu:10
// expect-stderr: (?i)mask
#include "../check.cuh"

__global__ void half_mask(int* out, unsigned mask) {
  out[threadIdx.x] = __shfl_sync(mask, threadIdx.x, 3);  // here
}

int main() {
  int* out = nullptr;
  CHECK(cudaMalloc(&out, 32 * sizeof(int)));
  half_mask<<<1, 32>>>(out, 0x0000ffffu);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

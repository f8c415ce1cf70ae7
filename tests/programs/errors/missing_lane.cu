// A mask names lanes that never come: one half of the warp shuffles, the other votes, each waiting
// for all 32.
// gpu: skip provokes an error that only the emulator explains
// timeout: 30
// expect-stderr: never_meet
// expect-stderr: missing_lane\.cu:13
// expect-stderr: missing_lane\.cu:15
// expect-stderr: (?i)deadlock|wait
#include "../check.cuh"

__global__ void never_meet(unsigned* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = __shfl_sync(~0u, threadIdx.x, 3);  // here
  } else {
    out[threadIdx.x] = __ballot_sync(~0u, threadIdx.x % 2);  // other
  }
}

int main() {
  unsigned* out = nullptr;
  CHECK(cudaMalloc(&out, 32 * sizeof(unsigned)));
  never_meet<<<1, 32>>>(out);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

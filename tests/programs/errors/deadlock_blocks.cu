// Blocks wait for a block that cannot start: more blocks than the GPU holds at once, and the last
// one must come first.
// arch: 75-virtual
// env: WARPLADDER_DEVICE=t4
// gpu: skip never ends there
// timeout: 60
// expect-stderr: wait_for_last
// expect-stderr: deadlock_blocks\.cu:17
// expect-stderr: (?i)deadlock|livelock|progress|wait
#include "../check.cuh"

__device__ volatile int arrived = 0;

__global__ void wait_for_last(int* out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == gridDim.x - 1) arrived = 1;
    while (arrived == 0) {  // here
    }
  }
  __syncthreads();
  out[blockIdx.x] = 1;
}

int main() {
  int* out = upload(std::vector<int>(50));
  wait_for_last<<<50, 1024>>>(out);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

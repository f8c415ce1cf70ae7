// A lock that is taken twice by the same thread: it waits for itself, and the report says where.
// gpu: skip never ends there
// timeout: 60
// expect-stderr: take_twice
// expect-stderr: deadlock_warp_lock\.cu:12
// expect-stderr: (?i)deadlock|livelock|progress|wait
#include "../check.cuh"

__device__ int lock = 0;

__device__ void acquire() {
  while (atomicCAS(&lock, 0, 1) != 0) {  // here
  }
}

__global__ void take_twice(int* out) {
  acquire();
  acquire();
  *out = 1;
  atomicExch(&lock, 0);
}

int main() {
  int* out = upload(std::vector<int>{0});
  take_twice<<<1, 32>>>(out);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

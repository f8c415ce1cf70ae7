// A named barrier that expects four warps, and two come: the report says who waits where.
// gpu: skip never ends there
// timeout: 30
// expect-stderr: two_of_four
// expect-stderr: block \(0,0,0\)
// expect-stderr: deadlock_barrier\.cu:12
// expect-stderr: (?i)barrier
// expect-stderr: (?i)deadlock|wait
#include "../check.cuh"

__global__ void two_of_four(int* out) {
  if (threadIdx.x < 64) asm volatile("bar.sync 1, 128;" ::: "memory");  // here
  out[threadIdx.x] = 1;
}

int main() {
  int* out = upload(std::vector<int>(128));
  two_of_four<<<1, 128>>>(out);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

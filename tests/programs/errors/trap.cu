// A kernel that stops itself with __trap.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: give_up\(int\)
// expect-stderr: block \(2,0,0\)
// expect-stderr: thread \(7,0,0\)
// expect-stderr: trap\.cu:11
// expect-stderr: (?i)trap
#include "../check.cuh"

__global__ void give_up(int when) {
  if (blockIdx.x == 2 && threadIdx.x == when) __trap();  // here
}

int main() {
  give_up<<<4, 32>>>(7);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

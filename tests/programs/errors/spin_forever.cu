// Threads spin on a flag that nobody sets: reported within seconds.
// gpu: skip never ends there
// timeout: 60
// expect-stderr: wait_for_flag
// expect-stderr: spin_forever\.cu:10
// expect-stderr: (?i)deadlock|livelock|progress|spin
#include "../check.cuh"

__global__ void wait_for_flag(volatile int* flag, int* out) {
  while (*flag == 0) {  // here
  }
  *out = 1;
}

int main() {
  int* cells = upload(std::vector<int>(2));
  wait_for_flag<<<2, 64>>>(cells, cells + 1);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

// A kernel writes through a null pointer.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: through_null
// expect-stderr: block \(0,0,0\)
// expect-stderr: thread \(5,0,0\)
// expect-stderr: null_pointer\.cu:10
#include "../check.cuh"

__global__ void through_null(int* data) {
  if (threadIdx.x >= 5) data[0] = 1;  // here
}

int main() {
  through_null<<<1, 32>>>(nullptr);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

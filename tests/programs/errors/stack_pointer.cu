// A kernel gets the address of a local variable of main.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: store
// expect-stderr: stack_pointer\.cu:9
// expect-stderr: (?i)host
#include "../check.cuh"

__global__ void store(int* result) {
  *result = 42;  // here
}

int main() {
  int result = 7;
  store<<<1, 1>>>(&result);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  std::printf("untouched: %d\n", result);
  return 0;
}

// A kernel gets a pointer to ordinary host memory.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: add_one
// expect-stderr: host_pointer\.cu:9
// expect-stderr: (?i)host
#include "../check.cuh"

__global__ void add_one(int* data) {
  data[threadIdx.x] += 1;  // here
}

int main() {
  std::vector<int> values(32);
  add_one<<<1, 32>>>(values.data());
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  std::printf("untouched: %d\n", values[0]);
  return 0;
}

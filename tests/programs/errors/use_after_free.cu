// A kernel gets a pointer whose memory was freed before.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: too_late
// expect-stderr: use_after_free\.cu:9
// expect-stderr: (?i)freed
#include "../check.cuh"

__global__ void too_late(int* data) {
  data[threadIdx.x] = 1;  // here
}

int main() {
  int* data = nullptr;
  CHECK(cudaMalloc(&data, 1000));
  CHECK(cudaFree(data));
  too_late<<<1, 32>>>(data);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

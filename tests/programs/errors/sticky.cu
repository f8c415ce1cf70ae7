// A failed kernel poisons the device: every later call returns the same error, until the device is
// reset.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: broken
#include "../check.cuh"

__global__ void broken(int* out) { *out = 1; }
__global__ void sound(int* out) { *out = 5; }

int main() {
  int* out = upload(std::vector<int>{0});
  broken<<<1, 1>>>(nullptr);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  show("last error", cudaGetLastError());
  show("last error again", cudaGetLastError());
  int value = 0;
  show("copy", cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
  void* more = nullptr;
  show("allocation", cudaMalloc(&more, 16));
  sound<<<1, 1>>>(out);
  show("another launch", cudaGetLastError());
  show("free", cudaFree(out));
  show("reset", cudaDeviceReset());
  (void)cudaGetLastError();
  int* fresh = nullptr;
  show("allocation after the reset", cudaMalloc(&fresh, sizeof(int)));
  sound<<<1, 1>>>(fresh);
  show("launch after the reset", cudaGetLastError());
  show("copy after the reset", cudaMemcpy(&value, fresh, sizeof value, cudaMemcpyDeviceToHost));
  std::printf("value %d\n", value);
  return 0;
}

// The host reads device memory: it ends by the signal, as with a GPU, but is told why.
// gpu: skip provokes an error that only the emulator explains
// expect-exit: -11
// expect-stderr: host program touches device memory
// expect-stderr: 8 bytes into a 64-byte allocation made by cudaMalloc
#include "../check.cuh"

int main() {
  volatile int* device = nullptr;
  CHECK(cudaMalloc(const_cast<int**>(&device), 64));
  std::printf("before\n");
  std::fflush(stdout);
  return device[2];
}

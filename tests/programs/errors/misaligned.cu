// An eight-byte load from an address that is a multiple of four only.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: odd_pair
// expect-stderr: thread \(0,0,0\)
// expect-stderr: misaligned\.cu:10
// expect-stderr: (?i)align
#include "../check.cuh"

__global__ void odd_pair(const int* in, int* out) {
  const int2 pair = *reinterpret_cast<const int2*>(in + 1);  // here
  *out = pair.x + pair.y;
}

int main() {
  int* memory = nullptr;
  CHECK(cudaMalloc(&memory, 64));
  odd_pair<<<1, 1>>>(memory, memory + 8);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

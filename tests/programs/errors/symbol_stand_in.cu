// A __device__ array is passed as an argument: that is an address of the host.
// gpu: skip provokes an error that only the emulator explains
// expect-stderr: the host's stand-in for the device variable "\(anonymous namespace\)::table"
// expect-stderr: symbol_stand_in\.cu:12
// expect-stderr: cudaGetSymbolAddress
#include "../check.cuh"

namespace {
__device__ int table[16];

__global__ void set(int* out) {
  out[threadIdx.x] = table[0];  // here
}
}  // namespace

int main() {
  set<<<1, 16>>>(table);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  return 0;
}

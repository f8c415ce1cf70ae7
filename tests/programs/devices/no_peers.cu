// Devices that do not reach each other's memory: access is refused, a copy between them works all the same, and a kernel
// that tries is stopped. Two different GPUs.
// env: WARPLADDER_DEVICE=h200,a100
// env: WARPLADDER_PEERS=none
// gpu: skip needs two GPUs without peer access
// expect-stderr: has no peer access to it
#include "../check.cuh"

__global__ void read(const int* in, int* out) { *out = *in; }

int main() {
  int devices = 0, can_access = -1;
  CHECK(cudaGetDeviceCount(&devices));
  for (int d = 0; d < devices; ++d) {
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, d));
    std::printf("%s: %d multiprocessors\n", p.name, p.multiProcessorCount);
  }
  CHECK(cudaDeviceCanAccessPeer(&can_access, 0, 1));
  std::printf("access %d\n", can_access);
  show("enable", cudaDeviceEnablePeerAccess(1, 0));
  int* memory[2];
  for (int d = 0; d < 2; ++d) {
    CHECK(cudaSetDevice(d));
    memory[d] = upload(std::vector<int>(1, 5 + d));
  }
  CHECK(cudaMemcpyPeer(memory[1], 1, memory[0], 0, sizeof(int)));
  report("copied", 1, download(memory[1], 1)[0], 5);
  CHECK(cudaSetDevice(0));
  read<<<1, 1>>>(memory[1], memory[0]);
  show("read", cudaDeviceSynchronize());
  return finish();
}

// Two devices: memory of each, peer access, copies between them, a kernel that reads the other's
// memory.
// env: WARPLADDER_DEVICES=2
// gpu: skip needs two GPUs
#include "../check.cuh"

__device__ int where_am_i = 0;

__global__ void add(const int* in, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += in[i];
  if (i == 0) where_am_i += 1;
}

int main() {
  int devices = 0, can_access = 0;
  CHECK(cudaGetDeviceCount(&devices));
  CHECK(cudaDeviceCanAccessPeer(&can_access, 0, 1));
  std::printf("%d devices, access %d\n", devices, can_access);
  const int n = 500;
  std::vector<int> values(n), want(n);
  for (int i = 0; i < n; ++i) values[i] = i, want[i] = 2 * i;
  int* memory[2];
  for (int d = 0; d < 2; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaDeviceEnablePeerAccess(1 - d, 0));
    memory[d] = upload(d == 0 ? values : std::vector<int>(n));
  }
  CHECK(cudaMemcpyPeer(memory[1], 1, memory[0], 0, n * sizeof(int)));
  report("copied", download(memory[1], n), values);
  CHECK(cudaSetDevice(1));
  add<<<blocks_for(n, 128), 128>>>(memory[0], n, memory[1]);
  CHECK_KERNEL();
  report("added", download(memory[1], n), want);
  // Each device has its own copy of a device variable.
  for (int d = 0; d < 2; ++d) {
    int count = -1;
    CHECK(cudaSetDevice(d));
    CHECK(cudaMemcpyFromSymbol(&count, where_am_i, sizeof count));
    report("launches", d, count, d);
  }
  cudaPointerAttributes attributes = {};
  CHECK(cudaPointerGetAttributes(&attributes, memory[1]));
  report("owner", 1, attributes.device, 1);
  show("third device", cudaSetDevice(2));
  return finish();
}

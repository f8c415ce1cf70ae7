// A device that fails with its second kernel: work on it returns the error, other devices go on, and a kernel that waits
// for the one that failed is ended instead of waiting for ever.
// env: WARPLADDER_DEVICES=3
// env: WARPLADDER_FAIL=1:2
// gpu: skip no GPU fails when asked to
// expect-stderr: device 1 fails, as WARPLADDER_FAIL asks
// expect-stderr: livelock in .*wait_for
// expect-stderr: kernel .*wait_for.* on device 0
#include <cuda/atomic>

#include "../check.cuh"

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

__global__ void raise(unsigned* word, unsigned value) {
  Word(*word).store(value, cuda::memory_order_release);
}
__global__ void wait_for(unsigned* word, unsigned value) {
  while (Word(*word).load(cuda::memory_order_acquire) != value) {
  }
}

int main() {
  unsigned* words[3];
  for (int d = 0; d < 3; ++d) {
    CHECK(cudaSetDevice(d));
    for (int p = 0; p < 3; ++p)
      if (p != d) CHECK(cudaDeviceEnablePeerAccess(p, 0));
    words[d] = upload(std::vector<unsigned>(1));
  }
  for (unsigned value = 1; value <= 2; ++value) {
    CHECK(cudaSetDevice(0));
    wait_for<<<1, 1>>>(words[0], value);
    CHECK(cudaSetDevice(1));
    raise<<<1, 1>>>(words[0], value);
    for (int d = 0; d < 2; ++d) {
      CHECK(cudaSetDevice(d));
      std::printf("value %u, device %d: %s\n", value, d, cudaGetErrorName(cudaDeviceSynchronize()));
    }
  }
  cudaGetLastError();
  CHECK(cudaSetDevice(2));
  raise<<<1, 1>>>(words[2], 7);
  CHECK_KERNEL();
  report("device 2 goes on", 1, static_cast<int>(download(words[2], 1)[0]), 7);
  show("device 1 does not", cudaSetDevice(1));
  return finish();
}

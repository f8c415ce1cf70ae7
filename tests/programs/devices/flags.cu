// Kernels of four devices that wait for each other: the first one launched waits for the last. A word goes round, then
// every device waits for all others; once launched by one host thread, once by a thread for each device.
// env: WARPLADDER_DEVICES=4
// gpu: skip needs four GPUs
#include <cuda/atomic>
#include <thread>

#include "../check.cuh"

using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

__global__ void hand_on(unsigned* mine, unsigned* next, int* sum, int* next_sum, bool first) {
  if (!first)
    while (Word(*mine).load(cuda::memory_order_acquire) == 0) {
    }
  *next_sum = *sum + 1;
  Word(*next).store(1, cuda::memory_order_release);
  if (first)
    while (Word(*mine).load(cuda::memory_order_acquire) == 0) {
    }
}

struct Words {
  unsigned* of[4];
};
// Everybody counts up everybody's word, and waits for its own to have all.
__global__ void meet(Words words, int rank) {
  Word(*words.of[threadIdx.x]).fetch_add(1, cuda::memory_order_acq_rel);
  while (Word(*words.of[rank]).load(cuda::memory_order_acquire) < 4) __nanosleep(50);
}

int main() {
  unsigned* flags[4];
  int* sums[4];
  Words words;
  for (int d = 0; d < 4; ++d) {
    CHECK(cudaSetDevice(d));
    for (int p = 0; p < 4; ++p)
      if (p != d) CHECK(cudaDeviceEnablePeerAccess(p, 0));
    flags[d] = upload(std::vector<unsigned>(1));
    words.of[d] = upload(std::vector<unsigned>(1));
    sums[d] = upload(std::vector<int>(1));
  }
  for (int d = 0; d < 4; ++d) {
    CHECK(cudaSetDevice(0));
    if (d == 3) std::printf("the first is busy: %s\n", cudaGetErrorName(cudaStreamQuery(nullptr)));
    cudaGetLastError();  // "not ready" is no failure
    CHECK(cudaSetDevice(d));
    hand_on<<<1, 1>>>(flags[d], flags[(d + 1) % 4], sums[d], sums[(d + 1) % 4], d == 0);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaSetDevice(0));
  CHECK(cudaDeviceSynchronize());
  report("round", 4, download(sums[0], 1)[0], 4);

  std::vector<std::thread> threads;
  for (int d = 0; d < 4; ++d)
    threads.emplace_back([&, d] {
      CHECK(cudaSetDevice(d));
      meet<<<1, 4>>>(words, d);
      CHECK_KERNEL();
    });
  for (auto& thread : threads) thread.join();
  for (int d = 0; d < 4; ++d) {
    CHECK(cudaSetDevice(d));
    report("met", d, static_cast<int>(download(words.of[d], 1)[0]), 4);
  }
  return finish();
}

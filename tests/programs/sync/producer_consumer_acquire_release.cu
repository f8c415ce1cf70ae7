// A pipeline of blocks: each waits for its predecessor's flag with acquire, adds to the whole
// array, and passes on with release.
#include <cuda/atomic>

#include "../check.cuh"

__global__ void relay(int* data, int n, int* flags) {
  cuda::atomic_ref<int, cuda::thread_scope_device> my_turn(flags[blockIdx.x]),
      next_turn(flags[blockIdx.x + 1]);
  if (threadIdx.x == 0) {
    while (my_turn.load(cuda::std::memory_order_acquire) == 0) {
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] = data[i] * 3 + static_cast<int>(blockIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) next_turn.store(1, cuda::std::memory_order_release);
}

// The same with wait and notify.
__global__ void relay_wait(int* data, int n, int* flags) {
  cuda::atomic_ref<int, cuda::thread_scope_device> my_turn(flags[blockIdx.x]),
      next_turn(flags[blockIdx.x + 1]);
  if (threadIdx.x == 0) my_turn.wait(0, cuda::std::memory_order_acquire);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] = data[i] * 3 + static_cast<int>(blockIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    next_turn.store(1, cuda::std::memory_order_release);
    next_turn.notify_all();
  }
}

int main() {
  for (int blocks : {1, 2, 9}) {
    for (int n : {0, 1, 100}) {
      std::vector<int> values(n), want(n);
      for (int i = 0; i < n; ++i) {
        want[i] = values[i] = i;
        for (int b = 0; b < blocks; ++b) want[i] = want[i] * 3 + b;
      }
      std::vector<int> flags(blocks + 1);
      flags[0] = 1;
      std::printf("%d blocks\n", blocks);
      int* data = upload(values);
      relay<<<blocks, 64>>>(data, n, upload(flags));
      CHECK_KERNEL();
      report("relay", download(data, n), want);
      data = upload(values);
      relay_wait<<<blocks, 64>>>(data, n, upload(flags));
      CHECK_KERNEL();
      report("relay_wait", download(data, n), want);
    }
  }
  return finish();
}

// cuda::latch, cuda::counting_semaphore, and cuda::atomic's wait and notify between blocks.
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <new>

#include "../check.cuh"

using BlockLatch = cuda::latch<cuda::thread_scope_block>;
using Semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 4>;
using Turn = cuda::atomic<int, cuda::thread_scope_device>;

// The first 64 threads count down; the others go on when all have.
__global__ void latch(int* out) {
  __shared__ alignas(BlockLatch) char storage[sizeof(BlockLatch)];
  __shared__ int arrived;
  BlockLatch* const gate = reinterpret_cast<BlockLatch*>(storage);
  if (threadIdx.x == 0) {
    new (gate) BlockLatch(64);
    arrived = 0;
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    atomicAdd(&arrived, 1);
    gate->count_down();
  } else {
    gate->wait();
    out[threadIdx.x - 64] = arrived;
  }
}

__global__ void make_semaphore(void* storage) { new (storage) Semaphore(4); }

// At most four threads are inside at a time. counts: inside now, most at once, all that came.
__global__ void guarded(Semaphore* semaphore, int* counts) {
  semaphore->acquire();
  atomicMax(&counts[1], atomicAdd(&counts[0], 1) + 1);
  atomicAdd(&counts[2], 1);
  __nanosleep(100);
  atomicSub(&counts[0], 1);
  semaphore->release();
}

// Two blocks take turns: block b moves the number on when its lowest bit is b.
__global__ void turns(Turn* turn, int rounds, int* seen) {
  for (int round = 0; round < rounds; ++round) {
    const int mine = 2 * round + static_cast<int>(blockIdx.x);
    for (int now = turn->load(cuda::memory_order_acquire); now != mine; now = turn->load())
      turn->wait(now, cuda::memory_order_acquire);
    seen[mine] = mine * mine;
    turn->store(mine + 1, cuda::memory_order_release);
    turn->notify_all();
  }
}

int main() {
  int* const out = upload(std::vector<int>(64));
  latch<<<1, 128>>>(out);
  CHECK_KERNEL();
  report("latch", download(out, 64), std::vector<int>(64, 64));

  void* storage = nullptr;
  CHECK(cudaMalloc(&storage, sizeof(Semaphore)));
  int* const counts = upload(std::vector<int>(3));
  make_semaphore<<<1, 1>>>(storage);
  guarded<<<4, 64>>>(static_cast<Semaphore*>(storage), counts);
  CHECK_KERNEL();
  const std::vector<int> count = download(counts, 3);
  report("semaphore: inside at the end", 256, count[0], 0);
  report("semaphore: never more than four", 256, count[1] >= 1 && count[1] <= 4, true);
  report("semaphore: all came through", 256, count[2], 256);

  constexpr int kRounds = 20;
  Turn* turn = nullptr;
  CHECK(cudaMalloc(&turn, sizeof(Turn)));
  CHECK(cudaMemset(turn, 0, sizeof(Turn)));
  int* const seen = upload(std::vector<int>(2 * kRounds));
  turns<<<2, 1>>>(turn, kRounds, seen);
  CHECK_KERNEL();
  std::vector<int> want(2 * kRounds);
  for (int i = 0; i < 2 * kRounds; ++i) want[i] = i * i;
  report("wait and notify", download(seen, 2 * kRounds), want);
  return finish();
}

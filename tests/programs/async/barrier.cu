// cuda::barrier: copies that complete on a barrier in shared memory, arrive and wait apart,
// arrive_and_drop, parity.
// nvcc: -diag-suppress 20054
#include <cooperative_groups.h>

#include <cuda/barrier>
#include <new>

#include "../check.cuh"
namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kBlock = 96;

// Double buffering: while one tile is summed the next is on its way.
__global__ void double_buffer(const int* in, int tiles, int* out) {
  __shared__ int tile[2][kBlock];
  __shared__ Barrier ready[2];
  cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    for (auto& barrier : ready) init(&barrier, kBlock);
  block.sync();
  const auto fetch = [&](int t) {
    cuda::memcpy_async(block, tile[t % 2], in + t * kBlock, sizeof(int) * kBlock, ready[t % 2]);
  };
  if (tiles > 0) fetch(0);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) fetch(t + 1);
    ready[t % 2].arrive_and_wait();
    out[t * kBlock + threadIdx.x] = tile[t % 2][(threadIdx.x + 1) % kBlock];
    block.sync();  // the tile may be overwritten now
  }
}

// Warps count rounds on one barrier; a warp that is done drops out, and the others go on without
// it.
__global__ void drop(int* rounds_seen) {
  __shared__ Barrier barrier;
  __shared__ int count;
  const int t = threadIdx.x, my_rounds = 1 + t / 32;
  if (t == 0) init(&barrier, kBlock), count = 0;
  __syncthreads();
  for (int round = 1; round <= my_rounds; ++round) {
    auto token = barrier.arrive();
    barrier.wait(static_cast<Barrier::arrival_token&&>(token));
    if (t % 32 == 0) atomicAdd(&count, 1);
  }
  barrier.arrive_and_drop();
  __syncthreads();
  if (t == 0) *rounds_seen = count;
}

__global__ void parity(int* out) {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int phase = 0; phase < 4; ++phase) {
      (void)barrier.arrive();
      barrier.wait_parity(phase % 2);
      out[phase] = phase + 1;
    }
  }
}

int main() {
  for (int tiles : {0, 1, 2, 5}) {
    std::vector<int> values(tiles * kBlock), want(tiles * kBlock);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = noise(i) % 100000;
    for (std::size_t i = 0; i < values.size(); ++i)
      want[i] = values[i / kBlock * kBlock + (i + 1) % kBlock];
    int* out = upload(std::vector<int>(values.size()));
    double_buffer<<<1, kBlock>>>(upload(values), tiles, out);
    CHECK_KERNEL();
    report("double_buffer", download(out, want.size()), want);
  }
  int* out = upload(std::vector<int>(4));
  drop<<<1, kBlock>>>(out);
  CHECK_KERNEL();
  report("drop", kBlock, download(out, 1)[0], 1 + 2 + 3);
  parity<<<1, 32>>>(out);
  CHECK_KERNEL();
  report("parity", download(out, 4), {1, 2, 3, 4});
  return finish();
}

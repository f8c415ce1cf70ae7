// cuda::pipeline: one stage per thread scope, and a block-wide pipeline of two stages with producer
// and consumer warps.
// nvcc: -diag-suppress 20054
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "../check.cuh"
namespace cg = cooperative_groups;

constexpr int kBlock = 128;

// Every thread copies and computes; two tiles in flight.
__global__ void unified(const int* in, int tiles, int* out) {
  __shared__ int tile[2][kBlock];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int t = 0, fetched = 0; t < tiles; ++t) {
    for (; fetched < tiles && fetched < t + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % 2], in + fetched * kBlock, sizeof(int) * kBlock,
                         pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[t * kBlock + threadIdx.x] = tile[t % 2][kBlock - 1 - threadIdx.x] + 1;
    pipe.consumer_release();
  }
}

// The first warp copies, the others compute.
__global__ void specialised(const int* in, int tiles, int* out) {
  __shared__ int tile[2][96];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  cg::thread_block block = cg::this_thread_block();
  const bool producer = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(
      block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int t = 0; t < tiles; ++t) {
    if (producer) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < 96; i += 32)
        cuda::memcpy_async(&tile[t % 2][i], in + t * 96 + i, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[t * 96 + threadIdx.x - 32] = tile[t % 2][127 - threadIdx.x] * 2;
      pipe.consumer_release();
    }
  }
}

// A pipeline of one thread: cp.async groups underneath.
__global__ void own(const int4* in, int n, int4* out) {
  __shared__ int4 slot[kBlock];
  auto pipe = cuda::make_pipeline();
  for (int i = threadIdx.x; i < n; i += kBlock) {
    pipe.producer_acquire();
    cuda::memcpy_async(&slot[threadIdx.x], in + i, cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    const int4 v = slot[threadIdx.x];
    out[i] = make_int4(v.w, v.z, v.y, v.x);
    pipe.consumer_release();
  }
}

int main() {
  for (int tiles : {0, 1, 2, 5}) {
    std::vector<int> values(tiles * kBlock), want(tiles * kBlock), want_specialised(tiles * 96),
        want_own(tiles * kBlock);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = noise(i) % 100000;
    for (int t = 0; t < tiles; ++t) {
      for (int i = 0; i < kBlock; ++i)
        want[t * kBlock + i] = values[t * kBlock + kBlock - 1 - i] + 1;
      for (int i = 0; i < 96; ++i) want_specialised[t * 96 + i] = values[t * 96 + 95 - i] * 2;
    }
    for (std::size_t i = 0; i < values.size(); ++i) want_own[i] = values[i / 4 * 4 + 3 - i % 4];
    int* in = upload(values);
    int* out = upload(std::vector<int>(values.size()));
    unified<<<1, kBlock>>>(in, tiles, out);
    CHECK_KERNEL();
    report("unified", download(out, want.size()), want);
    specialised<<<1, 128>>>(in, tiles, out);
    CHECK_KERNEL();
    report("specialised", download(out, want_specialised.size()), want_specialised);
    own<<<1, kBlock>>>(reinterpret_cast<int4*>(in), tiles * kBlock / 4,
                       reinterpret_cast<int4*>(out));
    CHECK_KERNEL();
    report("own", download(out, want_own.size()), want_own);
  }
  return finish();
}

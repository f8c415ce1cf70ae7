// A sum whose tiles are copied to shared memory two stages ahead with cp.async, sixteen bytes a
// thread.
#include <cuda_pipeline.h>

#include "sums.cuh"

constexpr int kBlock = 128, kStages = 3;

__global__ void async_copy(const int* in, int n, int* sum) {
  __shared__ int4 tile[kStages][kBlock];
  const int vectors = n / 4, per_round = gridDim.x * kBlock;
  const int rounds = (vectors + per_round - 1) / per_round;
  const auto fetch = [&](int round) {
    const int i = round * per_round + blockIdx.x * kBlock + threadIdx.x;
    if (round < rounds && i < vectors)
      __pipeline_memcpy_async(&tile[round % kStages][threadIdx.x],
                              reinterpret_cast<const int4*>(in) + i, 16);
    __pipeline_commit();
  };
  int mine = 0;
  for (int round = 0; round < kStages - 1; ++round) fetch(round);
  for (int round = 0; round < rounds; ++round) {
    fetch(round + kStages - 1);
    __pipeline_wait_prior(kStages - 1);
    const int i = round * per_round + blockIdx.x * kBlock + threadIdx.x;
    if (i < vectors) {
      const int4 v = tile[round % kStages][threadIdx.x];
      mine += v.x + v.y + v.z + v.w;
    }
  }
  for (int i = vectors * 4 + blockIdx.x * kBlock + threadIdx.x; i < n; i += per_round)
    mine += in[i];
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

int main() {
  sum_all_sizes("async_copy",
                [](const int* in, int n, int* sum) { async_copy<<<2, kBlock>>>(in, n, sum); });
  return finish();
}

// cp.async.bulk with an mbarrier that counts bytes: global to shared, shared to global, and to
// another block of a cluster.
// nvcc: -diag-suppress 20054
#include <cooperative_groups.h>

#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>

#include "../check.cuh"
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kTile = 256;

// Through libcu++'s barrier: one thread starts the copy, all wait for its bytes; the result goes
// back in bulk too.
__global__ void there_and_back(const int* in, int* out) {
  alignas(16) __shared__ int tile[kTile];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in + blockIdx.x * kTile,
                                  cuda::aligned_size_t<16>(sizeof tile), barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(static_cast<Barrier::arrival_token&&>(token));
  for (int i = threadIdx.x; i < kTile; i += blockDim.x) tile[i] = tile[i] * 2 + 1;
  ptx::fence_proxy_async(ptx::space_shared);  // what threads wrote is seen by the copy engine
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * kTile, tile,
                       sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// By hand: two phases of one mbarrier, waited for by parity.
__global__ void two_phases(const int* in, int* out) {
  alignas(128) __shared__ int tile[2][kTile];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  int sum = 0;
  for (unsigned phase = 0; phase < 2; ++phase) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                     sizeof tile[0]);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[phase], in + phase * kTile,
                         sizeof tile[0], &barrier);
    }
    while (!ptx::mbarrier_try_wait_parity(&barrier, phase)) {
    }
    for (int i = threadIdx.x; i < kTile; i += blockDim.x) sum += tile[phase][i] * (1 + phase);
    __syncthreads();  // nobody may still wait for this parity when the next phase ends
  }
  atomicAdd(out, sum);
}

// Each of two blocks sends its tile to the other's shared memory.
__global__ void __cluster_dims__(2, 1, 1) exchange(const int* in, int* out) {
  alignas(16) __shared__ int mine[kTile];
  alignas(16) __shared__ int theirs[kTile];
  __shared__ std::uint64_t barrier;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  for (int i = threadIdx.x; i < kTile; i += blockDim.x) mine[i] = in[rank * kTile + i];
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   sizeof theirs);
  }
  ptx::fence_proxy_async(ptx::space_shared);
  cluster.sync();
  if (threadIdx.x == 0)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                       cluster.map_shared_rank(theirs, 1 - rank), mine, sizeof mine,
                       cluster.map_shared_rank(&barrier, 1 - rank));
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
  }
  for (int i = threadIdx.x; i < kTile; i += blockDim.x)
    out[rank * kTile + i] = theirs[i] + mine[i] * 1000;
  cluster.sync();
}

int main() {
  std::vector<int> values(2 * kTile), doubled(2 * kTile), swapped(2 * kTile);
  int weighted = 0;
  for (int i = 0; i < 2 * kTile; ++i) values[i] = noise(i) % 1000;
  for (int i = 0; i < 2 * kTile; ++i) {
    doubled[i] = values[i] * 2 + 1;
    swapped[i] = values[(i + kTile) % (2 * kTile)] + values[i] * 1000;
    weighted += values[i] * (1 + i / kTile);
  }
  int* in = upload(values);
  int* out = upload(std::vector<int>(2 * kTile));
  there_and_back<<<2, 64>>>(in, out);
  CHECK_KERNEL();
  report("there_and_back", download(out, doubled.size()), doubled);
  CHECK(cudaMemset(out, 0, sizeof(int)));
  two_phases<<<1, 96>>>(in, out);
  CHECK_KERNEL();
  report("two_phases", 2 * kTile, download(out, 1)[0], weighted);
  exchange<<<2, 32>>>(in, out);
  CHECK_KERNEL();
  report("exchange", download(out, swapped.size()), swapped);
  return finish();
}

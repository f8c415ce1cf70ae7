// Locks, barriers, shuffles, grid barriers and clusters under 50 seeds of both kinds of schedule. A
// GPU ignores the seeds and must give the same results.
#include <cooperative_groups.h>
#include <stdlib.h>

#include <string>

#include "../check.cuh"
namespace cg = cooperative_groups;

constexpr int kBlocks = 2, kThreads = 40, kAll = kBlocks * kThreads;

__device__ int lock = 0, sum = 0;

// Lanes of one warp and threads of other blocks wait for the same lock.
__global__ void locked() {
  while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(20);
  __threadfence();
  *reinterpret_cast<volatile int*>(&sum) = sum + 1;
  __threadfence();
  atomicExch(&lock, 0);
}

// One atomic for those that happen to run together, however many they are.
__global__ void aggregated(int* seen) {
  const auto together = cg::coalesced_threads();
  int first = 0;
  if (together.thread_rank() == 0) first = atomicAdd(&sum, together.size());
  first = together.shfl(first, 0);
  atomicAdd(seen + first + together.thread_rank(), 1);
}

// Neighbours by shuffle, then the mirror image of the block through shared memory.
__global__ void exchanged(int* out) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x, base = blockIdx.x * kThreads;
  const unsigned members = __ballot_sync(t < 32 ? ~0u : 0xffu, t % 2 == 0);
  int value = base + t;
  if (t % 2 == 0) value = __shfl_xor_sync(members, value, 2);
  tile[t] = value;
  __syncthreads();
  out[base + t] = tile[kThreads - 1 - t];
}

__global__ void rounds(int* out) {
  const cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  for (int round = 0; round < 3; ++round) {
    const int next = out[(i + 7) % kAll] + round;
    grid.sync();
    out[i] = next;
    grid.sync();
  }
}

__global__ void __cluster_dims__(2, 1, 1) swapped(int* out) {
  __shared__ int mine;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = 10 + cluster.block_rank();
  cluster.sync();
  out[blockIdx.x * kThreads + threadIdx.x] =
      *cluster.map_shared_rank(&mine, 1 - cluster.block_rank());
  cluster.sync();
}

int main() {
  std::vector<int> sums, places, exchanges, turns, swaps, want_places, want_exchanges, want_turns,
      want_swaps;
  const auto append = [](std::vector<int>& all, const int* device) {
    const std::vector<int> some = download(device, kAll);
    all.insert(all.end(), some.begin(), some.end());
  };
  for (int seed = 0; seed < 100; ++seed) {
    const std::string schedule = (seed % 2 ? "pct:" : "random:") + std::to_string(seed / 2);
    setenv("WARPLADDER_SCHEDULE", schedule.c_str(), 1);
    const int zero = 0;
    int result = 0;
    CHECK(cudaMemcpyToSymbol(sum, &zero, sizeof zero));
    locked<<<kBlocks, kThreads>>>();
    CHECK_KERNEL();
    CHECK(cudaMemcpyFromSymbol(&result, sum, sizeof result));
    sums.push_back(result);

    std::vector<int> numbers(kAll), turned(kAll);
    int* out = upload(numbers);
    CHECK(cudaMemcpyToSymbol(sum, &zero, sizeof zero));
    aggregated<<<kBlocks, kThreads>>>(out);
    CHECK_KERNEL();
    append(places, out);
    exchanged<<<kBlocks, kThreads>>>(out);
    CHECK_KERNEL();
    append(exchanges, out);
    for (int i = 0; i < kAll; ++i) numbers[i] = i;
    CHECK(cudaMemcpy(out, numbers.data(), kAll * sizeof(int), cudaMemcpyHostToDevice));
    void* args[] = {&out};
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rounds), kBlocks, kThreads, args, 0,
                                      nullptr));
    CHECK_KERNEL();
    append(turns, out);
    swapped<<<kBlocks, kThreads>>>(out);
    CHECK_KERNEL();
    append(swaps, out);
    CHECK(cudaFree(out));

    for (int i = 0; i < kAll; ++i) {
      const int t = i % kThreads, mirror = kThreads - 1 - t;
      want_places.push_back(1);
      want_exchanges.push_back(i - t + (mirror % 2 == 0 ? mirror ^ 2 : mirror));
      want_turns.push_back((i + 21) % kAll + 3);
      want_swaps.push_back(11 - i / kThreads);
    }
  }
  report("locked", sums, std::vector<int>(100, kAll));
  report("aggregated", places, want_places);
  report("exchanged", exchanges, want_exchanges);
  report("grid rounds", turns, want_turns);
  report("swapped", swaps, want_swaps);
  return finish();
}

// Named barriers: two producer warps arrive and go on, two consumer warps wait, in both directions,
// with a thread count.
#include "../check.cuh"

__device__ void barrier_sync(int id, int threads) {
  asm volatile("barrier.cta.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ void barrier_arrive(int id, int threads) {
  asm volatile("barrier.cta.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

constexpr int kFull = 1, kEmpty = 3, kHalf = 64, kAll = 128;

// Two slots; barrier kFull+slot says a slot is filled, kEmpty+slot that it may be filled again.
__global__ void handover(int rounds, int* out) {
  __shared__ int slot[2][kHalf];
  const int t = threadIdx.x % kHalf;
  if (threadIdx.x < kHalf) {
    for (int r = 0; r < rounds; ++r) {
      if (r >= 2) barrier_sync(kEmpty + r % 2, kAll);
      slot[r % 2][t] = r * 100 + t;
      barrier_arrive(kFull + r % 2, kAll);
    }
  } else {
    for (int r = 0; r < rounds; ++r) {
      barrier_sync(kFull + r % 2, kAll);
      out[r * kHalf + t] = slot[r % 2][kHalf - 1 - t];
      if (r + 2 < rounds) barrier_arrive(kEmpty + r % 2, kAll);
    }
  }
}

// A barrier of one warp's worth of threads beside the block's own.
__global__ void two_teams(int* out) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  const int team = threadIdx.x / 64;
  asm volatile("bar.sync %0, 64;" ::"r"(5 + team) : "memory");
  out[threadIdx.x] = s[team * 64 + 63 - threadIdx.x % 64];
  __syncthreads();
}

int main() {
  for (int rounds : {1, 2, 3, 8}) {
    std::vector<int> want;
    for (int r = 0; r < rounds; ++r)
      for (int t = 0; t < kHalf; ++t) want.push_back(r * 100 + kHalf - 1 - t);
    int* out = upload(std::vector<int>(want.size()));
    handover<<<1, kAll>>>(rounds, out);
    CHECK_KERNEL();
    report("handover", download(out, want.size()), want);
  }
  std::vector<int> want(128);
  for (int t = 0; t < 128; ++t) want[t] = t / 64 * 64 + 63 - t % 64;
  int* out = upload(std::vector<int>(128));
  two_teams<<<1, 128>>>(out);
  CHECK_KERNEL();
  report("two_teams", download(out, 128), want);
  return finish();
}

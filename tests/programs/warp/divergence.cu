// Divergent loops, nested branches, breaks and early returns: each lane takes its own path and all
// meet again.
#include "../check.cuh"

__host__ __device__ int wander(int seed) {
  int sum = 0;
  for (int i = 0; i < seed % 19; ++i) {
    if ((noise(seed + i) & 7) == 0) continue;
    for (int j = 0;; ++j) {
      sum += j * i;
      if (noise(seed * 17 + i * 31 + j) % 5 == 0) break;
      if (sum > 100000) return -sum;
    }
    if (i % 3 == 2)
      sum ^= i;
    else if (i % 3 == 1)
      sum += seed & 1 ? 5 : -3;
  }
  return sum;
}

__global__ void run(int n, int* out, int* met) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = wander(i);
  __syncwarp();
  if (i % 32 == 0) met[i / 32] = __popc(__activemask());  // only lane 0 is here
}

int main() {
  for (int n : {1, 33, 1000, 2048}) {
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = wander(i);
    int* out = upload(std::vector<int>(n));
    int* met = upload(std::vector<int>(2 * n + 256));
    run<<<blocks_for(n, 256), 256>>>(n, out, met);
    CHECK_KERNEL();
    report("wander", download(out, n), want);
    report("met", 1, download(met, 1)[0], 1);
  }
  return finish();
}

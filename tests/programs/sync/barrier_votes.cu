// Barriers that also count, and, or a predicate over the block; a warp barrier over half of the
// lanes.
#include "../check.cuh"

__global__ void votes(int n, int* out) {
  const int t = threadIdx.x;
  const int even = __syncthreads_count(t < n && t % 2 == 0);
  const int all = __syncthreads_and(t < n);
  const int any = __syncthreads_or(t >= n);
  if (t == blockDim.x - 1) out[0] = even, out[1] = all != 0, out[2] = any != 0;
}

__global__ void half_warps(int* out) {
  __shared__ int s[32];
  const int lane = threadIdx.x;
  const unsigned mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  s[lane] = lane * lane;
  if (lane < 16) {
    __syncwarp(mask);
    out[lane] = s[15 - lane];
  } else {
    __syncwarp(mask);
    out[lane] = -s[47 - lane];
  }
}

int main() {
  for (int block : {1, 31, 33, 100, 256, 1000}) {
    for (int n : {0, 1, block / 2, block}) {
      int* out = upload(std::vector<int>(3));
      votes<<<1, block>>>(n, out);
      CHECK_KERNEL();
      const std::vector<int> got = download(out, 3);
      std::printf("block %d, n %d: count %d and %d or %d\n", block, n, got[0], got[1], got[2]);
      report("votes", got, {(n + 1) / 2, n >= block, n < block});
    }
  }
  std::vector<int> want(32);
  for (int lane = 0; lane < 32; ++lane)
    want[lane] = lane < 16 ? (15 - lane) * (15 - lane) : -(47 - lane) * (47 - lane);
  int* out = upload(std::vector<int>(32));
  half_warps<<<1, 32>>>(out);
  CHECK_KERNEL();
  report("half_warps", download(out, 32), want);
  return finish();
}

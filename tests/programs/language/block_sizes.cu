// Unusual block sizes, from 1 to 1024: the last warp is not full, and ballots, shuffles and
// barriers still agree.
#include "../check.cuh"

__global__ void ranks(int* out) {
  __shared__ int warps[32];
  const int t = threadIdx.x, lane = t % 32;
  const unsigned here = __activemask();  // whole warp, or what the last one has
  const int odd_before = __popc(__ballot_sync(here, t % 2) & ((1u << lane) - 1));
  const int first = __shfl_sync(here, t, 0);
  if (lane == 0) warps[t / 32] = __popc(here);
  __syncthreads();
  int threads = 0;
  for (int w = 0; w < (blockDim.x + 31) / 32; ++w) threads += warps[w];
  out[blockIdx.x * blockDim.x + t] = threads * 10000 + odd_before * 100 + first % 100;
}

int main() {
  for (int block : {1, 2, 31, 32, 33, 63, 65, 100, 255, 1000, 1023, 1024}) {
    std::vector<int> want(2 * block);
    for (int i = 0; i < 2 * block; ++i) {
      const int t = i % block;
      want[i] = block * 10000 + t % 32 / 2 * 100 + t / 32 * 32 % 100;
    }
    int* out = upload(std::vector<int>(2 * block));
    ranks<<<2, block>>>(out);
    CHECK_KERNEL();
    report("ranks", download(out, 2 * block), want);
  }
  return finish();
}

// Threads that leave early no longer hold a barrier up: whole warps, single lanes, and lanes named
// by a later mask.
#include "../check.cuh"

__global__ void leave(int stay, int* out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  if (t >= stay) return;
  s[t] = t + 1;
  __syncthreads();  // those that left are not waited for
  out[t] = s[stay - 1 - t];
}

__global__ void leave_warp(int stay, int* out) {
  const int lane = threadIdx.x;
  if (lane >= stay) return;
  const unsigned mask = stay == 32 ? ~0u : (1u << stay) - 1;
  out[lane] = __popc(__ballot_sync(mask, lane % 3 == 0)) * 100 + __shfl_sync(mask, lane, stay - 1);
}

int main() {
  for (int stay : {0, 1, 20, 32, 33, 100, 255, 256}) {
    std::vector<int> want(256);
    for (int t = 0; t < stay; ++t) want[t] = stay - t;
    int* out = upload(std::vector<int>(256));
    leave<<<1, 256>>>(stay, out);
    CHECK_KERNEL();
    std::printf("%d stay\n", stay);
    report("leave", download(out, 256), want);
  }
  for (int stay : {1, 2, 17, 32}) {
    std::vector<int> want(32);
    for (int t = 0; t < stay; ++t) want[t] = (stay + 2) / 3 * 100 + stay - 1;
    int* out = upload(std::vector<int>(32));
    leave_warp<<<1, 32>>>(stay, out);
    CHECK_KERNEL();
    report("leave_warp", download(out, 32), want);
  }
  return finish();
}

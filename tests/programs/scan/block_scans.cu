// Inclusive scans inside one block: Hillis-Steele with two buffers, and warp shuffles joined
// through shared memory.
#include "../check.cuh"

constexpr int kBlock = 1024;

__global__ void hillis_steele(const int* in, int n, int* out) {
  __shared__ int buffer[2][kBlock];
  const int t = threadIdx.x;
  int from = 0;
  buffer[0][t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    buffer[1 - from][t] = buffer[from][t] + (t >= step ? buffer[from][t - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (t < n) out[t] = buffer[from][t];
}

__device__ int warp_scan(int v) {
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const int left = __shfl_up_sync(~0u, v, step);
    if (lane >= step) v += left;
  }
  return v;
}

__global__ void shuffle_scan(const int* in, int n, int* out) {
  __shared__ int warp_sums[32];
  const int t = threadIdx.x;
  int v = warp_scan(t < n ? in[t] : 0);
  if (t % 32 == 31) warp_sums[t / 32] = v;
  __syncthreads();
  if (t < 32) warp_sums[t] = warp_scan(t < blockDim.x / 32 ? warp_sums[t] : 0);
  __syncthreads();
  if (t >= 32) v += warp_sums[t / 32 - 1];
  if (t < n) out[t] = v;
}

int main() {
  for (int n : {0, 1, 2, 31, 32, 33, 500, 1023, 1024}) {
    std::vector<int> values(n), want(n);
    for (int i = 0, sum = 0; i < n; ++i)
      want[i] = sum += values[i] = static_cast<int>(noise(i) % 100) - 50;
    int* in = upload(values);
    int* out = upload(std::vector<int>(n));
    hillis_steele<<<1, kBlock>>>(in, n, out);
    CHECK_KERNEL();
    report("hillis_steele", download(out, n), want);
    CHECK(cudaMemset(out, 0, n * sizeof(int)));
    shuffle_scan<<<1, kBlock>>>(in, n, out);
    CHECK_KERNEL();
    report("shuffle_scan", download(out, n), want);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
  }
  return finish();
}

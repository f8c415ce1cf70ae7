// Dynamic shared memory beyond 48 KiB: refused until the kernel opts in, then used to its last
// byte.
#include "../check.cuh"

__global__ void reverse(const int* in, int n, int* out) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[n - 1 - i];
}

int main() {
  int limit = 0, opt_in = 0;
  CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlock, 0));
  CHECK(cudaDeviceGetAttribute(&opt_in, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  std::printf("%d bytes, %d with opt-in\n", limit, opt_in);
  for (int bytes : {limit, limit + 4, 100 * 1024, opt_in}) {
    const int n = bytes / 4;
    std::vector<int> values(n), want(n);
    for (int i = 0; i < n; ++i) want[n - 1 - i] = values[i] = noise(i);
    int* in = upload(values);
    int* out = upload(std::vector<int>(n));
    if (bytes > limit) {
      if (bytes == limit + 4) {
        reverse<<<1, 256, bytes>>>(in, n, out);
        show("before opting in", cudaGetLastError());
      }
      CHECK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    }
    reverse<<<1, 256, bytes>>>(in, n, out);
    CHECK_KERNEL();
    report("reverse", download(out, n), want);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
  }
  show("too much",
       cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, opt_in + 1));
  (void)cudaGetLastError();
  cudaFuncAttributes attributes = {};
  CHECK(cudaFuncGetAttributes(&attributes, reverse));
  std::printf("allowed now: %d, static: %zu\n", attributes.maxDynamicSharedSizeBytes,
              attributes.sharedSizeBytes);
  return finish();
}

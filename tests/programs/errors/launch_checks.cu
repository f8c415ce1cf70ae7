// Launches that are refused before anything runs; none of these errors stays.
#include "../check.cuh"

__global__ void plain(int* out) { *out = 1; }
__global__ void __launch_bounds__(64) small(int* out) { *out = 2; }
__global__ void large_static(int* out) {
  __shared__ int s[12000];
  s[threadIdx.x] = 1;
  __syncthreads();
  *out = s[0];
}
__global__ void with_dynamic(int* out) {
  extern __shared__ int d[];
  d[threadIdx.x] = 1;
  *out = d[0];
}

int main() {
  int* out = upload(std::vector<int>{0});
  plain<<<1, 1025>>>(out);
  show("1025 threads", cudaGetLastError());
  plain<<<1, dim3(64, 64)>>>(out);
  show("64 x 64 threads", cudaGetLastError());
  plain<<<1, dim3(1, 1, 65)>>>(out);
  show("65 threads in z", cudaGetLastError());
  plain<<<0, 32>>>(out);
  show("no blocks", cudaGetLastError());
  plain<<<1, 0>>>(out);
  show("no threads", cudaGetLastError());
  plain<<<dim3(1, 70000), 32>>>(out);
  show("70000 blocks in y", cudaGetLastError());
  with_dynamic<<<1, 32, 50000>>>(out);
  show("50000 bytes of shared memory", cudaGetLastError());
  large_static<<<1, 32, 2000>>>(out);
  show("static and dynamic together", cudaGetLastError());
  small<<<1, 65>>>(out);
  show("past the launch bounds", cudaGetLastError());
  void* args[] = {&out};
  void* const kernel = reinterpret_cast<void*>(plain);
  show("by cudaLaunchKernel, 1025 threads",
       cudaLaunchKernel(kernel, dim3(1), dim3(1025), args, 0, nullptr));
  show("by cudaLaunchKernel, no blocks",
       cudaLaunchKernel(kernel, dim3(0), dim3(32), args, 0, nullptr));
  show("null kernel",
       cudaLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(32), args, 0, nullptr));
  show("last error", cudaGetLastError());
  show("last error again", cudaGetLastError());
  show("more blocks than fit",
       cudaLaunchCooperativeKernel(reinterpret_cast<void*>(plain), dim3(100000), dim3(1024), args,
                                   0, nullptr));
  (void)cudaGetLastError();
  show("opt-in past the limit",
       cudaFuncSetAttribute(with_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  (void)cudaGetLastError();
  plain<<<1, 32>>>(out);
  CHECK_KERNEL();
  report("still works", 1, download(out, 1)[0], 1);
  return finish();
}

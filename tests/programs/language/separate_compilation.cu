// Two files compiled apart: a device function, a device variable and a kernel that live in the
// other one.
// nvcc: -rdc=true separate_compilation_other.inc.cu
#include "../check.cuh"

extern __device__ int elsewhere(int);
extern __device__ int counter;
extern __constant__ int offsets[4];
__global__ void their_kernel(int* out);
__device__ int called_back(int x) { return x * 10; }  // the other file calls this

__global__ void our_kernel(int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = elsewhere(i) + offsets[i % 4];
  atomicAdd(&counter, 1);
}

int main() {
  for (int n : {1, 33, 100}) {
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = i * 10 + 1 + (i % 4 + 1) * 1000;
    int* out = upload(std::vector<int>(n));
    our_kernel<<<blocks_for(n, 64), 64>>>(n, out);
    CHECK_KERNEL();
    report("our_kernel", download(out, n), want);
    their_kernel<<<1, 1>>>(out);
    CHECK_KERNEL();
    report("their_kernel", n, download(out, 1)[0], n == 1 ? 1 : n == 33 ? 34 : 134);
  }
  return finish();
}

// The work-efficient exclusive scan of Blelloch: up-sweep, then down-sweep, in dynamic shared
// memory with padding.
#include "../check.cuh"

// One word of padding in 32 keeps the strides off one bank.
__device__ int padded(int i) { return i + i / 32; }

__global__ void blelloch(const unsigned* in, int n, int size, unsigned* out) {
  extern __shared__ unsigned s[];
  for (int i = threadIdx.x; i < size; i += blockDim.x) s[padded(i)] = i < n ? in[i] : 0;
  int step = 1;
  for (int pairs = size / 2; pairs > 0; pairs /= 2, step *= 2) {
    __syncthreads();
    for (int i = threadIdx.x; i < pairs; i += blockDim.x)
      s[padded(step * (2 * i + 2) - 1)] += s[padded(step * (2 * i + 1) - 1)];
  }
  if (threadIdx.x == 0) s[padded(size - 1)] = 0;
  for (int pairs = 1; pairs < size; pairs *= 2) {
    step /= 2;
    __syncthreads();
    for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
      unsigned& left = s[padded(step * (2 * i + 1) - 1)];
      unsigned& right = s[padded(step * (2 * i + 2) - 1)];
      const unsigned sum = left + right;
      left = right;
      right = sum;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[padded(i)];
}

int main() {
  for (int n : {0, 1, 2, 3, 63, 64, 65, 777, 2048}) {
    int size = 1;
    while (size < n) size *= 2;
    std::vector<unsigned> values(n), want(n);
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) want[i] = sum, sum += values[i] = noise(i);
    unsigned* in = upload(values);
    unsigned* out = upload(std::vector<unsigned>(n));
    blelloch<<<1, 96, (size + size / 32 + 1) * sizeof(unsigned)>>>(in, n, size, out);
    CHECK_KERNEL();
    report("blelloch", download(out, n), want);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
  }
  return finish();
}

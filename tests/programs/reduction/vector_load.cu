// Sums of floats and ints loaded sixteen bytes at a time, with a scalar tail; sums of small
// integers are exact in float.
#include "sums.cuh"

__global__ void sum_int4(const int* in, int n, int* sum) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  int mine = 0;
  for (int i = thread; i < n / 4; i += threads) {
    const int4 v = reinterpret_cast<const int4*>(in)[i];
    mine += v.x + v.y + v.z + v.w;
  }
  for (int i = n / 4 * 4 + thread; i < n; i += threads) mine += in[i];
  atomicAdd(sum, mine);
}

__global__ void sum_float4(const float* in, int n, float* sums) {
  const int thread = threadIdx.x;
  float mine = 0;
  for (int i = thread; i < n / 4; i += blockDim.x) {
    const float4 v = __ldg(reinterpret_cast<const float4*>(in) + i);
    mine += (v.x + v.y) + (v.z + v.w);
  }
  for (int i = n / 4 * 4 + thread; i < n; i += blockDim.x) mine += in[i];
  for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(~0u, mine, step);
  if (thread % 32 == 0) sums[thread / 32] = mine;
}

int main() {
  sum_all_sizes("sum_int4",
                [](const int* in, int n, int* sum) { sum_int4<<<2, 96>>>(in, n, sum); });
  for (int n : kSizes) {
    std::vector<float> values(n);
    float want = 0;
    for (int i = 0; i < n; ++i) want += values[i] = static_cast<float>(noise(i) % 64) * 0.25f;
    float* in = upload(values);
    float* sums = upload(std::vector<float>(4));
    sum_float4<<<1, 128>>>(in, n, sums);
    CHECK_KERNEL();
    const std::vector<float> parts = download(sums, 4);
    report("sum_float4", n, parts[0] + parts[1] + parts[2] + parts[3], want);
    CHECK(cudaFree(in));
    CHECK(cudaFree(sums));
  }
  return finish();
}

// cp.async of 4, 8 and 16 bytes, with zero fill, in groups that are waited for one after another.
#include <cuda_pipeline.h>

#include "../check.cuh"

template <class T>
__global__ void copy(const T* in, int n, T* out) {
  __shared__ T s[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const bool inside = i < n;
  // Past the end nothing is read and the slot is filled with zeros.
  __pipeline_memcpy_async(&s[threadIdx.x], in + (inside ? i : 0), sizeof(T),
                          inside ? 0 : sizeof(T));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = s[63 - threadIdx.x];
}

__global__ void groups(const int* in, int* out) {
  __shared__ int s[4][32];
  for (int g = 0; g < 4; ++g) {
    __pipeline_memcpy_async(&s[g][threadIdx.x], in + g * 32 + threadIdx.x, 4);
    __pipeline_commit();
  }
  int sum = 0;
  __pipeline_wait_prior(3);
  sum = sum * 3 + s[0][threadIdx.x];
  __pipeline_wait_prior(2);
  sum = sum * 3 + s[1][threadIdx.x];
  __pipeline_wait_prior(0);
  sum = sum * 3 + s[2][threadIdx.x];
  sum = sum * 3 + s[3][threadIdx.x];
  out[threadIdx.x] = sum;
}

// Words of T; every size is an array of ints to the CPU.
template <class T>
void run(const char* name) {
  constexpr int kWords = sizeof(T) / 4;
  for (int n : {1, 63, 64, 100}) {
    const int padded = blocks_for(n, 64) * 64;
    std::vector<int> values(n * kWords), want(padded * kWords);
    for (int i = 0; i < n * kWords; ++i) values[i] = noise(i) % 1000000;
    for (int i = 0; i < padded; ++i) {
      const int from = i / 64 * 64 + 63 - i % 64;
      for (int w = 0; w < kWords; ++w)
        want[i * kWords + w] = from < n ? values[from * kWords + w] : 0;
    }
    int* out = upload(std::vector<int>(want.size(), -1));
    copy<<<padded / 64, 64>>>(reinterpret_cast<const T*>(upload(values)), n,
                              reinterpret_cast<T*>(out));
    CHECK_KERNEL();
    report(name, download(out, want.size()), want);
  }
}

int main() {
  run<int>("4 bytes");
  run<int2>("8 bytes");
  run<int4>("16 bytes");
  std::vector<int> values(128), want(32);
  for (int i = 0; i < 128; ++i) values[i] = noise(i) % 1000;
  for (int t = 0; t < 32; ++t)
    want[t] = ((values[t] * 3 + values[32 + t]) * 3 + values[64 + t]) * 3 + values[96 + t];
  int* out = upload(std::vector<int>(32));
  groups<<<1, 32>>>(upload(values), out);
  CHECK_KERNEL();
  report("groups", download(out, 32), want);
  return finish();
}

// Floating-point atomics on values that add exactly: float, double, float2, float4, half2,
// bfloat162, and max by CAS.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

#include "../check.cuh"

__global__ void add(float* f, double* d, float2* f2, float4* f4, __half2* h2, __nv_bfloat162* b2,
                    __half* h) {
  __shared__ float shared_sum;
  if (threadIdx.x == 0) shared_sum = 0;
  __syncthreads();
  const int t = threadIdx.x;
  const float v = t % 8;
  atomicAdd(&f[0], v);
  atomicAdd(&shared_sum, v * 2);
  atomicAdd(d, v * 0.5);
  atomicAdd(f2, make_float2(v, -v));
  atomicAdd(f4, make_float4(v, 2 * v, 1, 0.25f));
  atomicAdd(h2, __floats2half2_rn(t % 2, 0.5f));
  atomicAdd(b2, __floats2bfloat162_rn(1.0f, -(t % 2)));
  atomicAdd(h, __float2half(0.25f));
  const float previous = atomicExch(&f[2], 3.0f);
  if (previous != 0.0f && previous != 3.0f) f[2] = -1;
  __syncthreads();
  if (t == 0) f[1] = shared_sum;
}

__device__ void atomic_max(float* cell, float v) {
  int seen = __float_as_int(*static_cast<volatile float*>(cell));  // others change it meanwhile
  while (__int_as_float(seen) < v) {
    const int found = atomicCAS(reinterpret_cast<int*>(cell), seen, __float_as_int(v));
    if (found == seen) break;
    seen = found;
  }
}

__global__ void largest(const float* in, int n, float* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomic_max(out, in[i]);
}

int main() {
  for (int threads : {1, 32, 100}) {
    double sum = 0;
    int odd = threads / 2;
    for (int t = 0; t < threads; ++t) sum += t % 8;
    char* memory = nullptr;
    CHECK(cudaMalloc(&memory, 256));
    CHECK(cudaMemset(memory, 0, 256));
    auto* f = reinterpret_cast<float*>(memory);
    auto* d = reinterpret_cast<double*>(memory + 32);
    auto* f2 = reinterpret_cast<float2*>(memory + 64);
    auto* f4 = reinterpret_cast<float4*>(memory + 96);
    auto* h2 = reinterpret_cast<__half2*>(memory + 128);
    auto* b2 = reinterpret_cast<__nv_bfloat162*>(memory + 160);
    auto* h = reinterpret_cast<__half*>(memory + 192);
    add<<<1, threads>>>(f, d, f2, f4, h2, b2, h);
    CHECK_KERNEL();
    report("float", download(f, 3), {static_cast<float>(sum), static_cast<float>(2 * sum), 3.0f});
    report("double", threads, download(d, 1)[0], sum / 2);
    report("float2.y", threads, download(f2, 1)[0].y, static_cast<float>(-sum));
    const float4 quad = download(f4, 1)[0];
    report("float4", std::vector<float>{quad.x, quad.y, quad.z, quad.w},
           {(float)sum, 2 * (float)sum, (float)threads, threads * 0.25f});
    const float2 halves = __half22float2(download(h2, 1)[0]);
    report("half2.x", threads, halves.x, static_cast<float>(odd));
    report("half2.y", threads, halves.y, threads * 0.5f);
    const float2 brains = __bfloat1622float2(download(b2, 1)[0]);
    report("bfloat162.x", threads, brains.x, static_cast<float>(threads));
    report("bfloat162.y", threads, brains.y, static_cast<float>(-odd));
    report("half", threads, __half2float(download(h, 1)[0]), threads * 0.25f);
  }
  std::vector<float> values(1001);
  float want = -1000;
  for (int i = 0; i < 1001; ++i)
    want = std::max(want, values[i] = static_cast<int>(noise(i) % 100000) * 0.125f - 5000);
  float* out = upload(std::vector<float>{-100000.0f});
  largest<<<3, 64>>>(upload(values), 1001, out);
  CHECK_KERNEL();
  report("largest", 1001, download(out, 1)[0], want);
  return finish();
}

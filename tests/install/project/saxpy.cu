// A program outside the project: nothing but the CUDA runtime. `saxpy stray` writes behind the end of its array.
#include <cstdio>
#include <cstring>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

int main(int argc, char** argv) {
  constexpr int kCount = 1000;
  const bool stray = argc > 1 && std::strcmp(argv[1], "stray") == 0;
  float host[kCount], *x, *y;
  for (int i = 0; i < kCount; ++i) host[i] = static_cast<float>(i);
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice);
  saxpy<<<(kCount + 255) / 256, 256>>>(stray ? kCount + 1 : kCount, 2.0f, x, y);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  if (const cudaError_t error = cudaGetLastError()) {
    std::printf("%s\n", cudaGetErrorName(error));
    return 1;
  }
  int devices = 0;
  cudaDeviceProp properties;
  cudaGetDeviceCount(&devices);
  cudaGetDeviceProperties(&properties, 0);
  std::printf("%d x %s: 2 * 999 + 999 = %.0f\n", devices, properties.name, host[kCount - 1]);
}

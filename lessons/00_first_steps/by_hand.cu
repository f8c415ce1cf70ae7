// SPDX-License-Identifier: MIT
// A whole CUDA program by hand, with nothing from common/: read this one first. It computes
// out[i] = a x[i] + y[i] on the GPU, one thread for each element, and checks it against the CPU.
//
// Exit codes: 0 the result is right, 1 it is wrong or a CUDA call failed, 3 no GPU and no emulator.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Every CUDA call says whether it worked. A program that does not look goes on with garbage.
void check(cudaError_t error, const char* step) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "by_hand: %s: %s\n", step, cudaGetErrorString(error));
  std::exit(1);
}

// The kernel: what each of the many threads does. __global__: called from the CPU, run on the GPU.
__global__ void saxpy(float a, const float* x, const float* y, int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

// Copies x and y to the GPU, computes there, copies the result back; says how long the kernel took.
std::vector<float> gpu_saxpy(float a, const std::vector<float>& x, const std::vector<float>& y,
                             float* milliseconds) {
  const int n = static_cast<int>(x.size());
  const std::size_t bytes = n * sizeof(float);

  // The GPU has its own memory. The pointers are its addresses: the CPU must not look behind them.
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  check(cudaMalloc(&d_x, bytes), "allocate x");
  check(cudaMalloc(&d_y, bytes), "allocate y");
  check(cudaMalloc(&d_out, bytes), "allocate the result");
  check(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice), "copy x to the GPU");
  check(cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice), "copy y to the GPU");

  cudaEvent_t start, stop;
  check(cudaEventCreate(&start), "create an event");
  check(cudaEventCreate(&stop), "create an event");

  const int threads = 256;                         // in a block
  const int blocks = (n + threads - 1) / threads;  // rounded up: all elements
  // Twice: the first launch also loads the kernel's code. The second one is timed.
  for (int run = 0; run < 2; ++run) {
    check(cudaEventRecord(start), "record the start");
    saxpy<<<blocks, threads>>>(a, d_x, d_y, n, d_out);  // returns at once, without an error code
    check(cudaGetLastError(), "launch the kernel");     // was the launch accepted?
    check(cudaEventRecord(stop), "record the stop");
    check(cudaDeviceSynchronize(), "run the kernel");  // waits; a crash inside shows here
  }
  check(cudaEventElapsedTime(milliseconds, start, stop), "read the time");

  std::vector<float> out(x.size());
  check(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost), "copy the result back");
  check(cudaEventDestroy(start), "destroy an event");
  check(cudaEventDestroy(stop), "destroy an event");
  for (float* const pointer : {d_x, d_y, d_out}) check(cudaFree(pointer), "free an array");
  return out;
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "by_hand: no usable GPU, and no emulator in its place\n");
    return 3;
  }
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "ask for the device's name");
  const bool emulated = std::strstr(device.name, "emulator") != nullptr;

  // Small whole numbers: a float holds every result exactly, so the two must agree to the last bit.
  // The last block is not full.
  const float a = 3;
  std::vector<float> x(1'000'003), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(1 + i % 7);
    y[i] = static_cast<float>(1 + i % 5);
  }

  std::vector<float> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = a * x[i] + y[i];

  float milliseconds = 0;
  const std::vector<float> out = gpu_saxpy(a, x, y, &milliseconds);
  std::printf("%zu elements on %s\n", x.size(), device.name);
  std::printf("%.1f us for the kernel (%s), without the copies\n", milliseconds * 1e3,
              emulated ? "modelled" : "measured");
  std::puts(out == expected ? "ok" : "FAIL: the two results differ");
  return out == expected ? 0 : 1;
}

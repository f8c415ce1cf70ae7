// SPDX-License-Identifier: MIT
// A whole CUDA program by hand, with nothing from common/: read this one first. It adds up an array
// on the GPU, one atomicAdd per element, and checks the answer against the CPU.
//
// Exit codes: 0 the sum is right, 1 it is wrong or a CUDA call failed, 3 no GPU and no emulator.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Every CUDA call says whether it worked. A program that does not look goes on with garbage.
void check(cudaError_t error, const char* step) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "first_steps: %s: %s\n", step, cudaGetErrorString(error));
  std::exit(1);
}

// The kernel: what each of the many threads does. __global__: called from the CPU, run on the GPU.
__global__ void add_all(const float* in, int n, float* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, in[i]);
}

// Copies x to the GPU, adds it up there, and returns the sum and how long the kernel took.
float gpu_sum(const std::vector<float>& x, float* milliseconds) {
  const int n = static_cast<int>(x.size());
  const std::size_t bytes = n * sizeof(float);
  const int threads = 256, blocks = (n + threads - 1) / threads;  // rounded up: all elements

  // The GPU has its own memory. The pointers are its addresses: the CPU must not look behind them.
  float *in = nullptr, *total = nullptr;
  check(cudaMalloc(&in, bytes), "allocate the input");
  check(cudaMalloc(&total, sizeof(float)), "allocate the total");
  check(cudaMemcpy(in, x.data(), bytes, cudaMemcpyHostToDevice), "copy the input to the GPU");

  cudaEvent_t start, stop;
  check(cudaEventCreate(&start), "create an event");
  check(cudaEventCreate(&stop), "create an event");

  // Twice: the first launch also loads the kernel's code. The second one is timed.
  for (int run = 0; run < 2; ++run) {
    check(cudaMemset(total, 0, sizeof(float)), "set the total to zero");
    check(cudaEventRecord(start), "record the start");
    add_all<<<blocks, threads>>>(in, n, total);      // returns at once, and returns no error code
    check(cudaGetLastError(), "launch the kernel");  // was the launch accepted?
    check(cudaEventRecord(stop), "record the stop");
    check(cudaDeviceSynchronize(), "run the kernel");  // waits; a crash inside shows here
  }
  check(cudaEventElapsedTime(milliseconds, start, stop), "read the time");

  float sum = 0;
  check(cudaMemcpy(&sum, total, sizeof(float), cudaMemcpyDeviceToHost), "copy the total back");
  check(cudaEventDestroy(start), "destroy an event");
  check(cudaEventDestroy(stop), "destroy an event");
  check(cudaFree(in), "free the input");
  check(cudaFree(total), "free the total");
  return sum;
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "first_steps: no usable GPU, and no emulator in its place\n");
    return 3;
  }
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "ask for the device's name");
  const bool emulated = std::strstr(device.name, "emulator") != nullptr;

  // Whole numbers from 1 to 7, whose total stays below 2^24: a float holds every partial sum
  // exactly, so the order does not matter and every lost element is seen. The last block is not
  // full.
  std::vector<float> x(1'000'003);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(1 + i % 7);

  const auto begin = std::chrono::steady_clock::now();
  float expected = 0;
  for (const float v : x) expected += v;
  const std::chrono::duration<double, std::milli> cpu = std::chrono::steady_clock::now() - begin;

  float milliseconds = 0;
  const float sum = gpu_sum(x, &milliseconds);
  std::printf("%zu elements on %s\n", x.size(), device.name);
  std::printf("CPU: %.0f in %.3f ms (measured)\n", expected, cpu.count());
  std::printf("GPU: %.0f in %.3f ms (%s)\n", sum, milliseconds, emulated ? "modelled" : "measured");
  std::puts(sum == expected ? "ok" : "FAIL: the two sums differ");
  return sum == expected ? 0 : 1;  // a NaN is equal to nothing, so it fails
}

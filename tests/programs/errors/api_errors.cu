// Wrong calls of the runtime: each returns its error, the last one is remembered once, and work
// goes on.
#include "../check.cuh"

__global__ void plain(int* out) { *out += 1; }

int main() {
  int* out = upload(std::vector<int>{0});
  int* other = nullptr;
  std::vector<int> host(16);
  CHECK(cudaMalloc(&other, 64));
  CHECK(cudaFree(other));
  show("freed twice", cudaFree(other));
  show("  remembered", cudaPeekAtLastError());
  show("  and taken", cudaGetLastError());
  show("  and gone", cudaGetLastError());
  show("free of null", cudaFree(nullptr));
  show("free of host memory", cudaFree(host.data()));
  show("wrong direction", cudaMemcpy(out, host.data(), 4, cudaMemcpyDeviceToHost));
  show("past the end", cudaMemcpy(out, host.data(), 64 << 20, cudaMemcpyDeviceToDevice));
  show("unknown direction", cudaMemcpy(out, host.data(), 4, static_cast<cudaMemcpyKind>(9)));
  show("device 99", cudaSetDevice(99));
  show("too much memory", cudaMalloc(&other, size_t(1) << 50));
  show("null result", cudaMalloc(static_cast<void**>(nullptr), 16));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  float ms = 0;
  show("events not recorded", cudaEventElapsedTime(&ms, start, stop));
  show("null event", cudaEventRecord(nullptr));
  (void)cudaGetLastError();
  plain<<<1, 1>>>(out);
  CHECK_KERNEL();
  report("still works", 1, download(out, 1)[0], 1);
  std::printf("%s: %s\n", cudaGetErrorName(cudaErrorInvalidValue),
              cudaGetErrorString(cudaErrorInvalidValue));
  std::printf("%s: %s\n", cudaGetErrorName(cudaErrorIllegalAddress),
              cudaGetErrorString(cudaErrorIllegalAddress));
  return finish();
}

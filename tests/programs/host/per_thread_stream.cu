// Compiled with a default stream per thread: two host threads launch and copy without naming a
// stream.
// nvcc: --default-stream per-thread -Xcompiler -pthread
#include <thread>

#include "../check.cuh"

__global__ void fill(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value * i;
}

void work(int value, std::vector<int>* result) {
  const int n = static_cast<int>(result->size());
  int* data = nullptr;
  CHECK(cudaMalloc(&data, n * sizeof(int)));
  fill<<<blocks_for(n, 64), 64>>>(data, n, value);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(result->data(), data, n * sizeof(int), cudaMemcpyDeviceToHost,
                        cudaStreamPerThread));
  CHECK(cudaStreamSynchronize(0));
  CHECK(cudaFree(data));
}

int main() {
  for (int n : {1, 33, 1000}) {
    std::vector<std::vector<int>> results(4, std::vector<int>(n));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(work, t + 1, &results[t]);
    for (auto& thread : threads) thread.join();
    for (int t = 0; t < 4; ++t) {
      std::vector<int> want(n);
      for (int i = 0; i < n; ++i) want[i] = (t + 1) * i;
      report("thread", results[t], want);
    }
  }
  return finish();
}

// Stream-ordered allocation: cudaMallocAsync and cudaFreeAsync around kernels, with a pool of one's
// own.
#include "../check.cuh"

__global__ void fill(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value + i;
}

__global__ void sum(const int* data, int n, unsigned long long* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, static_cast<unsigned long long>(data[i]));
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  unsigned long long* out = upload(std::vector<unsigned long long>{0});
  unsigned long long want = 0;
  for (int round = 0; round < 5; ++round) {
    const int n = 100 * round + 1;
    int* data = nullptr;
    CHECK(cudaMallocAsync(&data, n * sizeof(int), stream));
    fill<<<blocks_for(n, 64), 64, 0, stream>>>(data, n, round);
    sum<<<blocks_for(n, 64), 64, 0, stream>>>(data, n, out);
    CHECK(cudaFreeAsync(data, stream));
    for (int i = 0; i < n; ++i) want += round + i;
  }
  CHECK(cudaStreamSynchronize(stream));
  report("sum", 5, download(out, 1)[0], want);

  cudaMemPool_t pool;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long keep = ~0ull;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  unsigned char* bytes = nullptr;
  CHECK(cudaMallocAsync(&bytes, 1000, stream));
  CHECK(cudaMemsetAsync(bytes, 7, 1000, stream));
  std::vector<unsigned char> host(1000);
  CHECK(cudaMemcpyAsync(host.data(), bytes, 1000, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  report("memset", host, std::vector<unsigned char>(1000, 7));
  CHECK(cudaFreeAsync(bytes, stream));
  CHECK(cudaMemPoolTrimTo(pool, 0));
  CHECK(cudaStreamDestroy(stream));
  return finish();
}

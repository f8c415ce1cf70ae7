// SPDX-License-Identifier: MIT
// What the L2 cache has of memory that something other than a kernel has written. Before each turn a kernel reads so much else
// that nothing of that memory is in L2. On a GPU, Nsight Compute says what then has to come from DRAM:
//   nvcc -arch=sm_90 uploads.cu -o uploads
//   ncu --clock-control none --cache-control none -k look --metrics dram__bytes_read.sum ./uploads
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr unsigned kElse = 16u << 20, kWords = 1u << 20, kThreads = 256;

void need(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "uploads: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

}  // namespace

__global__ void use_else(const unsigned* words, unsigned* never) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (words[i] == 1) *never = i;
}
__global__ void look(const unsigned* words, unsigned* never) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (words[i] == 1) *never = i;
}

int main() {
  constexpr std::size_t kBytes = kWords * sizeof(unsigned);
  unsigned *other, *words, *source, *pinned, *never;
  need(cudaMalloc(&other, kElse * sizeof(unsigned)));
  need(cudaMalloc(&words, kBytes));
  need(cudaMalloc(&source, kBytes));
  need(cudaMalloc(&never, sizeof(unsigned)));
  need(cudaMallocHost(&pinned, kBytes));
  const std::vector<unsigned> host(kWords, 2);
  for (unsigned i = 0; i < kWords; ++i) pinned[i] = 2;
  need(cudaMemset(other, 0, kElse * sizeof(unsigned)));
  need(cudaMemset(source, 0, kBytes));

  const auto turn = [&](const char* what, auto write) {
    use_else<<<kElse / kThreads, kThreads>>>(other, never);
    write();
    look<<<kWords / kThreads, kThreads>>>(words, never);
    need(cudaDeviceSynchronize());
    std::printf("%s\n", what);
  };
  turn("nothing", [] {});
  turn("upload", [&] { need(cudaMemcpy(words, host.data(), kBytes, cudaMemcpyHostToDevice)); });
  turn("pinned", [&] { need(cudaMemcpy(words, pinned, kBytes, cudaMemcpyHostToDevice)); });
  turn("memset", [&] { need(cudaMemset(words, 0, kBytes)); });
  turn("copy", [&] { need(cudaMemcpy(words, source, kBytes, cudaMemcpyDeviceToDevice)); });
  // What L2 has already stays.
  look<<<kWords / kThreads, kThreads>>>(words, never);
  need(cudaMemcpy(words, host.data(), kBytes, cudaMemcpyHostToDevice));
  look<<<kWords / kThreads, kThreads>>>(words, never);
  need(cudaDeviceSynchronize());
  std::printf("there\n");
  return 0;
}

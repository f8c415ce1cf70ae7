// SPDX-License-Identifier: MIT
// How warps share a first-level cache: each thread reads words of a line of its own, one after the other, each address from the value
// before. Nsight Compute says how many are found.
//
//   nvcc -O3 -std=c++20 -arch=sm_90 tests/model/again.cu -o again
//   ncu --clock-control none --csv --page raw --log-file again.csv --metrics launch__shared_mem_config_size,\
//     l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum ./again
//
// A row is printed for each launch: what shared memory is asked to take (KiB), warps on a multiprocessor, lines to choose from (8 MiB
// are in L2 the second time, 1 GiB are not), words that a thread reads.
#include <cstdio>
#include <cstdlib>

namespace {

constexpr unsigned kLineWords = 32, kBlock = 128;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "again: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

__device__ unsigned mixed(unsigned x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

__global__ void again(const unsigned* words, unsigned* out, unsigned lines, unsigned times) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned* const line = words + std::size_t{mixed(i) % lines} * kLineWords;
  unsigned zero = 0;  // as all words are
#pragma unroll 1
  for (unsigned k = 0; k < times; ++k) zero = line[k + zero];
  if (zero) out[i] = zero;
}

}  // namespace

int main() {
  constexpr std::size_t kMost = std::size_t{1} << 23;
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  unsigned *words, *out;
  check(cudaMalloc(&words, kMost * kLineWords * sizeof(unsigned)));
  check(cudaMemset(words, 0, kMost * kLineWords * sizeof(unsigned)));
  check(cudaMalloc(&out, 2048 * sizeof(unsigned) * static_cast<unsigned>(multiprocessors)));
  for (const int kib : {0, 64, 132}) {
    check(cudaFuncSetAttribute(again, cudaFuncAttributePreferredSharedMemoryCarveout,
                               kib * 100 / 228));
    for (unsigned warps = 8; warps <= 64; warps += 4)
      for (const unsigned lines : {1u << 16, 1u << 16, 1u << 23})
        for (const unsigned times : {1u, 2u, 4u, 8u}) {
          again<<<static_cast<unsigned>(multiprocessors) * warps * 32 / kBlock, kBlock>>>(
              words, out, lines, times);
          check(cudaDeviceSynchronize());
          std::printf("%d %u %u %u\n", kib, warps, lines, times);
        }
  }
}

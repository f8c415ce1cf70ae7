// SPDX-License-Identifier: MIT
#include "common/reading.cuh"

namespace course {

namespace {

// Four loads in flight. Every load counts for the result, so none can be left out.
__global__ void read_all(const uint4* in, std::size_t n, unsigned fill, unsigned long long* seen) {
  constexpr int kLoads = 4;
  const std::size_t tile = std::size_t{kLoads} * blockDim.x;
  unsigned other = 0;  // bits that are not as they should be
  for (std::size_t i = blockIdx.x * tile + threadIdx.x; i < n; i += gridDim.x * tile) {
    uint4 v[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) v[k] = in[min(i + k * blockDim.x, n - 1)];
#pragma unroll
    for (int k = 0; k < kLoads; ++k)
      other |= (v[k].x ^ fill) | (v[k].y ^ fill) | (v[k].z ^ fill) | (v[k].w ^ fill);
  }
  if (__syncthreads_or(other != 0) == 0 && threadIdx.x == 0) atomicAdd(seen, 1ull);
}

__global__ void pause(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

}  // namespace

void launch_pause() {
  pause<<<1, 1>>>(80'000);
  COURSE_CHECK(cudaGetLastError());
}

Reading::Reading(const Device& device)
    : blocks_(device.multiprocessors * (device.emulated ? 8 : 32)),
      threads_(device.emulated ? 256 : 1024),
      seen_(1) {
  COURSE_CHECK(cudaMemset(seen_.data(), 0, seen_.bytes()));
}

void Reading::launch(const unsigned char* data, std::size_t bytes) {
  constexpr unsigned kWord = 0x01010101u * kFill;
  read_all<<<blocks_, threads_>>>(reinterpret_cast<const uint4*>(data), bytes / sizeof(uint4),
                                  kWord, seen_.data());
  COURSE_CHECK(cudaGetLastError());
  expected_ += static_cast<unsigned long long>(blocks_);
}

void Reading::check() const {
  if (seen_.download()[0] == expected_) return;
  throw CudaError(cudaErrorUnknown, "reading all that was to be read", __FILE__, __LINE__);
}

}  // namespace course

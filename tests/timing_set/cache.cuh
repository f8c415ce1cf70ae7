// SPDX-License-Identifier: MIT
// The state in which a launch finds the L2 cache, and a GPU that is busy while the host prepares what is timed.
#pragma once

#include "common/device.cuh"
#include "common/device_buffer.cuh"

namespace timing_set {

// Reads all of a buffer that is several times the cache: nothing of use is left in it, and nothing to be written back.
__global__ void flush_by_reading(const uint4* in, std::size_t count, unsigned* out) {
  unsigned x = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    x |= in[i].x;
  if (x == 1) *out = x;  // never: the buffer is full of zeros
}
// Waits without touching memory.
__global__ void keep_busy(long long cycles) {
  const long long end = clock64() + cycles;
  while (clock64() < end) {
  }
}

class Cache {
 public:
  explicit Cache(const course::Device& device)
      : device_(device),
        buffer_(device.emulated ? 0 : 8 * static_cast<std::size_t>(device.l2_bytes)) {
    if (buffer_.size() > 0) COURSE_CHECK(cudaMemset(buffer_.data(), 0, buffer_.bytes()));
  }
  // Nothing of use in it. The emulator has a call for that; it takes no flush kernel.
  void make_cold() {
    if (device_.emulated) {
      COURSE_CHECK(cudaCtxResetPersistingL2Cache());
      return;
    }
    flush_by_reading<<<device_.multiprocessors * 8, 256>>>(
        reinterpret_cast<const uint4*>(buffer_.data()), buffer_.bytes() / sizeof(uint4),
        reinterpret_cast<unsigned*>(buffer_.data()));
  }
  // As the launch before left it. The host needs some microseconds to enqueue an event and a launch; if the GPU had
  // nothing to do meanwhile, they would be measured.
  void keep_warm() {
    if (!device_.emulated) keep_busy<<<1, 1>>>(60'000);
  }

 private:
  const course::Device& device_;
  course::DeviceBuffer<unsigned char> buffer_;
};

}  // namespace timing_set

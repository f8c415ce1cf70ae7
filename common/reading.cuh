// SPDX-License-Identifier: MIT
// Reads memory and does nothing else: the fastest that a kernel could go (roof.cuh), and a way to fill the
// L2 cache with lines that need not be written back (flushing.cuh).
#pragma once

#include <cstddef>

#include "common/device.cuh"
#include "common/device_buffer.cuh"

namespace course {

class Reading {
 public:
  // The byte that all memory to be read must be filled with.
  static constexpr int kFill = 0x5e;

  explicit Reading(const Device& device);
  // Launches the kernel; `bytes` is a multiple of 16.
  void launch(const unsigned char* data, std::size_t bytes);
  // Throws CudaError unless every block of every launch so far has found nothing but kFill. A compiler
  // that left out the loads, or a launch that never ran, could not have counted them. Waits for them.
  void check() const;

 private:
  int blocks_, threads_;
  unsigned long long expected_ = 0;        // blocks
  DeviceBuffer<unsigned long long> seen_;  // blocks
};

// Keeps the GPU busy for some 40 us without touching memory: time for the host to enqueue what is timed.
void launch_pause();

}  // namespace course

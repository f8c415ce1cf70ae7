// SPDX-License-Identifier: MIT
// Puts the L2 cache into a known state before a launch is timed (flush.hpp says which there are).
#pragma once

#include <cstddef>

#include "common/device.cuh"
#include "common/device_buffer.cuh"
#include "common/flush.hpp"
#include "common/reading.cuh"

namespace course {

// On the emulator nothing is read: an interpreted kernel would take seconds over it. Its model is told
// instead that the cache holds nothing (cudaCtxResetPersistingL2Cache, which a GPU takes as "treat all
// lines alike"), and what a memset leaves there it sees for itself.
class L2Flush {
 public:
  L2Flush(const Device& device, Flush how);

  // Enqueued on the default stream, like the launches of the course: what follows begins when this
  // has ended.
  void operator()();
  // Throws CudaError unless every flush so far has read what it should. Waits for them.
  void check() const { reading_.check(); }
  Flush how() const { return how_; }
  std::size_t bytes() const { return buffer_.bytes(); }

 private:
  const Device& device_;
  Flush how_;
  DeviceBuffer<unsigned char> buffer_;
  Reading reading_;
};

}  // namespace course

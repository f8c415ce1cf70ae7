// SPDX-License-Identifier: MIT
// Streams whose work is being done. The runtime's lock is held while work is done, except around host
// functions: only there can another thread meet a stream that is not idle. It must then wait where a
// GPU would make it wait.
#pragma once

#include <memory>

#include "cudart/streams/stream.hpp"

namespace emu::cudart {

// While one lives, this thread does work of the stream.
class Running {
 public:
  explicit Running(std::shared_ptr<Stream> stream);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

// Whether work on the one comes before work that is submitted to the other afterwards: the same stream, or the default
// stream and one that orders itself with it.
bool comes_before(const Stream& first, const Stream& then);
// Whether another thread does work that comes before new work on this stream: work of the stream
// itself, or of one that orders itself with it (the default stream and blocking streams).
bool is_behind_others(const Stream& stream);
// Until it is not so any more. The runtime's lock is free meanwhile, so this comes before whatever a
// call finds out about the stream. A stream that captures does no work: nothing to wait for.
void wait_behind_others(const Stream& stream);
// Until no other thread does work of the device.
void wait_for_device(int device);

}  // namespace emu::cudart

// SPDX-License-Identifier: MIT
// Work of several devices that is under way at the same time.
//
// With one device work is done when it is submitted. With several a kernel may wait for one of another device that is
// launched after it, so that it must be possible to leave it and to come back: work that cannot go on waits in a list
// with all that is behind it. Without a schedule everything is done as far as it goes when it is submitted, and the
// rest when the host waits. Under a schedule (random:SEED, pct:SEED) the seed says whose turn it is: what comes first
// among streams that nothing orders differs from seed to seed.
#pragma once

#include <cstdint>
#include <memory>

#include "cudart/streams/operation.hpp"
#include "cudart/streams/stream.hpp"
#include "explore/weak_memory.hpp"

namespace emu::cudart {

// A kernel that has begun.
class UnderWay {
 public:
  virtual ~UnderWay() = default;
  virtual int device() const = 0;
  // Goes on for at most so many turns; true: it is over, in whichever way.
  virtual bool turn(std::uint64_t turns) = 0;
  virtual bool stuck() const = 0;          // only others can let it go on
  virtual std::uint64_t idle() const = 0;  // turns in a row that changed nothing
  virtual std::uint64_t changes() const = 0;
  virtual void others_changed() = 0;
  virtual void give_up() = 0;  // nobody will: it fails
};

// Does the work now, or as soon as all that comes before it on the stream is done.
cudaError_t submit_with_others(const std::shared_ptr<Stream>& stream, Operation operation);
// Does it, and returns when it is done.
cudaError_t wait_with_others(const std::shared_ptr<Stream>& stream, Operation operation);
// Lets a kernel of the device that no stream waits for (of a graph) run to its end, beside all that is under way.
cudaError_t run_beside_others(const Operation& operation, int device);
// Until all is done that new work on the stream would come behind; all of the device; the last record of the event.
void finish_before(const Stream& stream);
void finish_device(int device);
void finish_event(cudaEvent_t event);
// The same without waiting: some turns for all, and whether it is done then.
bool done_before(const Stream& stream);
bool done_event(cudaEvent_t event);
// The weak memory of all kernels (WARPLADDER_MEMORY=weak) until the host has waited and nothing is left to do.
std::shared_ptr<exec::WeakMemory> shared_weak_memory(std::uint64_t seed);
// For cudaDeviceReset: what the device was to do is forgotten.
void forget_work(int device);

}  // namespace emu::cudart

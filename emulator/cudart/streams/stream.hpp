// SPDX-License-Identifier: MIT
// Streams. One has no queue: work is done when it is submitted, and with several devices under_way.hpp keeps what is
// not. What it remembers is its place in a capture, and its time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cudart/calls/handles.hpp"

namespace emu::cudart {

struct Capture;

struct Stream {
  cudaStream_t handle = nullptr;
  int device = 0;
  unsigned int flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  bool legacy = false;  // the default stream, which orders itself with all blocking streams
  std::map<int, cudaLaunchAttributeValue> attributes;
  std::uint64_t time_ps = 0;  // its clock, where there are several devices (devices/clock.hpp)

  std::shared_ptr<Capture> capture;   // nullptr: not capturing
  std::vector<cudaGraphNode_t> tail;  // what the next captured node depends on
  std::vector<cudaGraphEdgeData> tail_edges;

  bool blocking() const { return !(flags & cudaStreamNonBlocking); }
  void set_tail(std::vector<cudaGraphNode_t> nodes);
  void add_to_tail(const std::vector<cudaGraphNode_t>& nodes);  // those that are not there yet
  void leave_capture();
};

using StreamTable = HandleTable<cudaStream_t, Stream>;

// A stream with its own id; the priority is brought into the range there is.
std::shared_ptr<Stream> make_stream(int device, unsigned int flags, int priority);
// Knows 0, cudaStreamLegacy and cudaStreamPerThread; nullptr for a destroyed or invented one.
std::shared_ptr<Stream> find_stream(cudaStream_t handle);
// For cudaDeviceReset.
void forget_streams(int device);

// While one lives, stream 0 means cudaStreamPerThread on this thread: the _ptsz and _ptds entry
// points.
class PerThreadDefault {
 public:
  PerThreadDefault();
  ~PerThreadDefault();
  PerThreadDefault(const PerThreadDefault&) = delete;
  PerThreadDefault& operator=(const PerThreadDefault&) = delete;

 private:
  bool before_;
};

}  // namespace emu::cudart

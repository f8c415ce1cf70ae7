// SPDX-License-Identifier: MIT
// Streams, events and captures. A stream has no queue (work is done when it is submitted); what it
// remembers is its place in a capture.
#pragma once

#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "cudart/calls/handles.hpp"
#include "cudart/calls/runtime.hpp"
#include "cudart/graphs/graph.hpp"

namespace emu::cudart {

struct Stream;

// One sequence between cudaStreamBeginCapture and cudaStreamEndCapture.
struct Capture {
  unsigned long long id = 0;
  std::shared_ptr<Graph> graph;
  bool own_graph = true;  // false: cudaStreamBeginCaptureToGraph
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool valid = true;
  Stream* origin = nullptr;
  std::vector<std::shared_ptr<Stream>> streams;  // the origin first, then in the order they joined
};

struct Stream {
  cudaStream_t handle = nullptr;
  int device = 0;
  unsigned int flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  bool legacy = false;  // the default stream, which orders itself with all blocking streams
  std::map<int, cudaLaunchAttributeValue> attributes;

  std::shared_ptr<Capture> capture;   // nullptr: not capturing
  std::vector<cudaGraphNode_t> tail;  // what the next captured node depends on
  std::vector<cudaGraphEdgeData> tail_edges;

  bool blocking() const { return !(flags & cudaStreamNonBlocking); }
};

struct Event {
  cudaEvent_t handle = nullptr;
  int device = 0;
  unsigned int flags = 0;
  bool recorded = false;
  std::uint64_t time_ps = 0;
  std::weak_ptr<Capture> capture;             // last recorded inside this capture ...
  std::vector<cudaGraphNode_t> capture_tail;  // ... behind these nodes
  bool captured = false;
};

using StreamTable = HandleTable<cudaStream_t, Stream>;
using EventTable = HandleTable<cudaEvent_t, Event>;

// Knows 0, cudaStreamLegacy and cudaStreamPerThread; nullptr for a destroyed or invented one.
std::shared_ptr<Stream> find_stream(cudaStream_t handle);
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

inline std::shared_ptr<Event> find_event(cudaEvent_t handle) {
  return EventTable::instance().find(handle);
}

// ---- capture.cpp
// Every capture in progress, oldest first.
std::vector<std::shared_ptr<Capture>>& captures();
// The capture can only be ended now, and gives no graph.
void spoil(Capture& capture);
// Adds a node behind what the stream has captured so far.
cudaError_t capture_operation(Stream& stream, Operation operation);
cudaError_t capture_child(Stream& stream, const Graph& graph);
// cudaErrorStreamCaptureImplicit (and the captures spoilt) if work on the legacy stream would wait
// for a capturing stream.
cudaError_t check_implicit(const Stream& stream);
// Work that is done before the call returns: what a capture allows of it, then operation.run().
cudaError_t submit_and_wait(cudaStream_t stream, const Operation& operation);
// For calls that may not meet a capture on this stream at all.
cudaError_t check_not_capturing(const Stream& stream);
// cudaStreamWaitEvent, when the stream or the event is part of a capture.
cudaError_t capture_wait(const std::shared_ptr<Stream>& stream, const Event& event);

}  // namespace emu::cudart

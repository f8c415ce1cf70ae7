// SPDX-License-Identifier: MIT
// Which streams there are: those a program made, the default stream of each device, and one for
// each thread.
#include "cudart/streams/stream.hpp"

#include <algorithm>
#include <utility>

#include "cudart/devices/state.hpp"
#include "cudart/streams/misuse.hpp"

namespace emu::cudart {

namespace {

thread_local bool per_thread_default = false;

constexpr int kLeastPriority = 0, kGreatestPriority = -5;

unsigned long long next_stream_id() {
  static unsigned long long next = 1;
  return next++;
}

using DeviceStreams = std::map<int, std::shared_ptr<Stream>>;

const std::shared_ptr<Stream>& default_stream(DeviceStreams& streams, cudaStream_t handle) {
  auto& stream = streams[current_device()];
  if (!stream) {
    stream = make_stream(current_device(), cudaStreamDefault, 0);
    stream->handle = handle;
    stream->legacy = handle == cudaStreamLegacy;
  }
  return stream;
}

// Gone with the thread; made anew for a global of the program whose destructor, at exit, runs after
// those of the main thread.
DeviceStreams& per_thread_streams() {
  static thread_local DeviceStreams* streams = nullptr;
  static thread_local struct AtEnd {
    ~AtEnd() {
      delete streams;
      streams = nullptr;
    }
  } at_end;
  (void)at_end;
  if (!streams) streams = new DeviceStreams;
  return *streams;
}

}  // namespace

void Stream::set_tail(std::vector<cudaGraphNode_t> nodes) {
  tail = std::move(nodes);
  tail_edges.assign(tail.size(), cudaGraphEdgeData{});
}

void Stream::add_to_tail(const std::vector<cudaGraphNode_t>& nodes) {
  for (auto node : nodes) {
    if (std::find(tail.begin(), tail.end(), node) != tail.end()) continue;
    tail.push_back(node);
    tail_edges.push_back(cudaGraphEdgeData{});
  }
}

void Stream::leave_capture() {
  capture.reset();
  set_tail({});
}

std::shared_ptr<Stream> make_stream(int device, unsigned int flags, int priority) {
  auto stream = std::make_shared<Stream>();
  stream->device = device;
  stream->flags = flags;
  stream->priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
  stream->id = next_stream_id();
  return stream;
}

std::shared_ptr<Stream> find_stream(cudaStream_t handle) {
  static auto* legacy = new DeviceStreams;
  if (handle == nullptr && per_thread_default) handle = cudaStreamPerThread;
  if (handle == nullptr || handle == cudaStreamLegacy)
    return default_stream(*legacy, cudaStreamLegacy);
  if (handle == cudaStreamPerThread)
    return default_stream(per_thread_streams(), cudaStreamPerThread);
  auto stream = StreamTable::instance().find(handle);
  if (!stream) note_unknown(handle);
  return stream;
}

void forget_streams(int device) {
  std::vector<cudaStream_t> mine;
  for (auto& [handle, stream] : StreamTable::instance().all())
    if (stream->device == device) mine.push_back(handle);
  for (auto handle : mine) StreamTable::instance().remove(handle);
}

PerThreadDefault::PerThreadDefault() : before_(per_thread_default) { per_thread_default = true; }
PerThreadDefault::~PerThreadDefault() { per_thread_default = before_; }

}  // namespace emu::cudart

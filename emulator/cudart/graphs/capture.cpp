// SPDX-License-Identifier: MIT
// Stream capture: work on a capturing stream becomes nodes of a graph. A capture spreads to another
// stream when that stream waits for an event recorded in it, and every such stream must be joined
// again before the capture ends.
#include <algorithm>

#include "cudart/calls/call.hpp"
#include "cudart/streams/stream.hpp"

namespace emu::cudart {

namespace {

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

void set_tail(Stream& stream, std::vector<cudaGraphNode_t> tail) {
  stream.tail = std::move(tail);
  stream.tail_edges.assign(stream.tail.size(), cudaGraphEdgeData{});
}

void add_to_tail(Stream& stream, const std::vector<cudaGraphNode_t>& nodes) {
  for (auto node : nodes)
    if (std::find(stream.tail.begin(), stream.tail.end(), node) == stream.tail.end()) {
      stream.tail.push_back(node);
      stream.tail_edges.push_back(cudaGraphEdgeData{});
    }
}

void leave(Stream& stream) {
  stream.capture.reset();
  set_tail(stream, {});
}

cudaError_t begin(cudaStream_t handle, std::shared_ptr<Graph> graph, bool own_graph,
                  std::vector<cudaGraphNode_t> tail, cudaStreamCaptureMode mode) {
  if (mode != cudaStreamCaptureModeGlobal && mode != cudaStreamCaptureModeThreadLocal &&
      mode != cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (stream->legacy) {
    say("cudaStreamBeginCapture: the legacy default stream cannot be captured; create a stream for "
        "it");
    return cudaErrorStreamCaptureUnsupported;
  }
  if (stream->capture) return cudaErrorIllegalState;
  static unsigned long long next_id = 1;
  auto capture = std::make_shared<Capture>();
  capture->id = next_id++;
  capture->graph = std::move(graph);
  capture->own_graph = own_graph;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = stream.get();
  capture->streams.push_back(stream);
  stream->capture = capture;
  set_tail(*stream, std::move(tail));
  captures().push_back(capture);
  return cudaSuccess;
}

// Whether every stream that joined hangs before the origin's last nodes.
bool all_joined(const Capture& capture) {
  std::set<const Node*> reached;
  std::vector<const Node*> todo;
  for (auto handle : capture.origin->tail)
    if (Node* node = capture.graph->find(handle)) todo.push_back(node);
  while (!todo.empty()) {
    const Node* node = todo.back();
    todo.pop_back();
    if (!reached.insert(node).second) continue;
    for (auto& edge : node->dependencies) todo.push_back(edge.from);
  }
  for (auto& stream : capture.streams)
    for (auto handle : stream->tail)
      if (!reached.count(capture.graph->find(handle))) return false;
  return true;
}

// Whatever it is, the capture ends with it.
cudaError_t outcome_of(const Capture& capture) {
  if (capture.mode != cudaStreamCaptureModeRelaxed && capture.thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  if (!capture.valid) return cudaErrorStreamCaptureInvalidated;
  return all_joined(capture) ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

cudaError_t end(cudaStream_t handle, cudaGraph_t* out) {
  if (!out) return cudaErrorInvalidValue;
  *out = nullptr;
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  auto capture = stream->capture;
  if (!capture) return cudaErrorIllegalState;
  if (capture->origin != stream.get()) {
    spoil(*capture);
    return cudaErrorStreamCaptureUnmatched;
  }
  cudaError_t outcome = outcome_of(*capture);
  for (auto& member : capture->streams) leave(*member);
  std::erase(captures(), capture);
  if (outcome != cudaSuccess) {
    if (outcome == cudaErrorStreamCaptureUnjoined)
      say("cudaStreamEndCapture: a stream joined the capture and was not joined back to the stream "
          "it began on");
    if (capture->own_graph) unlist(*capture->graph);
    return outcome;
  }
  *out = capture->graph->handle;
  return cudaSuccess;
}

cudaStreamCaptureStatus status_of(const Stream& stream) {
  if (!stream.capture) return cudaStreamCaptureStatusNone;
  return stream.capture->valid ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated;
}

cudaError_t add_captured(Stream& stream, cudaGraphNodeType type, Operation operation,
                         std::shared_ptr<Graph> child) {
  if (!stream.capture->valid) return cudaErrorStreamCaptureInvalidated;
  cudaGraphNode_t node = nullptr;
  if (cudaError_t e =
          add_node(*stream.capture->graph, stream.tail.data(), stream.tail_edges.data(),
                   stream.tail.size(), type, std::move(operation), std::move(child), &node))
    return e;
  set_tail(stream, {node});
  return cudaSuccess;
}

// A blocking stream is being captured, so the legacy stream would have to wait for it.
bool legacy_would_wait(const Stream& legacy, bool spoil_them) {
  bool met = false;
  for (auto& capture : captures())
    for (auto& stream : capture->streams)
      if (stream->device == legacy.device && stream->blocking()) {
        met = true;
        if (spoil_them) spoil(*capture);
      }
  return met;
}

}  // namespace

std::vector<std::shared_ptr<Capture>>& captures() {
  static auto* list = new std::vector<std::shared_ptr<Capture>>;
  return *list;
}

void spoil(Capture& capture) { capture.valid = false; }

cudaError_t capture_operation(Stream& stream, Operation operation) {
  cudaGraphNodeType type = node_type(operation.kind);
  return add_captured(stream, type, std::move(operation), nullptr);
}

cudaError_t capture_child(Stream& stream, const Graph& graph) {
  return add_captured(stream, cudaGraphNodeTypeGraph, {}, copy_graph(graph, true));
}

cudaError_t check_implicit(const Stream& stream) {
  return stream.legacy && legacy_would_wait(stream, true) ? cudaErrorStreamCaptureImplicit
                                                          : cudaSuccess;
}

cudaError_t check_not_capturing(const Stream& stream) {
  if (!stream.capture) return cudaSuccess;
  if (!stream.capture->valid) return cudaErrorStreamCaptureInvalidated;
  spoil(*stream.capture);
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t check_capture() {
  if (thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  auto here = std::this_thread::get_id();
  bool met = false;
  for (auto& capture : captures()) {
    bool own = capture->thread == here && capture->mode != cudaStreamCaptureModeRelaxed;
    bool global =
        capture->mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal;
    if (own || global) spoil(*capture), met = true;
  }
  return met ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t capture_wait(const std::shared_ptr<Stream>& stream, const Event& event) {
  auto theirs = event.captured ? event.capture.lock() : nullptr;
  bool active =
      theirs && std::find(captures().begin(), captures().end(), theirs) != captures().end();
  if (stream->capture && !stream->capture->valid) return cudaErrorStreamCaptureInvalidated;
  if (!active) {
    if (event.captured) return cudaErrorInvalidValue;
    if (!event.recorded) return cudaSuccess;
    spoil(*stream->capture);
    say("cudaStreamWaitEvent: the stream is being captured, but the event was recorded outside the "
        "capture");
    return cudaErrorStreamCaptureIsolation;
  }
  if (!theirs->valid) return cudaErrorStreamCaptureInvalidated;
  if (!stream->capture) {
    if (stream->legacy) {
      spoil(*theirs);
      return cudaErrorStreamCaptureImplicit;
    }
    stream->capture = theirs;
    theirs->streams.push_back(stream);
    set_tail(*stream, event.capture_tail);
    return cudaSuccess;
  }
  if (stream->capture != theirs) {
    spoil(*stream->capture);
    spoil(*theirs);
    return cudaErrorStreamCaptureMerge;
  }
  add_to_tail(*stream, event.capture_tail);
  return cudaSuccess;
}

}  // namespace emu::cudart

using namespace emu::cudart;

EMU_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call([&]() -> cudaError_t {
    auto graph = std::make_shared<Graph>();
    cudaError_t e = begin(stream, graph, true, {}, mode);
    if (e == cudaSuccess) GraphTable::instance().add(graph);
    return e;
  });
}

EMU_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies,
                                                  const cudaGraphEdgeData*, size_t count,
                                                  cudaStreamCaptureMode mode) {
  return call([&]() -> cudaError_t {
    auto target = GraphTable::instance().find(graph);
    if (!target || (count && !dependencies)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (!target->find(dependencies[i])) return cudaErrorInvalidValue;
    return begin(stream, target, false, {dependencies, dependencies + count}, mode);
  });
}

EMU_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call([&] { return end(stream, graph); });
}

EMU_API cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call([&]() -> cudaError_t {
    if (!mode) return cudaErrorInvalidValue;
    std::swap(*mode, thread_mode);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return call([&]() -> cudaError_t {
    auto stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!status) return cudaErrorInvalidValue;
    if (stream->legacy && legacy_would_wait(*stream, false)) return cudaErrorStreamCaptureImplicit;
    *status = status_of(*stream);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                             unsigned long long* id, cudaGraph_t* graph,
                                             const cudaGraphNode_t** dependencies,
                                             const cudaGraphEdgeData** edges, size_t* count) {
  return call([&]() -> cudaError_t {
    auto stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!status) return cudaErrorInvalidValue;
    if (stream->legacy && legacy_would_wait(*stream, false)) return cudaErrorStreamCaptureImplicit;
    *status = status_of(*stream);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id) *id = stream->capture->id;
    if (graph) *graph = stream->capture->graph->handle;
    if (dependencies) *dependencies = stream->tail.data();
    if (edges) *edges = stream->tail_edges.data();
    if (count) *count = stream->tail.size();
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle,
                                                        cudaGraphNode_t* dependencies,
                                                        const cudaGraphEdgeData*, size_t count,
                                                        unsigned int flags) {
  return call([&]() -> cudaError_t {
    auto stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!stream->capture || !stream->capture->valid) return cudaErrorIllegalState;
    if (flags > cudaStreamSetCaptureDependencies || (count && !dependencies))
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> nodes(dependencies, dependencies + count);
    for (auto node : nodes)
      if (!stream->capture->graph->find(node)) return cudaErrorInvalidValue;
    if (flags == cudaStreamSetCaptureDependencies) set_tail(*stream, {});
    add_to_tail(*stream, nodes);
    return cudaSuccess;
  });
}

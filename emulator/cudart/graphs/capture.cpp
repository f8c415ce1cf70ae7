// SPDX-License-Identifier: MIT
// Stream capture: beginning it, adding nodes, ending it with a graph. The rules for other calls are
// those of streams/capture.hpp.
#include "cudart/graphs/capture.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "cudart/calls/call.hpp"

namespace emu::cudart {

namespace {

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
  auto capture = std::make_shared<GraphCapture>();
  capture->id = next_id++;
  capture->graph = std::move(graph);
  capture->own_graph = own_graph;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = stream.get();
  capture->streams.push_back(stream);
  stream->capture = capture;
  stream->set_tail(std::move(tail));
  captures().push_back(capture);
  return cudaSuccess;
}

using Nodes = std::set<const Node*>;

// All nodes before these streams' last ones, and those themselves.
Nodes reached_from(const Graph& graph, const std::vector<const Stream*>& streams) {
  Nodes reached;
  std::vector<const Node*> todo;
  for (const Stream* stream : streams)
    for (auto handle : stream->tail)
      if (Node* node = graph.find(handle)) todo.push_back(node);
  while (!todo.empty()) {
    const Node* node = todo.back();
    todo.pop_back();
    if (!reached.insert(node).second) continue;
    for (auto& edge : node->dependencies) todo.push_back(edge.from);
  }
  return reached;
}

bool ends_in(const Stream& stream, const Graph& graph, const Nodes& reached) {
  return std::all_of(stream.tail.begin(), stream.tail.end(),
                     [&](auto handle) { return reached.contains(graph.find(handle)); });
}

// Whether every stream that joined hangs before the origin's last nodes.
bool all_joined(const GraphCapture& capture) {
  const Nodes reached = reached_from(*capture.graph, {capture.origin});
  return std::all_of(capture.streams.begin(), capture.streams.end(),
                     [&](const auto& stream) { return ends_in(*stream, *capture.graph, reached); });
}

// Whatever it is, the capture ends with it.
cudaError_t outcome_of(GraphCapture& capture) {
  if (capture.mode != cudaStreamCaptureModeRelaxed && capture.thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  if (!capture.valid) return invalidated(capture);
  return all_joined(capture) ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

cudaError_t end(cudaStream_t handle, cudaGraph_t* out) {
  if (!out) return cudaErrorInvalidValue;
  *out = nullptr;
  auto stream = find_stream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  auto held = stream->capture;
  if (!held) return cudaErrorIllegalState;
  GraphCapture* capture = &capture_of(*stream);
  if (capture->origin != stream.get()) {
    spoil(*capture);
    return cudaErrorStreamCaptureUnmatched;
  }
  cudaError_t outcome = outcome_of(*capture);
  for (auto& member : capture->streams) member->leave_capture();
  std::erase(captures(), held);
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
  GraphCapture& capture = capture_of(stream);
  if (!capture.valid) return invalidated(capture);
  cudaGraphNode_t node = nullptr;
  if (cudaError_t e =
          add_node(*capture.graph, stream.tail.data(), stream.tail_edges.data(), stream.tail.size(),
                   type, std::move(operation), std::move(child), &node))
    return e;
  stream.set_tail({node});
  return cudaSuccess;
}

}  // namespace

GraphCapture& capture_of(const Stream& stream) {
  return static_cast<GraphCapture&>(*stream.capture);
}

cudaError_t GraphCapture::add(Stream& stream, Operation operation) {
  cudaGraphNodeType type = node_type(operation.kind);
  return add_captured(stream, type, std::move(operation), nullptr);
}

bool GraphCapture::joined(const Stream& stream) const {
  std::vector<const Stream*> others;
  for (const auto& member : streams)
    if (member.get() != &stream) others.push_back(member.get());
  return ends_in(stream, *graph, reached_from(*graph, others));
}

cudaError_t GraphCapture::add_child(Stream& stream, const Graph& child) {
  return add_captured(stream, cudaGraphNodeTypeGraph, {}, copy_graph(child, true));
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
    *mode = exchange_capture_mode(*mode);
    return cudaSuccess;
  });
}

EMU_API cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return call([&]() -> cudaError_t {
    auto stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!status) return cudaErrorInvalidValue;
    if (stream->legacy && legacy_would_wait(*stream)) return cudaErrorStreamCaptureImplicit;
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
    if (stream->legacy && legacy_would_wait(*stream)) return cudaErrorStreamCaptureImplicit;
    *status = status_of(*stream);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id) *id = stream->capture->id;
    if (graph) *graph = capture_of(*stream).graph->handle;
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
      if (!capture_of(*stream).graph->find(node)) return cudaErrorInvalidValue;
    if (flags == cudaStreamSetCaptureDependencies) stream->set_tail({});
    stream->add_to_tail(nodes);
    return cudaSuccess;
  });
}

// SPDX-License-Identifier: MIT
// A capture as the graphs see it: work on a capturing stream becomes nodes of a graph.
#pragma once

#include <memory>

#include "cudart/graphs/graph.hpp"
#include "cudart/streams/capture.hpp"

namespace emu::cudart {

struct GraphCapture final : Capture {
  std::shared_ptr<Graph> graph;
  bool own_graph = true;  // false: cudaStreamBeginCaptureToGraph

  cudaError_t add(Stream& stream, Operation operation) override;
  bool joined(const Stream& stream) const override;
  // Adds a copy of the graph as one node.
  cudaError_t add_child(Stream& stream, const Graph& child);
};

// The capture a stream is in; every capture is one of these.
GraphCapture& capture_of(const Stream& stream);

}  // namespace emu::cudart

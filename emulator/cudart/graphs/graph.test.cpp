// SPDX-License-Identifier: MIT
// Graphs built by hand: structure, execution order, parameters, updates. What each call returns was
// compared with an H200.
#include "cudart/graphs/graph.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/captured.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;

namespace {

struct Step {
  std::vector<int>* order;
  int number;
};

void note_step(void* data) {
  auto* step = static_cast<Step*>(data);
  step->order->push_back(step->number);
}

struct GraphFixture {
  GraphFixture() {
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    REQUIRE(cudaMalloc(&memory, 256) == cudaSuccess);
  }
  ~GraphFixture() {
    cudaGraphDestroy(graph);
    cudaFree(memory);
    cudaGetLastError();
  }
  cudaGraphNode_t host_node(int number, std::vector<cudaGraphNode_t> after = {}) {
    steps.push_back(std::make_unique<Step>(Step{&order, number}));
    cudaHostNodeParams params{note_step, steps.back().get()};
    cudaGraphNode_t node = nullptr;
    REQUIRE(cudaGraphAddHostNode(&node, graph, after.data(), after.size(), &params) == cudaSuccess);
    return node;
  }
  cudaGraphExec_t instantiate() {
    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    return exec;
  }
  std::vector<int> run(cudaGraphExec_t exec) {
    order.clear();
    CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    return order;
  }
  unsigned word(std::size_t index) {
    unsigned value = 0;
    CHECK(cudaMemcpy(&value, static_cast<unsigned*>(memory) + index, 4, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
    return value;
  }
  cudaGraph_t graph = nullptr;
  void* memory = nullptr;
  std::vector<int> order;
  std::vector<std::unique_ptr<Step>> steps;
};

}  // namespace

TEST_CASE_METHOD(GraphFixture,
                 "nodes run after what they depend on, else in the order they were added") {
  auto one = host_node(1), two = host_node(2);
  auto three = host_node(3);
  host_node(4, {three, one});
  CHECK(cudaGraphAddDependencies(graph, &three, &two, nullptr, 1) == cudaSuccess);
  auto exec = instantiate();
  CHECK(run(exec) == std::vector<int>{1, 3, 2, 4});
  cudaGraphExecDestroy(exec);
}

TEST_CASE_METHOD(GraphFixture, "bad edges are refused, a cycle at instantiation") {
  auto a = host_node(1), b = host_node(2, {a});
  cudaGraphNode_t twice[] = {a, a}, out = nullptr;
  CHECK(cudaGraphAddEmptyNode(&out, graph, twice, 2) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddDependencies(graph, &a, &a, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddDependencies(graph, &b, &a, nullptr, 1) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  cudaGraphExecDestroy(exec);
}

TEST_CASE_METHOD(GraphFixture, "a graph lists its nodes, roots and edges") {
  auto a = host_node(1), b = host_node(2, {a}), c = host_node(3, {a});
  std::size_t count = 10;
  cudaGraphNode_t nodes[10], to[10];
  CHECK(cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess);
  CHECK(count == 3);
  CHECK(nodes[0] == a);
  CHECK(nodes[5] == nullptr);
  count = 1;
  CHECK(cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  count = 10;
  CHECK(cudaGraphGetEdges(graph, nodes, to, nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
  CHECK(to[1] == c);
  CHECK(cudaGraphNodeGetDependentNodes(a, nullptr, nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
  CHECK(cudaGraphNodeGetDependencies(b, nodes, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(nodes[0] == a);
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(a, &type) == cudaSuccess);
  CHECK(type == cudaGraphNodeTypeHost);
  CHECK(cudaGraphDestroyNode(a) == cudaSuccess);
  CHECK(cudaGraphNodeGetType(a, &type) == cudaErrorInvalidValue);
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &count) == cudaSuccess);
  CHECK(count == 2);
}

TEST_CASE_METHOD(
    GraphFixture,
    "memset and memcpy nodes do their work, and an executable graph can be given others") {
  cudaMemsetParams fill{memory, 0, 0x01020304, 4, 8, 1};
  cudaGraphNode_t set = nullptr, copy = nullptr;
  unsigned back[8] = {};
  REQUIRE(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &fill) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&copy, graph, &set, 1, back, memory, 32,
                                   cudaMemcpyDeviceToHost) == cudaSuccess);
  auto exec = instantiate();
  run(exec);
  CHECK(back[7] == 0x01020304);
  cudaMemsetParams other = fill;
  other.value = 9;
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, set, &other) == cudaSuccess);
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, copy, &other) == cudaErrorInvalidValue);
  run(exec);
  CHECK(back[0] == 9);
  cudaMemsetParams asked{};
  CHECK(cudaGraphMemsetNodeGetParams(set, &asked) == cudaSuccess);
  CHECK(asked.value == fill.value);  // the graph's own node is as it was
  CHECK(cudaGraphMemsetNodeSetParams(set, &other) == cudaSuccess);
  CHECK(cudaGraphMemsetNodeGetParams(set, &asked) == cudaSuccess);
  CHECK(asked.value == 9);
  CHECK(cudaGraphNodeSetEnabled(exec, set, 0) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 0, 32) == cudaSuccess);
  run(exec);
  CHECK(back[0] == 0);
  cudaGraphExecDestroy(exec);
}

TEST_CASE_METHOD(GraphFixture, "bad node parameters are refused") {
  cudaGraphNode_t node = nullptr;
  cudaMemsetParams odd{memory, 0, 0, 3, 8, 1}, past{memory, 0, 0, 4, 65, 1};
  char host[16] = {};
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &odd) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &past) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, memory, host, 257,
                                 cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, nullptr) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaGraphLaunch(nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(nullptr) == cudaErrorInvalidValue);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 64) == cudaErrorInvalidValue);
}

TEST_CASE_METHOD(GraphFixture, "a clone has its own nodes") {
  auto a = host_node(1);
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t twin = nullptr;
  REQUIRE(cudaGraphClone(&clone, graph) == cudaSuccess);
  CHECK(cudaGraphNodeFindInClone(&twin, a, clone) == cudaSuccess);
  CHECK(twin != a);
  host_node(2);
  std::size_t count = 0;
  CHECK(cudaGraphGetNodes(clone, nullptr, &count) == cudaSuccess);
  CHECK(count == 1);
  cudaGraphDestroy(clone);
}

TEST_CASE_METHOD(GraphFixture,
                 "an executable graph takes the operations of a graph with the same shape only") {
  auto a = host_node(1);
  host_node(2, {a});
  auto exec = instantiate();
  cudaGraph_t first = graph;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  auto b = host_node(7);
  auto last = host_node(8, {b});
  cudaGraphExecUpdateResultInfo info{};
  CHECK(cudaGraphExecUpdate(exec, graph, &info) == cudaSuccess);
  CHECK(info.result == cudaGraphExecUpdateSuccess);
  CHECK(run(exec) == std::vector<int>{7, 8});
  CHECK(cudaGraphRemoveDependencies(graph, &b, &last, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphExecUpdate(exec, graph, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(run(exec) == std::vector<int>{7, 8});
  cudaGraphDestroy(first);
  cudaGraphExecDestroy(exec);
}

TEST_CASE_METHOD(GraphFixture, "a child graph runs in its parent's place") {
  cudaGraph_t parent = nullptr;
  REQUIRE(cudaGraphCreate(&parent, 0) == cudaSuccess);
  auto inner = host_node(2);
  std::swap(graph, parent);
  auto before = host_node(1);
  cudaGraphNode_t child = nullptr;
  REQUIRE(cudaGraphAddChildGraphNode(&child, graph, &before, 1, parent) == cudaSuccess);
  host_node(3, {child});
  auto exec = instantiate();
  CHECK(run(exec) == std::vector<int>{1, 2, 3});
  // The child's nodes can be changed in the executable graph, by their names inside the embedded
  // copy.
  cudaGraph_t embedded = nullptr;
  CHECK(cudaGraphChildGraphNodeGetGraph(child, &embedded) == cudaSuccess);
  cudaGraphNode_t copy = nullptr;
  REQUIRE(cudaGraphNodeFindInClone(&copy, inner, embedded) == cudaSuccess);
  Step other{&order, 9};
  cudaHostNodeParams params{note_step, &other};
  CHECK(cudaGraphExecHostNodeSetParams(exec, copy, &params) == cudaSuccess);
  CHECK(run(exec) == std::vector<int>{1, 9, 3});
  cudaGraphDestroy(parent);
  cudaGraphExecDestroy(exec);
}

TEST_CASE_METHOD(GraphFixture, "an event record node records at launch") {
  cudaEvent_t start = nullptr, stop = nullptr;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&stop) == cudaSuccess);
  cudaGraphNode_t a = nullptr, b = nullptr;
  REQUIRE(cudaGraphAddEventRecordNode(&a, graph, nullptr, 0, start) == cudaSuccess);
  REQUIRE(cudaGraphAddEventRecordNode(&b, graph, &a, 1, stop) == cudaSuccess);
  auto exec = instantiate();
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaErrorInvalidResourceHandle);
  run(exec);
  CHECK(cudaEventElapsedTime(&ms, start, stop) == cudaSuccess);
  CHECK(ms > 0);
  cudaGraphExecDestroy(exec);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}

TEST_CASE_METHOD(GraphFixture, "a launch of a graph inside a capture becomes a child graph") {
  host_node(1);
  auto exec = instantiate();
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
  cudaGraph_t outer = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &outer) == cudaSuccess);
  CHECK(order.empty());
  cudaGraphExec_t outer_exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&outer_exec, outer, 0) == cudaSuccess);
  CHECK(run(outer_exec) == std::vector<int>{1});
  cudaGraphExecDestroy(outer_exec);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(outer);
  cudaStreamDestroy(stream);
}

TEST_CASE_METHOD(GraphFixture, "a graph destroys the user objects it owns") {
  static int destroyed;
  destroyed = 0;
  cudaUserObject_t object = nullptr;
  auto destroy = [](void*) { ++destroyed; };
  REQUIRE(cudaUserObjectCreate(&object, nullptr, destroy, 1, cudaUserObjectNoDestructorSync) ==
          cudaSuccess);
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) == cudaSuccess);
  auto exec = instantiate();
  cudaGraphDestroy(graph);
  CHECK(destroyed == 0);
  cudaGraphExecDestroy(exec);
  CHECK(destroyed == 1);
}

TEST_CASE_METHOD(GraphFixture, "cudaGraphDebugDotPrint writes nodes and edges") {
  auto a = host_node(1);
  host_node(2, {a});
  std::string path = "/tmp/warp_ladder_graph_" + std::to_string(getpid()) + ".dot";
  REQUIRE(cudaGraphDebugDotPrint(graph, path.c_str(), 0) == cudaSuccess);
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  CHECK(text.str().find("node_0 -> node_1") != std::string::npos);
  CHECK(text.str().find("HOST") != std::string::npos);
  unlink(path.c_str());
}

TEST_CASE("a graph allocates again after its memory was freed outside") {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  void *memory = nullptr, *other = nullptr;
  REQUIRE(cudaMallocAsync(&memory, 4096, stream) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(memory, 7, 4096, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  for (int round = 0; round < 3; ++round) {
    CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
    unsigned char last = 0;
    CHECK(cudaMemcpy(&last, static_cast<char*>(memory) + 4095, 1, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
    CHECK(last == 7);
    CHECK((round % 2 ? cudaFree(memory) : cudaFreeAsync(memory, stream)) == cudaSuccess);
    CHECK(cudaMemset(memory, 0, 1) == cudaErrorInvalidValue);
    REQUIRE(cudaMalloc(&other, 4096) == cudaSuccess);
    CHECK(other != memory);  // the graph's address stays its own
    CHECK(cudaFree(other) == cudaSuccess);
  }
  std::uint64_t used = 1;
  cudaMemPool_t pool = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(used == 0);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

TEST_CASE("a node of a kind that is not supported is named") {
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  cudaGraphNode_t node = nullptr;
  const std::string said = support::captured(stderr, [&] {
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params) == cudaErrorNotSupported);
  });
  CHECK(said == "warp-ladder emulator: cudaGraphAddNode: conditional nodes are not supported\n");
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("what a graph's own node has freed is gone until it runs again") {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  void* memory = nullptr;
  REQUIRE(cudaMallocAsync(&memory, 64, stream) == cudaSuccess);
  REQUIRE(cudaMemsetAsync(memory, 7, 64, stream) == cudaSuccess);
  REQUIRE(cudaFreeAsync(memory, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  for (int round = 0; round < 2; ++round) {
    CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
    CHECK(cudaMemset(memory, 0, 1) == cudaErrorInvalidValue);
  }
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

TEST_CASE("cached graph memory of a device that exists can be given back") {
  CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  CHECK(cudaDeviceGraphMemTrim(99) == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}

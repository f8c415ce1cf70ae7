// SPDX-License-Identifier: MIT
// Stream capture: what becomes a node, how it spreads, what spoils it. What each call returns was
// compared with an H200.
#include <string>
#include <thread>
#include <vector>

#include "cudart/streams/stream.hpp"
#include "support/captured.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;

namespace {

void count(void* n) { ++*static_cast<int*>(n); }

struct CaptureFixture {
  CaptureFixture() {
    REQUIRE(cudaStreamCreate(&a) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&b) == cudaSuccess);
    REQUIRE(cudaEventCreate(&fork) == cudaSuccess);
    REQUIRE(cudaEventCreate(&join) == cudaSuccess);
    REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
  }
  ~CaptureFixture() {
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaFree(memory);
    cudaGetLastError();
  }
  void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
    REQUIRE(cudaStreamBeginCapture(a, mode) == cudaSuccess);
  }
  // Ends the capture on `a` and destroys the graph, if any.
  cudaError_t end() {
    cudaGraph_t graph = nullptr;
    cudaError_t e = cudaStreamEndCapture(a, &graph);
    CHECK((graph != nullptr) == (e == cudaSuccess));
    if (graph) cudaGraphDestroy(graph);
    return e;
  }
  cudaStreamCaptureStatus status(cudaStream_t stream) {
    auto s = cudaStreamCaptureStatusNone;
    CHECK(cudaStreamIsCapturing(stream, &s) == cudaSuccess);
    return s;
  }
  cudaStream_t a = nullptr, b = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  void* memory = nullptr;
  int n = 0;
};

}  // namespace

TEST_CASE_METHOD(CaptureFixture, "captured work is not done until the graph is launched") {
  begin();
  CHECK(status(a) == cudaStreamCaptureStatusActive);
  CHECK(cudaLaunchHostFunc(a, count, &n) == cudaSuccess);
  CHECK(cudaLaunchHostFunc(a, count, &n) == cudaSuccess);
  CHECK(n == 0);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(a, &graph) == cudaSuccess);
  CHECK(status(a) == cudaStreamCaptureStatusNone);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, a) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, a) == cudaSuccess);
  CHECK(n == 4);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
}

TEST_CASE_METHOD(CaptureFixture, "a captured copy reads the host's memory at each launch") {
  int value = 1, back = 0;
  begin();
  CHECK(cudaMemcpyAsync(memory, &value, 4, cudaMemcpyHostToDevice, a) == cudaSuccess);
  CHECK(cudaMemcpyAsync(&back, memory, 4, cudaMemcpyDeviceToHost, a) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(a, &graph) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  value = 17;
  CHECK(cudaGraphLaunch(exec, a) == cudaSuccess);
  CHECK(back == 17);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

TEST_CASE_METHOD(CaptureFixture, "a capture spreads through an event and must be joined") {
  begin();
  CHECK(cudaLaunchHostFunc(a, count, &n) == cudaSuccess);
  CHECK(cudaEventRecord(fork, a) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(b, fork, 0) == cudaSuccess);
  CHECK(status(b) == cudaStreamCaptureStatusActive);
  CHECK(cudaLaunchHostFunc(b, count, &n) == cudaSuccess);
  CHECK(cudaLaunchHostFunc(a, count, &n) == cudaSuccess);
  SECTION("joined") {
    CHECK(cudaEventRecord(join, b) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(a, join, 0) == cudaSuccess);
    CHECK(cudaLaunchHostFunc(a, count, &n) == cudaSuccess);
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamEndCapture(a, &graph) == cudaSuccess);
    std::size_t edges = 0, nodes = 0;
    CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges) == cudaSuccess);
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess);
    CHECK(nodes == 4);
    CHECK(edges == 4);
    cudaGraphDestroy(graph);
  }
  SECTION("not joined") { CHECK(end() == cudaErrorStreamCaptureUnjoined); }
  SECTION("ended on the wrong stream") {
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamEndCapture(b, &graph) == cudaErrorStreamCaptureUnmatched);
    CHECK(end() == cudaErrorStreamCaptureInvalidated);
  }
  CHECK(status(b) == cudaStreamCaptureStatusNone);
}

TEST_CASE_METHOD(CaptureFixture, "a fork without work needs no join") {
  begin();
  CHECK(cudaEventRecord(fork, a) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(b, fork, 0) == cudaSuccess);
  CHECK(end() == cudaSuccess);
}

TEST_CASE_METHOD(CaptureFixture, "calls that wait or allocate spoil a capture") {
  begin();
  void* p = nullptr;
  SECTION("cudaMalloc") { CHECK(cudaMalloc(&p, 64) == cudaErrorStreamCaptureUnsupported); }
  SECTION("cudaFree") { CHECK(cudaFree(nullptr) == cudaErrorStreamCaptureUnsupported); }
  SECTION("its stream") { CHECK(cudaStreamSynchronize(a) == cudaErrorStreamCaptureUnsupported); }
  SECTION("another stream") {
    CHECK(cudaStreamSynchronize(b) == cudaErrorStreamCaptureUnsupported);
  }
  SECTION("the legacy stream") {
    CHECK(cudaStreamSynchronize(nullptr) == cudaErrorStreamCaptureImplicit);
  }
  SECTION("a query") { CHECK(cudaStreamQuery(a) == cudaErrorStreamCaptureUnsupported); }
  SECTION("the device") { CHECK(cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported); }
  SECTION("an event") { CHECK(cudaEventSynchronize(join) == cudaErrorStreamCaptureUnsupported); }
  SECTION("a copy on the legacy stream") {
    CHECK(cudaMemcpy(memory, &n, 4, cudaMemcpyHostToDevice) == cudaErrorStreamCaptureImplicit);
  }
  SECTION("a fill on the legacy stream") {
    CHECK(cudaMemset(memory, 0, 4) == cudaErrorStreamCaptureImplicit);
  }
  SECTION("a callback") {
    auto callback = [](cudaStream_t, cudaError_t, void*) {};
    CHECK(cudaStreamAddCallback(a, callback, nullptr, 0) == cudaErrorStreamCaptureUnsupported);
  }
  SECTION("an event from outside") {
    CHECK(cudaEventRecord(join, b) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(a, join, 0) == cudaErrorStreamCaptureIsolation);
  }
  SECTION("the legacy stream waiting") {
    CHECK(cudaEventRecord(fork, a) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(nullptr, fork, 0) == cudaErrorStreamCaptureImplicit);
  }
  CHECK(status(a) == cudaStreamCaptureStatusInvalidated);
  CHECK(cudaLaunchHostFunc(a, count, &n) == cudaErrorStreamCaptureInvalidated);
  CHECK(end() == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE_METHOD(CaptureFixture, "other calls do not disturb a capture") {
  begin();
  CHECK(cudaMemcpyAsync(memory, &n, 4, cudaMemcpyHostToDevice, b) == cudaSuccess);
  CHECK(cudaMemcpyAsync(memory, &n, 65, cudaMemcpyHostToDevice, a) == cudaErrorInvalidValue);
  CHECK(cudaStreamWaitEvent(a, join, 0) == cudaSuccess);  // never recorded
  CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal) == cudaErrorIllegalState);
  cudaStreamCaptureStatus s;
  CHECK(cudaStreamIsCapturing(nullptr, &s) == cudaErrorStreamCaptureImplicit);
  CHECK(end() == cudaSuccess);
}

TEST_CASE_METHOD(CaptureFixture,
                 "a capture on a non-blocking stream leaves the legacy stream alone") {
  cudaStream_t free_stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(free_stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMemcpy(memory, &n, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(free_stream, &graph) == cudaSuccess);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(free_stream);
}

TEST_CASE_METHOD(CaptureFixture, "the mode says whose calls are forbidden") {
  void* p = nullptr;
  auto elsewhere = [&] {
    cudaError_t e = cudaErrorUnknown;
    std::thread([&] { e = cudaMalloc(&p, 64); }).join();
    if (e == cudaSuccess) REQUIRE(p != nullptr);
    return e;
  };
  SECTION("relaxed") {
    begin(cudaStreamCaptureModeRelaxed);
    CHECK(cudaMalloc(&p, 64) == cudaSuccess);
    CHECK(end() == cudaSuccess);
  }
  SECTION("thread-local") {
    begin(cudaStreamCaptureModeThreadLocal);
    CHECK(elsewhere() == cudaSuccess);
    CHECK(end() == cudaSuccess);
  }
  SECTION("global") {
    begin(cudaStreamCaptureModeGlobal);
    CHECK(elsewhere() == cudaErrorStreamCaptureUnsupported);
    CHECK(end() == cudaErrorStreamCaptureInvalidated);
  }
  SECTION("this thread's own mode") {
    begin(cudaStreamCaptureModeGlobal);
    auto mode = cudaStreamCaptureModeRelaxed;
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
    CHECK(mode == cudaStreamCaptureModeGlobal);
    CHECK(cudaMalloc(&p, 64) == cudaSuccess);
    CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
    CHECK(end() == cudaSuccess);
  }
  cudaFree(p);
}

TEST_CASE_METHOD(CaptureFixture, "ending a capture from another thread ends it without a graph") {
  begin();
  cudaError_t e = cudaSuccess;
  cudaGraph_t graph = nullptr;
  std::thread([&] { e = cudaStreamEndCapture(a, &graph); }).join();
  CHECK(e == cudaErrorStreamCaptureWrongThread);
  CHECK(graph == nullptr);
  CHECK(end() == cudaErrorIllegalState);
}

TEST_CASE_METHOD(CaptureFixture, "two captures cannot be merged") {
  begin();
  CHECK(cudaEventRecord(fork, a) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(b, fork, 0) == cudaErrorStreamCaptureMerge);
  CHECK(end() == cudaErrorStreamCaptureInvalidated);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(b, &graph) == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE_METHOD(CaptureFixture, "an event recorded in a capture has no state of its own") {
  begin();
  CHECK(cudaEventRecord(fork, a) == cudaSuccess);
  CHECK(cudaEventQuery(fork) == cudaErrorCapturedEvent);
  CHECK(end() == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaEventQuery(fork) == cudaErrorInvalidValue);
  CHECK(cudaStreamWaitEvent(b, fork, 0) == cudaErrorInvalidValue);
  CHECK(cudaEventRecord(fork, b) == cudaSuccess);
  CHECK(cudaEventQuery(fork) == cudaSuccess);
}

TEST_CASE_METHOD(CaptureFixture,
                 "the legacy stream cannot be captured, the per-thread stream can") {
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
        cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph) == cudaSuccess);
  cudaGraphDestroy(graph);
  CHECK(end() == cudaErrorIllegalState);
}

TEST_CASE_METHOD(
    CaptureFixture,
    "cudaStreamGetCaptureInfo names the graph and the last nodes, which can be changed") {
  begin();
  CHECK(cudaLaunchHostFunc(a, count, &n) == cudaSuccess);
  cudaStreamCaptureStatus s;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr, done = nullptr;
  const cudaGraphNode_t* tail = nullptr;
  std::size_t length = 0;
  REQUIRE(cudaStreamGetCaptureInfo(a, &s, &id, &graph, &tail, nullptr, &length) == cudaSuccess);
  CHECK(s == cudaStreamCaptureStatusActive);
  CHECK(id != 0);
  REQUIRE(length == 1);
  cudaGraphNode_t extra = nullptr;
  REQUIRE(cudaGraphAddEmptyNode(&extra, graph, tail, length) == cudaSuccess);
  CHECK(cudaStreamUpdateCaptureDependencies(a, &extra, nullptr, 1,
                                            cudaStreamSetCaptureDependencies) == cudaSuccess);
  CHECK(cudaLaunchHostFunc(a, count, &n) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(a, &done) == cudaSuccess);
  CHECK(done == graph);
  std::size_t edges = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges) == cudaSuccess);
  CHECK(edges == 2);
  cudaGraphDestroy(graph);
}

TEST_CASE_METHOD(CaptureFixture, "memory allocated in a capture lives as long as its graphs") {
  begin();
  void* p = nullptr;
  int value = 5, back = 0;
  CHECK(cudaMallocAsync(&p, 64, a) == cudaSuccess);
  CHECK(cudaMemcpyAsync(p, &value, 4, cudaMemcpyHostToDevice, a) == cudaSuccess);
  CHECK(cudaMemcpyAsync(&back, p, 4, cudaMemcpyDeviceToHost, a) == cudaSuccess);
  CHECK(cudaFreeAsync(p, a) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(a, &graph) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  cudaGraphDestroy(graph);
  CHECK(cudaGraphLaunch(exec, a) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, a) == cudaSuccess);
  CHECK(back == 5);
  cudaGraphExecDestroy(exec);
  cudaPointerAttributes attributes{};
  CHECK(cudaPointerGetAttributes(&attributes, p) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
}

TEST_CASE_METHOD(CaptureFixture, "a stream that was joined again may be destroyed") {
  begin();
  CHECK(cudaEventRecord(fork, a) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(b, fork, 0) == cudaSuccess);
  CHECK(cudaLaunchHostFunc(b, count, &n) == cudaSuccess);
  CHECK(cudaEventRecord(join, b) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(a, join, 0) == cudaSuccess);
  CHECK(cudaStreamDestroy(b) == cudaSuccess);
  CHECK(status(a) == cudaStreamCaptureStatusActive);
  CHECK(cudaLaunchHostFunc(a, count, &n) == cudaSuccess);
  CHECK(end() == cudaSuccess);
}

TEST_CASE_METHOD(CaptureFixture,
                 "one that was not joined spoils the capture when it is destroyed") {
  begin();
  CHECK(cudaEventRecord(fork, a) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(b, fork, 0) == cudaSuccess);
  CHECK(cudaLaunchHostFunc(b, count, &n) == cudaSuccess);
  CHECK(cudaStreamDestroy(b) == cudaSuccess);
  CHECK(end() == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE_METHOD(CaptureFixture, "the call that spoiled a capture is named, once") {
  begin();
  void* more = nullptr;
  CHECK(cudaMalloc(&more, 16) == cudaErrorStreamCaptureUnsupported);
  const std::string said = support::captured(stderr, [&] {
    CHECK(cudaLaunchHostFunc(a, count, &n) == cudaErrorStreamCaptureInvalidated);
    CHECK(end() == cudaErrorStreamCaptureInvalidated);
  });
  CHECK(
      said ==
      "warp-ladder emulator: cudaLaunchHostFunc: the capture was spoilt earlier, by cudaMalloc; it "
      "can only be ended, and gives no graph\n");
}

TEST_CASE_METHOD(CaptureFixture, "a call through a common path is named as well") {
  begin();
  CHECK(cudaStreamSynchronize(a) == cudaErrorStreamCaptureUnsupported);
  const std::string said =
      support::captured(stderr, [&] { CHECK(end() == cudaErrorStreamCaptureInvalidated); });
  CHECK(said.find("cudaStreamEndCapture: ") != std::string::npos);
  CHECK(said.find("by cudaStreamSynchronize;") != std::string::npos);
}

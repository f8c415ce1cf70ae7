// SPDX-License-Identifier: MIT
// Streams: handles, order, host functions. What each call returns was compared with an H200.
#include "cudart/streams/stream.hpp"

#include <future>
#include <thread>
#include <vector>

#include "cudart/calls/errors.hpp"
#include "cudart/streams/submit.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;

extern "C" cudaError_t cudaStreamGetId_ptsz(cudaStream_t, unsigned long long*);

namespace {

void append_three(void* list) { static_cast<std::vector<int>*>(list)->push_back(3); }

}  // namespace

TEST_CASE("a destroyed or invented stream is refused") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamQuery(reinterpret_cast<cudaStream_t>(0xdead)) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("a stream knows its flags, priority and device") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100) == cudaSuccess);
  int priority = 1, device = -1;
  unsigned flags = 0;
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(cudaStreamGetDevice(stream, &device) == cudaSuccess);
  CHECK(priority == -5);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(device == 0);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamCreateWithFlags(&stream, 2) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("the default streams have ids: one legacy stream, one per thread") {
  unsigned long long null_id = 0, legacy = 0, mine = 0, theirs = 0, null_per_thread = 0;
  CHECK(cudaStreamGetId(nullptr, &null_id) == cudaSuccess);
  CHECK(cudaStreamGetId(cudaStreamLegacy, &legacy) == cudaSuccess);
  CHECK(cudaStreamGetId(cudaStreamPerThread, &mine) == cudaSuccess);
  CHECK(cudaStreamGetId_ptsz(nullptr, &null_per_thread) == cudaSuccess);
  std::thread([&] { cudaStreamGetId(cudaStreamPerThread, &theirs); }).join();
  CHECK(null_id == legacy);
  CHECK(mine != legacy);
  CHECK(mine != theirs);
  CHECK(null_per_thread == mine);
}

TEST_CASE("work on a stream is done in the order it was submitted") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  std::vector<int> order;
  for (int i = 1; i <= 2; ++i) {
    Operation operation;
    operation.run = [&order, i] {
      order.push_back(i);
      return cudaSuccess;
    };
    CHECK(submit(stream, operation) == cudaSuccess);
  }
  CHECK(cudaLaunchHostFunc(stream, append_three, &order) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(order == std::vector<int>{1, 2, 3});
  CHECK(cudaLaunchHostFunc(stream, nullptr, nullptr) == cudaErrorInvalidValue);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

TEST_CASE("a host function may wait for a thread that uses the runtime") {
  auto wait = [](void*) {
    void* p = nullptr;
    std::thread([&] { cudaMalloc(&p, 64), cudaFree(p); }).join();
  };
  CHECK(cudaLaunchHostFunc(nullptr, wait, nullptr) == cudaSuccess);
}

TEST_CASE("a callback is told the stream's state") {
  static cudaError_t seen;
  seen = cudaErrorUnknown;
  auto callback = [](cudaStream_t, cudaError_t status, void*) { seen = status; };
  CHECK(cudaStreamAddCallback(nullptr, callback, nullptr, 0) == cudaSuccess);
  CHECK(seen == cudaSuccess);
  reset_errors();
  raise_sticky(cudaErrorAssert);
  CHECK(cudaStreamAddCallback(nullptr, callback, nullptr, 0) == cudaSuccess);
  CHECK(seen == cudaErrorAssert);
  reset_errors();
}

TEST_CASE("stream attributes are kept and copied") {
  cudaStream_t a = nullptr, b = nullptr;
  REQUIRE(cudaStreamCreate(&a) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&b) == cudaSuccess);
  cudaLaunchAttributeValue value{};
  value.syncPolicy = cudaSyncPolicySpin;
  CHECK(cudaStreamSetAttribute(a, cudaLaunchAttributeSynchronizationPolicy, &value) == cudaSuccess);
  CHECK(cudaStreamCopyAttributes(b, a) == cudaSuccess);
  cudaLaunchAttributeValue back{};
  CHECK(cudaStreamGetAttribute(b, cudaLaunchAttributeSynchronizationPolicy, &back) == cudaSuccess);
  CHECK(back.syncPolicy == cudaSyncPolicySpin);
  CHECK(cudaStreamGetAttribute(b, cudaLaunchAttributeCooperative, &back) == cudaErrorInvalidValue);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaGetLastError();
}

// SPDX-License-Identifier: MIT
// A host function runs without the runtime's lock; still nothing behind it may come before its end.
#include "cudart/streams/host_functions.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "support/catch.hpp"

using namespace emu::cudart;

namespace {

// A host function on a stream, run by another thread. It has begun when the constructor returns, and
// ends some time after `others` has, or after a while if that waits for it.
class SlowFunction {
 public:
  explicit SlowFunction(cudaStream_t stream)
      : thread_([this, stream] { cudaLaunchHostFunc(stream, &SlowFunction::body, this); }) {
    while (!began_) std::this_thread::yield();
  }
  ~SlowFunction() { thread_.join(); }
  // What `others` returned, and whether the function had ended by then.
  std::pair<cudaError_t, bool> against(const std::function<cudaError_t()>& others) {
    const cudaError_t error = others();
    const bool ended = ended_;
    leave_ = true;
    return {error, ended};
  }

 private:
  static void body(void* self) {
    auto& me = *static_cast<SlowFunction*>(self);
    me.began_ = true;
    for (int i = 0; i < 100 && !me.leave_; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    me.ended_ = true;
  }
  std::atomic<bool> began_ = false, leave_ = false, ended_ = false;
  std::thread thread_;
};

struct Streams {
  Streams() {
    REQUIRE(cudaStreamCreate(&blocking) == cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
  }
  ~Streams() {
    cudaStreamDestroy(blocking);
    cudaStreamDestroy(other);
    cudaGetLastError();
  }
  cudaStream_t blocking = nullptr, other = nullptr;
};

using Result = std::pair<cudaError_t, bool>;

}  // namespace

TEST_CASE_METHOD(Streams, "whoever waits for a stream waits for its host function") {
  CHECK(SlowFunction(blocking).against([&] { return cudaStreamSynchronize(blocking); }) ==
        Result(cudaSuccess, true));
  CHECK(SlowFunction(blocking).against([] { return cudaDeviceSynchronize(); }) ==
        Result(cudaSuccess, true));
  CHECK(SlowFunction(blocking).against([] { return cudaStreamSynchronize(nullptr); }) ==
        Result(cudaSuccess, true));
}

TEST_CASE_METHOD(Streams, "a stream with a host function in it is not ready") {
  CHECK(SlowFunction(blocking).against([&] { return cudaStreamQuery(blocking); }) ==
        Result(cudaErrorNotReady, false));
  CHECK(cudaStreamQuery(blocking) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorNotReady);
}

TEST_CASE_METHOD(Streams,
                 "work behind a host function waits, on its stream and where streams meet") {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
  CHECK(SlowFunction(blocking).against([&] { return cudaMemsetAsync(memory, 0, 64, blocking); }) ==
        Result(cudaSuccess, true));
  CHECK(SlowFunction(blocking).against([&] { return cudaMemset(memory, 0, 64); }) ==
        Result(cudaSuccess, true));
  CHECK(SlowFunction(nullptr).against([&] { return cudaMemsetAsync(memory, 0, 64, blocking); }) ==
        Result(cudaSuccess, true));
  cudaFree(memory);
}

TEST_CASE_METHOD(Streams, "other streams do not wait for a host function") {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
  CHECK(SlowFunction(blocking).against([&] { return cudaMemsetAsync(memory, 0, 64, other); }) ==
        Result(cudaSuccess, false));
  CHECK(SlowFunction(blocking).against([&] { return cudaStreamSynchronize(other); }) ==
        Result(cudaSuccess, false));
  CHECK(SlowFunction(other).against([&] { return cudaMemset(memory, 0, 64); }) ==
        Result(cudaSuccess, false));
  cudaFree(memory);
}

TEST_CASE_METHOD(Streams, "a callback is waited for like a host function") {
  std::atomic<bool> began = false, ended = false;
  struct Flags {
    std::atomic<bool>&began, &ended;
  } flags{began, ended};
  auto body = [](cudaStream_t, cudaError_t, void* data) {
    auto& f = *static_cast<Flags*>(data);
    f.began = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    f.ended = true;
  };
  std::thread thread([&] { cudaStreamAddCallback(blocking, body, &flags, 0); });
  while (!began) std::this_thread::yield();
  CHECK(cudaStreamSynchronize(blocking) == cudaSuccess);
  CHECK(ended);
  thread.join();
}

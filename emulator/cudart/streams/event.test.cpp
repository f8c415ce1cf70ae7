// SPDX-License-Identifier: MIT
// Events and the virtual clock.
#include "cudart/devices/clock.hpp"
#include "cudart/environment/observers.hpp"
#include "cudart/environment/startup.hpp"
#include "devices/timing.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;

namespace {

struct Timer {
  Timer() {
    REQUIRE(cudaEventCreate(&start) == cudaSuccess);
    REQUIRE(cudaEventCreate(&stop) == cudaSuccess);
  }
  ~Timer() {
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
  }
  float elapsed_ms() const {
    float ms = -1;
    REQUIRE(cudaEventElapsedTime(&ms, start, stop) == cudaSuccess);
    return ms;
  }
  cudaEvent_t start = nullptr, stop = nullptr;
};

float time_of_fill(void* memory, std::size_t bytes) {
  Timer timer;
  REQUIRE(cudaEventRecord(timer.start, nullptr) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 0, bytes) == cudaSuccess);
  REQUIRE(cudaEventRecord(timer.stop, nullptr) == cudaSuccess);
  return timer.elapsed_ms();
}

}  // namespace

TEST_CASE("a destroyed or invented event is refused") {
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(event, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamWaitEvent(nullptr, event, 0) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventCreateWithFlags(&event, 16) == cudaErrorInvalidValue);
  CHECK(cudaEventCreateWithFlags(&event, cudaEventInterprocess) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("an event that was never recorded is done, but has no time") {
  Timer timer;
  float ms = 0;
  CHECK(cudaEventQuery(timer.start) == cudaSuccess);
  CHECK(cudaEventSynchronize(timer.start) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(nullptr, timer.start, 0) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, timer.start, timer.stop) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("an event without timing has no time") {
  Timer timer;
  cudaEvent_t plain = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming) == cudaSuccess);
  REQUIRE(cudaEventRecord(timer.start, nullptr) == cudaSuccess);
  REQUIRE(cudaEventRecord(plain, nullptr) == cudaSuccess);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, timer.start, plain) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(nullptr, timer.start, timer.start) == cudaErrorInvalidValue);
  cudaEventDestroy(plain);
  cudaGetLastError();
}

TEST_CASE("elapsed time grows with the work and is the same each time") {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 1 << 20) == cudaSuccess);
  float small = time_of_fill(memory, 1 << 10), large = time_of_fill(memory, 1 << 20);
  CHECK(small > 0);
  CHECK(large > small);
  CHECK(time_of_fill(memory, 1 << 20) == large);
  cudaFree(memory);
}

TEST_CASE("a kernel takes its launch overhead and its modelled time") {
  const auto& t = emu::devices::timing(profile(0));
  std::uint64_t before = clock_ps();
  advance_clock_by_kernel(1000, 1234.5, 0);
  CHECK(static_cast<double>(clock_ps() - before) == Approx((t.kernel_ns + 1234.5) * 1000));
}

TEST_CASE("a kernel that was not counted takes its instructions over the issue rate") {
  const auto& gpu = profile(0);
  std::uint64_t before = clock_ps();
  advance_clock_by_kernel(0, std::nullopt, 0);
  std::uint64_t empty = clock_ps() - before;
  std::uint64_t million_cycles = std::uint64_t{1000000} * gpu.multiprocessors * 4;
  before = clock_ps();
  advance_clock_by_kernel(million_cycles, std::nullopt, 0);
  double ps = static_cast<double>(clock_ps() - before - empty);
  CHECK(ps == Approx(1e6 * 1e9 / gpu.sm_clock_khz).epsilon(1e-6));
}

TEST_CASE("kernels are counted from the first event on that keeps times") {
  emu::cudart::stop_counting();
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  CHECK(emu::cudart::launch_observer() == nullptr);
  cudaEventDestroy(event);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  CHECK(emu::cudart::launch_observer() != nullptr);
  CHECK(modelled_ns().has_value());
  cudaEventDestroy(event);
  emu::cudart::stop_counting();
}

// SPDX-License-Identifier: MIT
// The error state: names, the thread's last error, and how a kernel's failure shows.
#include "cudart/calls/errors.hpp"

#include <cstring>
#include <set>
#include <string>
#include <thread>

#include "support/catch.hpp"

using namespace emu::cudart;

namespace {

// Leaves no failure behind for the next test.
struct CleanErrors {
  CleanErrors() { reset_errors(); }
  ~CleanErrors() { reset_errors(); }
};

}  // namespace

TEST_CASE("error names and descriptions are those of the runtime") {
  CHECK(std::string(cudaGetErrorName(cudaSuccess)) == "cudaSuccess");
  CHECK(std::string(cudaGetErrorString(cudaSuccess)) == "no error");
  CHECK(std::string(cudaGetErrorString(cudaErrorInvalidValue)) == "invalid argument");
  CHECK(std::string(cudaGetErrorString(cudaErrorIllegalAddress)) ==
        "an illegal memory access was encountered");
  CHECK(std::string(cudaGetErrorString(cudaErrorLaunchOutOfResources)) ==
        "too many resources requested for launch");
  CHECK(std::string(cudaGetErrorName(cudaErrorStreamCaptureUnjoined)) ==
        "cudaErrorStreamCaptureUnjoined");
}

TEST_CASE("an unknown error code is said to be one") {
  CHECK(std::string(cudaGetErrorName(static_cast<cudaError_t>(12345))) ==
        "unrecognized error code");
  CHECK(std::string(cudaGetErrorString(static_cast<cudaError_t>(12345))) ==
        "unrecognized error code");
}

TEST_CASE("no two errors share a code, and each has a name and a description") {
  std::set<int> codes;
#define ERROR(name, text)           \
  CHECK(codes.insert(name).second); \
  CHECK(std::strlen(text) > 0);     \
  CHECK(std::string(cudaGetErrorName(name)) == #name);
#include "cudart/calls/errors.def"
#undef ERROR
  CHECK(codes.size() > 130);
}

TEST_CASE("cudaGetLastError gives the last error once, cudaPeekAtLastError leaves it") {
  CleanErrors clean;
  CHECK(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  CHECK(cudaEventDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamQuery(nullptr) == cudaSuccess);  // success does not clear it
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidResourceHandle);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("the last error belongs to its thread") {
  CleanErrors clean;
  CHECK(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  cudaError_t other = cudaErrorUnknown;
  std::thread([&] { other = cudaGetLastError(); }).join();
  CHECK(other == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("a kernel's failure shows at the next wait and stays until the errors are reset") {
  CleanErrors clean;
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 64) == cudaSuccess);
  raise_sticky(cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(check_sticky() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaSuccess);  // cleared, but ...
  void* more = nullptr;
  CHECK(cudaMalloc(&more, 4) == cudaErrorIllegalAddress);
  CHECK(cudaFree(memory) == cudaErrorIllegalAddress);
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event) == cudaErrorIllegalAddress);
  reset_errors();
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("the first failure is the one that is told") {
  CleanErrors clean;
  raise_sticky(cudaErrorAssert);
  raise_sticky(cudaErrorIllegalAddress);
  CHECK(cudaStreamSynchronize(nullptr) == cudaErrorAssert);
}

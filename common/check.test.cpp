// SPDX-License-Identifier: MIT
// A failed CUDA call is seen at once, and says what failed where.
#include "common/check.cuh"

#include "support/catch.hpp"

using course::CudaError;

TEST_CASE("a call that succeeds is let pass") { CHECK_NOTHROW(COURSE_CHECK(cudaSuccess)); }

TEST_CASE("a failed call is an exception that carries the code") {
  try {
    COURSE_CHECK(cudaErrorMemoryAllocation);
    FAIL("nothing was thrown");
  } catch (const CudaError& error) {
    CHECK(error.code == cudaErrorMemoryAllocation);
  }
}

TEST_CASE("the message names file, line, call, error and meaning, on one line") {
  int line = 0;
  std::string text;
  try {
    line = __LINE__ + 1;
    COURSE_CHECK(cudaSetDevice(-1));
  } catch (const CudaError& error) {
    text = error.what();
  }
  cudaGetLastError();  // the error is not sticky: it goes when it is read
  INFO(text);
  CHECK(text.find("check.test.cpp:" + std::to_string(line) + ": ") != std::string::npos);
  CHECK(text.find("cudaSetDevice(-1) failed: ") != std::string::npos);
  CHECK(text.find("cudaErrorInvalidDevice (") != std::string::npos);
  CHECK(text.find(cudaGetErrorString(cudaErrorInvalidDevice)) != std::string::npos);
  CHECK(text.find('\n') == std::string::npos);
}

TEST_CASE("the call is made once") {
  int calls = 0;
  const auto call = [&] {
    ++calls;
    return cudaSuccess;
  };
  COURSE_CHECK(call());
  CHECK(calls == 1);
}

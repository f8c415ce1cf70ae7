// SPDX-License-Identifier: MIT
// How CUB is called, with something that only looks like CUB.
#include "common/program/cub_call.hpp"

#include <vector>

#include "support/catch.hpp"

TEST_CASE("an operation is asked for its memory once, and gets it each time it runs") {
  struct Asked {
    void* scratch;
    std::size_t bytes;
  };
  std::vector<Asked> asked;
  course::CubCall call = course::cub_call([&](void* scratch, std::size_t& bytes) {
    asked.push_back({scratch, bytes});
    if (scratch == nullptr) bytes = 100;
    return cudaSuccess;
  });
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].scratch == nullptr);
  call();
  call();
  REQUIRE(asked.size() == 3);
  CHECK(asked[1].scratch != nullptr);
  CHECK(asked[1].bytes == 100);
  CHECK(asked[2].scratch == asked[1].scratch);
  CHECK(asked[2].bytes == 100);
}

TEST_CASE("an operation that fails throws, when it is asked and when it runs") {
  const auto refuse = [](void*, std::size_t&) { return cudaErrorInvalidValue; };
  CHECK_THROWS_AS(course::cub_call(refuse), course::CudaError);
  course::CubCall later = course::cub_call([](void* scratch, std::size_t& bytes) {
    bytes = 1;
    return scratch == nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
  CHECK_THROWS_AS(later(), course::CudaError);
}

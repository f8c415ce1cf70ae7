// SPDX-License-Identifier: MIT
// What becomes of work on a stream after a failure.
#include "cudart/streams/submit.hpp"

#include "cudart/calls/errors.hpp"
#include "support/catch.hpp"

using namespace emu::cudart;

TEST_CASE("work behind a failure is not done") {
  raise_sticky(cudaErrorLaunchFailure);
  bool ran = false;
  Operation operation;
  operation.run = [&] {
    ran = true;
    return cudaSuccess;
  };
  CHECK(submit(nullptr, operation) == cudaSuccess);
  CHECK_FALSE(ran);
  reset_errors();
}

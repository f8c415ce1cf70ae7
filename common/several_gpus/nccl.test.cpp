// SPDX-License-Identifier: MIT
// Where NCCL cannot be had one line says why.
#include "common/several_gpus/nccl.hpp"

#include <string>

#include "support/catch.hpp"
#include "support/device.hpp"

using namespace course;

TEST_CASE("the emulator has no NCCL, and says so") {
  if (!support::device().emulated) return;
  const auto problem = make_all_reduce({support::device(), 10, 32, 3, {{"ranks", "1"}}});
  const char* const why = no_nccl(problem->task());
  REQUIRE(why != nullptr);
  CHECK(std::string(why).find("emulator") != std::string::npos);
}

// SPDX-License-Identifier: MIT
#include "counters/caches/level1_size.hpp"

#include "support/catch.hpp"

namespace emu::observe {
namespace {

// launch__shared_mem_config_size, as ncu has it.
TEST_CASE("shared memory gets what the driver of an H200 gives it") {
  const auto shared = [](std::uint32_t threads, std::uint32_t asked) {
    exec::Grid grid;
    grid.profile = devices::find("h200");
    grid.grid = {1, 1, 1};
    grid.block = {threads, 1, 1};
    grid.dynamic_shared = asked;
    return 256 - level1_bytes(grid) / 1024;
  };
  CHECK(shared(32, 0) == 32);
  CHECK(shared(256, 0) == 32);
  CHECK(shared(512, 0) == 16);
  CHECK(shared(1024, 0) == 8);
  CHECK(shared(128, 256) == 64);
  CHECK(shared(256, 1024) == 32);
  CHECK(shared(256, 4096) == 100);
  CHECK(shared(256, 12000) == 132);
  CHECK(shared(256, 16384) == 164);
  CHECK(shared(256, 100000) == 228);
  CHECK(shared(256, 116000) == 132);
  CHECK(shared(512, 16384) == 132);
  CHECK(shared(512, 49152) == 196);
  CHECK(shared(1024, 2048) == 8);
  CHECK(shared(1024, 65536) == 132);
  CHECK(shared(32, 8192) == 228);
}

TEST_CASE("a GPU whose blocks have no shared memory of their own leaves nearly all to the cache") {
  exec::Grid grid;
  grid.profile = devices::find("t4");
  grid.grid = {1, 1, 1};
  grid.block = {256, 1, 1};
  REQUIRE(grid.profile->shared_reserved_per_block == 0);
  CHECK(level1_bytes(grid) == level1_and_shared(*grid.profile) - 8 * 1024);
}

}  // namespace
}  // namespace emu::observe

// SPDX-License-Identifier: MIT
// Shapes of launches.
#include "common/launch.cuh"

#include "support/catch.hpp"

using course::Device;
using course::full_grid;
using course::with_block;

namespace {
Device device_with(int multiprocessors) {
  Device d;
  d.multiprocessors = multiprocessors;
  return d;
}
}  // namespace

TEST_CASE("a full grid has at least one block, also for nothing") {
  CHECK(full_grid(device_with(132), 0, 256) == 1);
  CHECK(full_grid(device_with(132), 1, 1024) == 1);
}

TEST_CASE("a full grid has no more blocks than there is work for") {
  CHECK(full_grid(device_with(132), 256, 256) == 1);
  CHECK(full_grid(device_with(132), 257, 256) == 2);
  CHECK(full_grid(device_with(132), 1000, 32) == 32);
}

TEST_CASE("a full grid has 2048 threads on each multiprocessor and no more") {
  for (const int block : {32, 64, 128, 256, 512, 1024}) {
    CHECK(full_grid(device_with(132), std::size_t{1} << 33, block) * block == 132u * 2048);
    CHECK(full_grid(device_with(1), std::size_t{1} << 33, block) * block == 2048u);
  }
}

TEST_CASE("the block size reaches the kernel as a constant") {
  for (const int block : {32, 64, 128, 256, 512, 1024}) {
    int seen = 0;
    with_block(block, [&](auto constant) {
      constexpr int kBlock = decltype(constant)::value;
      seen = kBlock;
    });
    CHECK(seen == block);
  }
}

// SPDX-License-Identifier: MIT
// Values a real H200 gave, and for the others the arithmetic of their compute capability.
#include "cudart/launching/occupancy.hpp"

#include "support/catch.hpp"

using namespace emu::cudart;
using emu::devices::find;

namespace {

std::uint32_t h200(std::uint32_t threads, std::uint32_t registers, std::size_t shared) {
  return blocks_per_sm(*find("h200"), {threads, registers, shared});
}

}  // namespace

TEST_CASE("occupancy: threads, warps and blocks limit an H200") {
  REQUIRE(h200(1, 8, 0) == 32);
  REQUIRE(h200(64, 8, 0) == 32);
  REQUIRE(h200(96, 8, 0) == 21);
  REQUIRE(h200(128, 8, 0) == 16);
  REQUIRE(h200(256, 32, 0) == 8);
  REQUIRE(h200(512, 8, 0) == 4);
  REQUIRE(h200(1024, 32, 0) == 2);
  REQUIRE(h200(1025, 8, 0) == 0);
  REQUIRE(h200(0, 8, 0) == 0);
}

TEST_CASE("occupancy: shared memory limits an H200, 1 KiB more than asked for") {
  REQUIRE(h200(128, 8, 8192) == 16);
  REQUIRE(h200(128, 8, 16384) == 13);
  REQUIRE(h200(128, 8, 32768) == 6);
  REQUIRE(h200(128, 8, 40960) == 5);
  REQUIRE(h200(128, 8, 49152) == 4);
  REQUIRE(h200(128, 8, 75000) == 3);
  REQUIRE(h200(128, 8, 115712) == 2);
  REQUIRE(h200(128, 8, 232448) == 1);
  REQUIRE(h200(128, 8, 232449) == 0);
}

TEST_CASE("occupancy: registers limit an H200 per sub-partition") {
  REQUIRE(h200(128, 80, 0) == 6);
  REQUIRE(h200(256, 80, 0) == 3);
  REQUIRE(h200(384, 80, 0) == 2);
  REQUIRE(h200(512, 80, 0) == 1);
  REQUIRE(h200(768, 80, 0) == 1);
  REQUIRE(h200(1024, 80, 0) == 0);
}

TEST_CASE("occupancy: other GPUs by their own limits") {
  REQUIRE(blocks_per_sm(*find("rtx4090"), {1024, 32, 0}) == 1);
  REQUIRE(blocks_per_sm(*find("rtx4090"), {256, 32, 0}) == 6);
  REQUIRE(blocks_per_sm(*find("rtx4090"), {32, 32, 0}) == 24);
  REQUIRE(blocks_per_sm(*find("t4"), {256, 32, 0}) == 4);
  REQUIRE(blocks_per_sm(*find("t4"), {64, 32, 32768}) == 2);
  REQUIRE(blocks_per_sm(*find("a100"), {256, 32, 49152}) == 3);
  REQUIRE(blocks_per_sm(*find("a100"), {256, 32, 166912}) == 1);
}

TEST_CASE("occupancy: a register estimate is lowered until the block fits") {
  const auto& gpu = *find("h200");
  REQUIRE(plausible_registers(gpu, 32, 1024) == 32);
  REQUIRE(plausible_registers(gpu, 80, 768) == 80);
  REQUIRE(plausible_registers(gpu, 80, 1024) == 64);
  REQUIRE(plausible_registers(gpu, 400, 128) == 255);
  for (std::uint32_t threads = 1; threads <= 1024; ++threads) {
    const auto registers = plausible_registers(gpu, 255, threads);
    REQUIRE(blocks_per_sm(gpu, {threads, registers, 0}) >= 1);
  }
}

TEST_CASE("occupancy: the share of each block is what an H200 says") {
  const auto& gpu = *find("h200");
  REQUIRE(shared_share(gpu, 1) == 232448);
  REQUIRE(shared_share(gpu, 2) == 116736);
  REQUIRE(shared_share(gpu, 4) == 58368);
  REQUIRE(shared_share(gpu, 5) == 46592);
  REQUIRE(shared_share(gpu, 7) == 33280);
  REQUIRE(shared_share(gpu, 13) == 17920);
  REQUIRE(shared_share(gpu, 32) == 7296);
}

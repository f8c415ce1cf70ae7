// SPDX-License-Identifier: MIT
// The weak memory mode keeps a bounded part of what a long kernel has written.
#include <array>
#include <cstring>

#include "access/fake_warp.test.hpp"
#include "explore/weak_memory.hpp"
#include "support/catch.hpp"

namespace emu::exec::fake {
namespace {

TEST_CASE("words that nobody has touched for long are forgotten, with the right value") {
  constexpr std::uint64_t kWords = 5 * WeakMemory::kMostPlaces;
  auto& space = memory::AddressSpace::instance();
  auto& memory = space.allocate(kWords * 8, memory::Kind::Device, 0);
  std::memset(memory.bytes, 0, kWords * 8);
  Machine m;
  m.block.warps.push_back(std::make_unique<Warp>());
  WeakMemory weak(3);
  weak.begin(m.grid);
  auto* address = m.r<std::uint64_t>(1);
  auto* value = m.r<std::uint64_t>(2);
  m.r<std::uint64_t>(3);
  const Instr store = m.bind(ptx::Row::st, bind_st, {"global"}, {ptx::Type::U64}, {mem(1), reg(2)});
  const Instr load = m.bind(ptx::Row::ld, bind_ld, {"global"}, {ptx::Type::U64}, {reg(3), mem(1)});
  for (std::uint64_t round = 1; round <= 2; ++round) {
    for (std::uint64_t word = 0; word < kWords; word += kLanes) {
      for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
        address[lane] = memory.address + 8 * (word + lane);
        value[lane] = round * 1000 + word + lane;
      }
      weak.run(m.warp, store, kAllLanes);
      REQUIRE(weak.places() <= WeakMemory::kMostPlaces);
    }
  }
  // Each thread knows its own stores, whether their history is kept or not.
  for (const std::uint64_t word : {std::uint64_t{0}, kWords / 2, kWords - kLanes}) {
    for (std::uint64_t lane = 0; lane < kLanes; ++lane)
      address[lane] = memory.address + 8 * (word + lane);
    weak.run(m.warp, load, kAllLanes);
    for (std::uint64_t lane = 0; lane < kLanes; ++lane)
      CHECK(m.r<std::uint64_t>(3)[lane] == 2000 + word + lane);
  }
  space.release(memory.address);
}

}  // namespace
}  // namespace emu::exec::fake

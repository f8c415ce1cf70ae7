// SPDX-License-Identifier: MIT
// What loads find of words that were stored in part.
#include <array>

#include "support/catch.hpp"
#include "support/level1_machine.hpp"

namespace emu::observe {
namespace {

TEST_CASE("a load finds words that a store wrote whole, not those of which it wrote some bytes") {
  const auto hits = [](std::uint64_t first, std::uint64_t bytes, std::uint64_t wanted) {
    Machine m(1);
    exec::Block b;
    b.warps.push_back(nullptr);
    REQUIRE(m.level1.watches(b));
    Sectors sectors;
    sectors.first = 4000;
    sectors.count = 1;
    std::array<std::uint64_t, kWarpLanes> addresses{};
    MemoryAccess access{};
    access.addresses = addresses.data();
    access.bytes_per_lane = 1;
    access.kind = AccessKind::Store;
    for (std::uint64_t lane = 0; lane < bytes; ++lane)
      addresses[lane] = 4000 * kSectorBytes + first + lane;
    access.mask = (1u << bytes) - 1;
    m.level1.add(0, 0, Level1::How::Store, sectors, &access);
    addresses[0] = 4000 * kSectorBytes + wanted;
    access.mask = 1;
    access.kind = AccessKind::Load;
    m.level1.add(0, 1, Level1::How::Load, sectors, &access);
    return m.level1.play(2)[1].hits;
  };
  CHECK(hits(4, 4, 5) == 1);
  CHECK(hits(3, 6, 5) == 1);  // of the words before and behind it writes one byte
  CHECK(hits(3, 6, 3) == 0);
  CHECK(hits(3, 6, 8) == 0);
}

}  // namespace
}  // namespace emu::observe

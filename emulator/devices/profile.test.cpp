// SPDX-License-Identifier: MIT
// The profiles agree with themselves, and the H200 with the machine it was read from.
#include "devices/profile.hpp"

#include <set>

#include "support/catch.hpp"

using emu::devices::Profile;

TEST_CASE("every profile is found by its id and the first is the h200") {
  std::set<std::string_view> ids;
  for (const Profile& p : emu::devices::all()) {
    REQUIRE(emu::devices::find(p.id) == &p);
    REQUIRE(ids.insert(p.id).second);
  }
  REQUIRE(ids == std::set<std::string_view>{"h200", "a100", "rtx4090", "t4"});
  REQUIRE(emu::devices::all().front().id == "h200");
  REQUIRE(emu::devices::find("H200") == nullptr);
  REQUIRE(emu::devices::find("") == nullptr);
}

TEST_CASE("every profile leaves no figure at zero and its limits fit together") {
  for (const Profile& p : emu::devices::all()) {
    INFO(p.id);
    REQUIRE(p.sm() >= 75);
    REQUIRE(p.multiprocessors > 0);
    REQUIRE(p.global_memory_bytes > (1ull << 30));
    REQUIRE(p.l2_bytes > 0);
    REQUIRE(p.persisting_l2_bytes < p.l2_bytes);
    REQUIRE(p.memory_bus_bits > 0);
    REQUIRE(p.memory_clock_khz > 0);
    REQUIRE(p.sm_clock_khz > 0);
    REQUIRE(p.max_threads_per_sm == p.max_warps_per_sm * 32);
    REQUIRE(p.max_blocks_per_sm > 0);
    REQUIRE(p.shared_per_block <= p.shared_per_block_optin);
    REQUIRE(p.shared_per_block_optin + p.shared_reserved_per_block <= p.shared_per_sm);
    REQUIRE(p.max_cluster <= p.max_cluster_nonportable);
    REQUIRE((p.max_cluster > 1) == (p.sm() >= 90));
    REQUIRE((p.pci_device_id & 0xffff) == 0x10de);
  }
}

TEST_CASE("the h200's memory bandwidth is 4814 GB/s by bus arithmetic") {
  const Profile& p = *emu::devices::find("h200");
  const double bytes_per_second = 2.0 * p.memory_clock_khz * 1e3 * p.memory_bus_bits / 8;
  REQUIRE(bytes_per_second / 1e9 == Approx(4814.0).margin(1.0));
  REQUIRE(p.sm() == 90);
}

// What cudaOccupancyMaxActiveClusters says on an H200 (results/h200/micro.json).
TEST_CASE("the h200 holds as many clusters as a real one") {
  const emu::devices::Profile& gpu = *emu::devices::find("h200");
  const auto fit = [&](std::uint64_t size, std::uint64_t blocks) {
    return emu::devices::resident_clusters(gpu, size, blocks);
  };
  CHECK(fit(1, 8) == 1056);
  CHECK(fit(2, 1) == 66);
  CHECK(fit(2, 8) == 528);
  CHECK(fit(4, 1) == 30);
  CHECK(fit(4, 2) == 62);
  CHECK(fit(4, 8) == 248);
  CHECK(fit(8, 1) == 15);
  CHECK(fit(8, 2) == 30);
  CHECK(fit(8, 4) == 62);
  CHECK(fit(8, 8) == 124);
  CHECK(fit(16, 1) == 7);
  CHECK(fit(16, 2) == 14);
  CHECK(fit(16, 4) == 28);
  CHECK(fit(16, 8) == 58);
}

// SPDX-License-Identifier: MIT
// Every GPU has a time for everything, and only the H200's were measured.
#include "devices/timing.hpp"

#include "support/catch.hpp"

using emu::devices::Profile;
using emu::devices::Timing;
using emu::devices::timing;

TEST_CASE("every profile has timings that fit together") {
  for (const Profile& p : emu::devices::all()) {
    INFO(p.id);
    const Timing& t = timing(p);
    CHECK(t.calibrated == (p.id == "h200"));
    CHECK(t.event_ns > 0);
    CHECK(t.kernel_ns > 0);
    CHECK(t.dram_latency > t.l2_latency);
    CHECK(t.l2_latency > t.shared_latency);
    CHECK(t.shared_latency > t.arithmetic_latency);
    CHECK(t.l2_gbps > t.dram_gbps);
    const double bus_gbps = 2.0 * p.memory_clock_khz * 1e-6 * p.memory_bus_bits / 8;
    CHECK(t.dram_gbps < bus_gbps);
    CHECK(t.dram_gbps > 0.75 * bus_gbps);  // the T4's error correction takes its share
    CHECK(t.issue_per_cycle == 4);
    CHECK(t.host_gbps > 0);
    CHECK(t.host_ns >= t.peer_ns);
    CHECK(t.peer_gbps < t.dram_gbps);
    CHECK(t.dirty_share < 1);
    CHECK(t.dirty_share_streaming < t.dirty_share);
  }
}

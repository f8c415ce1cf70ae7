// SPDX-License-Identifier: MIT
// Launches of two devices that run by turns, under one checker. tests/checks/devices has the corpus in CUDA.
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "check/check.hpp"
#include "engine/execution.hpp"
#include "engine/run_ptx.test.hpp"
#include "machine/kernel.hpp"

namespace emu::check {
namespace {

using exec::testing::Run;

// One word of memory for all: [%out] is the flag, [%out+4] what is handed over.
class Pair {
 public:
  Pair() {
    Wanted wanted;
    wanted.race = wanted.init = wanted.sync = wanted.several_devices = true;
    checker.emplace(wanted, findings);
    std::memset(memory_.bytes, 0, 64);
  }
  ~Pair() { memory::AddressSpace::instance().release(memory_.address); }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  // Begins a kernel on a stream of a device.
  std::unique_ptr<exec::Execution> begin(Run& run, int device, std::uint64_t stream) {
    checker->orders()->begin({stream, device, false, false});
    run.request.observer = &*checker;
    run.request.device = device;
    run.request.params.resize(8);
    std::memcpy(run.request.params.data(), &memory_.address, 8);
    return std::make_unique<exec::Execution>(run.request);
  }

  Findings findings{nullptr};
  std::optional<Checker> checker;

 private:
  memory::Allocation& memory_ =
      memory::AddressSpace::instance().allocate(64, memory::Kind::Managed, 0);
};

void finish(exec::Execution& one, exec::Execution& other) {
  bool over[2] = {};
  for (int i = 0; i < 1000 && !(over[0] && over[1]); ++i) {
    if (!over[0]) over[0] = one.turn(1);
    other.others_changed();
    if (!over[1]) over[1] = other.turn(1);
    one.others_changed();
  }
  REQUIRE(over[0]);
  REQUIRE(over[1]);
}

std::string giver(const std::string& scope) {
  return "setp.ne.u32 %p1, %t, 0; @%p1 bra DONE; st.global.u32 [%out+4], 7;\n"
         "st.release." +
         scope + ".global.u32 [%out], 1; DONE:";
}
std::string taker(const std::string& scope) {
  return "setp.ne.u32 %p1, %t, 0; @%p1 bra DONE;\n"
         "L: ld.acquire." +
         scope +
         ".global.u32 %r2, [%out]; setp.eq.u32 %p2, %r2, 0; @%p2 bra L;\n"
         "ld.global.u32 %r3, [%out+4]; st.global.u32 [%out+8], %r3; DONE:";
}

std::uint64_t races(const std::string& gives, const std::string& takes, bool taker_first,
                    int second_device = 1) {
  Run give(giver(gives)), take(taker(takes));
  Pair pair;
  const auto one = taker_first ? pair.begin(take, 0, 1) : pair.begin(give, 0, 1);
  const auto other =
      taker_first ? pair.begin(give, second_device, 2) : pair.begin(take, second_device, 2);
  finish(*one, *other);
  return pair.findings.errors();
}

}  // namespace

TEST_CASE("a flag between devices needs the scope of the system on both sides") {
  for (const bool taker_first : {false, true}) {
    CHECK(races("sys", "sys", taker_first) == 0);
    CHECK(races("gpu", "sys", taker_first) >= 2);  // the flag itself, and what it is to protect
    CHECK(races("sys", "gpu", taker_first) >= 2);
  }
}

TEST_CASE("between streams of one device the scope of the device is enough") {
  for (const bool taker_first : {false, true}) CHECK(races("gpu", "gpu", taker_first, 0) == 0);
}

TEST_CASE("what is known of a launch goes with it, also when it is left where it is") {
  Run spin("L: ld.volatile.global.u32 %r2, [%out]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;");
  Run store("st.global.u32 [%out+12], 5;");
  Pair pair;
  {
    const auto left = pair.begin(spin, 1, 2);
    left->turn(2);
  }
  for (int i = 0; i < 3; ++i) CHECK(pair.begin(store, 0, 1)->turn(1000));
  CHECK(pair.findings.errors() == 0);
}

TEST_CASE("numbers of warps go on through launches that run at the same time") {
  Launches launches;
  Orders orders(true);
  exec::Kernel kernel;
  std::array<exec::Grid, 3> grids;
  for (std::size_t i = 0; i < grids.size(); ++i) {
    grids[i].kernel = &kernel;
    grids[i].grid = {static_cast<std::uint32_t>(2 + i), 2, 1};
    grids[i].block = {33, 1, 1};
    grids[i].cluster = {2, 1, 1};
    orders.begin({i + 1, static_cast<int>(i), false, false});
    REQUIRE(launches.begin(grids[i], orders));
  }
  CHECK(launches.of_warp(7).number == 0);
  CHECK(launches.of_warp(8).number == 1);
  CHECK(launches.of_warp(8).block_of(19) == 4 + 5);
  CHECK(launches.of_warp(20).number == 2);
  CHECK(launches.of_warp(7).number == 0);
  const KeptLaunch& last = launches[2];
  CHECK(last.cluster_of(last.first_block + 7) == last.first_block + 6);
  launches.end(grids[1]);
  CHECK(launches.of(grids[1]) == nullptr);
  CHECK(launches.running());
}

TEST_CASE("rows meet bytes in them, and not those between them") {
  const Rows rows{100, 4, 10, 3};  // 100 to 103, 110 to 113, 120 to 123
  const auto meets = [&](std::uint64_t at, std::uint64_t bytes) { return rows.meets(at, bytes); };
  CHECK(meets(100, 1));
  CHECK(meets(90, 11));
  CHECK(meets(103, 1));
  CHECK(meets(104, 7));
  CHECK(meets(123, 50));
  CHECK(meets(112, 1));
  CHECK(meets(0, 1000));
  CHECK_FALSE(meets(90, 10));
  CHECK_FALSE(meets(104, 6));
  CHECK_FALSE(meets(114, 6));
  CHECK_FALSE(meets(124, 6));
  CHECK(Rows{100, 40}.meets(139, 1));
  CHECK_FALSE(Rows{100, 40}.meets(140, 1));
}

TEST_CASE("all is forgotten when whatever comes knows of it") {
  Orders orders;
  const Orders::Stream first{1, 0, false, false}, second{2, 0, false, false};
  orders.make(second);
  orders.begin(first);
  CHECK(orders.known_to_all());  // there is nothing before it
  orders.begin(first);
  CHECK_FALSE(orders.known_to_all());  // the second stream has not waited
  orders.host_waits(first);
  orders.begin(first);
  CHECK(orders.known_to_all());
  orders.begin(first);
  CHECK_FALSE(orders.known_to_all());
  orders.destroy(second);
  CHECK(orders.known_to_all());
  orders.submitted();
  CHECK_FALSE(orders.known_to_all());  // what waits to begin was submitted earlier
}

}  // namespace emu::check

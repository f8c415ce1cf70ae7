// SPDX-License-Identifier: MIT
// What is kept for a report, and that whoever counts beside it counts the same.
#include "picture/picture.hpp"

#include "counters/counting.hpp"
#include "engine/run_ptx.test.hpp"
#include "picture/picture_json.hpp"

namespace emu::exec::testing {
namespace {

struct Drawn {
  observe::Counting counting;
  std::vector<observe::PictureLaunch> launches;
  observe::Picture picture{
      counting, [this](const observe::PictureLaunch& launch) { launches.push_back(launch); }};

  const observe::PictureLaunch& of(Run& run, std::size_t n = 32) {
    run.request.observer = &picture;
    run.words(n);
    REQUIRE_FALSE(launches.empty());
    return launches.back();
  }
};

// Lane i stores to word 8 i: a sector each. Half of the lanes do more.
const char* const kStrided = R"(
    mad.wide.u32 %rd1, %t, 32, %out; st.global.u32 [%rd1], %t;
    setp.ge.u32 %p1, %t, 16; @%p1 bra done; add.u32 %r3, %t, 1; st.global.u32 [%out4], %r3; done:)";

TEST_CASE("the request furthest from the best one is kept, with its addresses") {
  Run run(kStrided);
  Drawn drawn;
  const auto& launch = drawn.of(run, 32 * 8);
  REQUIRE(launch.requests.size() == 2);
  const auto& worst = launch.requests[0];
  CHECK(worst.pieces == 32);
  CHECK(worst.ideal == 4);
  CHECK(worst.mask == kAllLanes);
  CHECK(worst.addresses[3] - worst.addresses[0] == 3 * 32);
  CHECK(launch.instructions[worst.instruction].text.starts_with("st.global.u32"));
  CHECK(launch.requests[1].mask == 0xffffu);
  CHECK(launch.requests[1].pieces == 2);
}

TEST_CASE("shared memory is kept as passes through the banks") {
  Run run("mov.u32 %r2, s; mad.lo.u32 %r2, %t, 128, %r2; st.shared.u32 [%r2], %t;",
          ".shared .align 4 .b8 s[4096];");
  Drawn drawn;
  const auto& launch = drawn.of(run);
  REQUIRE(launch.requests.size() == 1);
  CHECK(launch.requests[0].space == observe::MemorySpace::Shared);
  CHECK(launch.requests[0].pieces == 32);
  CHECK(launch.requests[0].ideal == 1);
}

TEST_CASE("steps of a warp name the lanes that took them") {
  Run run(kStrided);
  Drawn drawn;
  const auto& launch = drawn.of(run, 32 * 8);
  REQUIRE(launch.warps.size() == 1);
  const auto& warp = launch.warps[0];
  CHECK(warp.total == run.stats.warp_instructions);
  CHECK(warp.steps.size() == warp.total);
  std::size_t halves = 0;
  for (const auto& step : warp.steps) halves += step.active == 0xffffu;
  CHECK(halves == 2);  // the sum and its store
  std::uint64_t executed = 0;
  for (const auto& in : launch.instructions) executed += in.executed;
  CHECK(executed == run.stats.warp_instructions);
}

TEST_CASE("the first and last warps of the first, middle and last block are kept") {
  Run run("st.global.u32 [%out4], %t;");
  run.grid(5).block(96);
  Drawn drawn;
  const auto& warps = drawn.of(run, 5 * 96).warps;
  REQUIRE(warps.size() == 6);
  CHECK(warps[1].warp == 2);
  CHECK(warps[2].block[0] == 2);
  CHECK(warps[5].block[0] == 4);
}

TEST_CASE("of launches that are alike the first is kept, and numbers count all") {
  Run run("st.global.u32 [%out4], %t;");
  Drawn drawn;
  drawn.of(run);
  run.words(32);
  CHECK(drawn.launches.size() == 1);
  run.block(64);
  drawn.of(run, 64);
  REQUIRE(drawn.launches.size() == 2);
  CHECK(drawn.launches[1].number == 2);
}

TEST_CASE("a long warp is cut, and says how long it was") {
  Run run("mov.u32 %r2, 0; loop: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9000; @%p1 bra loop;");
  Drawn drawn;
  const auto& warp = drawn.of(run).warps[0];
  CHECK(warp.steps.size() == observe::Picture::kMostSteps);
  CHECK(warp.total > 27'000);
}

TEST_CASE("who counts beside it counts the same") {
  Run alone(kStrided);
  observe::Counting counting;
  alone.request.observer = &counting;
  alone.words(32 * 8);
  Run both(kStrided);
  Drawn drawn;
  drawn.of(both, 32 * 8);
  for (std::size_t i = 0; i < observe::kCounters; ++i) {
    const auto id = static_cast<observe::Counter>(i);
    INFO(observe::counter_table()[i].name);
    CHECK(drawn.counting.last().counts[id] == counting.last().counts[id]);
  }
}

TEST_CASE("a launch that fails is kept up to there") {
  Run run("mov.u64 %rd1, 0; st.global.u32 [%rd1], %t;");
  Drawn drawn;
  run.request.observer = &drawn.picture;
  run.error(FaultKind::OutOfBounds);
  REQUIRE(drawn.launches.size() == 1);
  CHECK(drawn.launches[0].failed);
}

TEST_CASE("a picture is written as JSON") {
  observe::PictureLaunch launch;
  launch.kernel = "k<\"a\">";
  launch.grid = {2, 1, 1};
  launch.block = {32, 1, 1};
  launch.files = {"a.cu"};
  launch.instructions = {{0, 7, 2, 64, "ret;"}};
  launch.requests.resize(1);
  launch.requests[0].mask = 5;
  launch.requests[0].addresses[2] = 96;
  launch.warps = {{{1, 0, 0}, 0, 9, {{0, 3, 1}}}};
  CHECK(
      to_json(launch) ==
      "    {\"launch\": 0, \"kernel\": \"k<\\\"a\\\">\", \"grid\": [2, 1, 1], \"block\": [32, 1, "
      "1], "
      "\"failed\": false,\n     \"files\": [\n      \"a.cu\"],\n     \"instructions\": [\n      "
      "[0, 7, 2, 64, \"ret;\"]],\n     \"requests\": [\n      {\"at\": 0, \"space\": \"global\", "
      "\"kind\": \"load\", \"bytes\": 0, \"pieces\": 0, \"ideal\": 0, \"block\": [0, 0, 0], "
      "\"warp\": "
      "0, \"mask\": 5, \"addresses\": [0, 96]}],\n     \"warps\": [\n      {\"block\": [1, 0, 0], "
      "\"warp\": 0, \"total\": 9, \"steps\": [[0, 3, 1]]}]}");
}

}  // namespace
}  // namespace emu::exec::testing

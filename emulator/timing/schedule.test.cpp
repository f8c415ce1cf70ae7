// SPDX-License-Identifier: MIT
// What the compiler behind the PTX makes of the order of instructions.
#include "timing/schedule.hpp"

#include "engine/run_ptx.test.hpp"
#include "timing/modelling.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

const devices::Timing& latencies() { return devices::timing(*devices::find("h200")); }

// Cycles of a warp's way.
double way_of(const std::string& body) {
  Run run(".reg .f32 %a<99>; .reg .pred %q<9>; mov.f32 %a1, 0f3F000000; mov.f32 %a2, %a1; " + body);
  run.block(32);
  Modelling modelling;
  run.request.observer = &modelling;
  run.words(1 << 16);
  return modelling.last().alone[static_cast<std::size_t>(Limit::Path)] *
         devices::find("h200")->sm_clock_khz / 1e6;
}

std::string repeated(int n, const std::string& body) {
  std::string all;
  for (int i = 0; i < n; ++i) all += body;
  return all;
}
// What each of them takes, one after the other.
double each(const std::string& body) {
  return (way_of(repeated(60, body)) - way_of(repeated(20, body))) / 40;
}

TEST_CASE("chains that do not need each other go on side by side") {
  const std::string one = "fma.rn.f32 %a1, %a1, %a1, %a1; ",
                    other = "fma.rn.f32 %a2, %a2, %a2, %a2; ";
  CHECK(each(one) == Approx(latencies().arithmetic_latency));
  CHECK(each(one + other) == Approx(latencies().arithmetic_latency));
  // One whole behind the other as well, if it is not long.
  const double alone = way_of(repeated(8, one));
  CHECK(way_of(repeated(8, one) + repeated(8, other)) < alone + 8);
}

TEST_CASE("as many loads are asked for at once as there are registers for") {
  const auto loads = [](int count) {
    std::string body;
    for (int k = 0; k < count; ++k) {
      const std::string to = "%a" + std::to_string(3 + k);
      body += "ld.global.f32 " + to + ", [%out4+" + std::to_string(1024 * k) +
              "]; add.f32 %a1, %a1, " + to + "; ";
    }
    return way_of(body + "st.global.f32 [%out4], %a1;");
  };
  CHECK(loads(16) < loads(1) + 0.7 * latencies().dram_latency);
  CHECK(loads(48) > loads(16) + 0.7 * latencies().dram_latency);
}

TEST_CASE("shared memory is not asked before global memory, and leaves it the registers") {
  const auto numbered = [](int k) { return "%a" + std::to_string(k); };
  const auto rounds = [&](int count) {
    constexpr int kSums = 8, kFar = 10, kNear = 20;
    std::string body = ".shared .b32 tile[64]; ", end;
    for (int k = 0; k < kSums; ++k) {
      body += "mov.f32 " + numbered(k) + ", 0f00000000; ";
      end += "st.global.f32 [%out4+" + std::to_string(128 * k) + "], " + numbered(k) + "; ";
    }
    body += "bar.sync 0; ";
    for (int at = 0; at < count * kSums; ++at) {
      const int round = at / kSums, k = at % kSums;
      const std::string far = numbered(kFar + round), near = numbered(kNear + at);
      body += "ld.shared.f32 " + near + ", [tile+" + std::to_string(4 * at) + "]; ";
      if (k == 0)
        body += "ld.global.f32 " + far + ", [%out4+" + std::to_string(1024 * round) + "]; ";
      body += "fma.rn.f32 " + numbered(k) + ", " + far + ", " + near + ", " + numbered(k) + "; ";
    }
    return way_of(body + end);
  };
  CHECK(rounds(8) < rounds(1) + 0.7 * latencies().dram_latency);
}

TEST_CASE("a part that takes more registers than the compiler likes gives loads room as well") {
  constexpr int kSums = 16, kFirstSum = 50, kFirstTemporary = 80;
  const auto numbered = [](int k) { return "%a" + std::to_string(k); };
  const auto loads = [&](int count, int temporaries) {
    std::string body, used, end;
    for (int k = kFirstSum; k < kFirstSum + kSums; ++k) {
      body += "mov.f32 " + numbered(k) + ", 0f00000000; ";
      end += "st.global.f32 [%out4+" + std::to_string(128 * k) + "], " + numbered(k) + "; ";
    }
    body += "bar.sync 0; ";
    for (int k = kFirstTemporary; k < kFirstTemporary + temporaries; ++k) {
      body += "mul.f32 " + numbered(k) + ", %a1, %a2; ";
      used += "add.f32 %a51, %a51, " + numbered(k) + "; ";
    }
    body += used;
    for (int k = 0; k < count; ++k)
      body += "ld.global.f32 " + numbered(3 + k) + ", [%out4+" + std::to_string(65536 + 1024 * k) +
              "]; add.f32 %a50, %a50, " + numbered(3 + k) + "; ";
    return way_of(body + end);
  };
  CHECK(loads(12, 14) < loads(1, 14) + 0.7 * latencies().dram_latency);
  CHECK(loads(12, 1) > loads(12, 14) + 0.3 * latencies().dram_latency);
}

TEST_CASE("a predicate holds an instruction back for longer than it does a selection") {
  const double guarded = each("setp.gt.f32 %q1, %a1, 0f00000000; @%q1 mul.f32 %a1, %a1, %a2; ");
  const double selected = each("setp.gt.f32 %q1, %a1, 0f00000000; selp.f32 %a1, %a1, %a2, %q1; ");
  CHECK(guarded == Approx(17.8).margin(0.5));  // measured, as the other
  CHECK(selected == Approx(8).margin(0.5));
}

TEST_CASE("what has a predicate takes its time, even if no lane wants it") {
  CHECK(each("setp.gt.f32 %q1, %a2, 0f00000000; @%q1 mul.f32 %a1, %a1, %a2; ") ==
        Approx(each("setp.lt.f32 %q1, %a2, 0f00000000; @%q1 mul.f32 %a1, %a1, %a2; ")));
}

TEST_CASE("what computes is moved over a barrier, what loads is not") {
  const std::string chain = repeated(5, "fma.rn.f32 %a1, %a1, %a1, %a1; ");
  const std::string end = "st.global.f32 [%out4], %a1;";
  const double barrier = way_of("bar.sync 0; " + end);
  CHECK(way_of(chain + "bar.sync 0; setp.gt.u32 %q1, %t, 99; @%q1 mul.f32 %a2, %a2, %a2; " + end) <
        way_of(chain + "bar.sync 0; " + end) + 4);
  const std::string load = "ld.global.f32 %a3, [%out4]; add.f32 %a1, %a1, %a3; ";
  CHECK(way_of(load + "bar.sync 0; ld.global.f32 %a4, [%out4+4096]; add.f32 %a1, %a1, %a4; " +
               end) > barrier + 1.8 * latencies().dram_latency);
}

TEST_CASE("before a store with release all that was read is there") {
  const std::string load = "ld.global.u32 %r2, [%out4+4096]; ";
  CHECK(way_of(load + "st.release.gpu.global.u32 [%out4], %t;") >
        way_of(load + "st.global.u32 [%out4], %t;") + 0.9 * latencies().dram_latency);
}

}  // namespace
}  // namespace emu::observe

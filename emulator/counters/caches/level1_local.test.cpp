// SPDX-License-Identifier: MIT
// What a launch finds of local memory in the first-level cache.
#include "counters/caches/level1_local.hpp"

#include "counters/counting.hpp"
#include "engine/run_ptx.test.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

constexpr const char* kOwn = ".local .align 16 .b8 own[64]; ";

// The rate at which a kernel finds what it asks for in L1, in hundredths of a percent.
std::uint64_t rate(Counting& counting, const std::string& code) {
  Run run(kOwn + code);
  run.block(256);
  run.request.observer = &counting;
  run.words(4096);
  return counting.last().figures[LaunchCounter::L1HitRate];
}
std::uint64_t rate(const std::string& code) {
  Counting counting;
  return rate(counting, code);
}
constexpr std::uint64_t kEverySecond = 50 * kHundredths, kWhole = 100 * kHundredths;

TEST_CASE("a wide access to local memory is one for each of its words") {
  CHECK(rate("st.local.u32 [own], %t; ld.local.u32 %r2, [own];") == kEverySecond);
  CHECK(rate("st.local.u32 [own], %t; ld.local.u32 %r2, [own+4];") == 0);
  CHECK(rate("st.local.v4.u32 [own], {%t, %t, %t, %t}; ld.local.v4.u32 {%r2, %r3, %r4, %r5}, "
             "[own];") == kEverySecond);
  // 16 sectors are stored to and none found, four are read and found.
  CHECK(rate("st.local.v4.u32 [own], {%t, %t, %t, %t}; ld.local.u32 %r2, [own+12];") ==
        20 * kHundredths);
}

TEST_CASE("local memory stays in L1 from launch to launch, global memory does not") {
  const std::string local = "st.local.u32 [own+8], %t; ld.local.u32 %r2, [own+8];",
                    global = "ld.global.u32 %r2, [%out4]; st.global.u32 [%out4], %r2;";
  Counting counting;
  CHECK(rate(counting, local) == kEverySecond);
  CHECK(rate(counting, local) == kWhole);
  CHECK(rate(counting, local) == kWhole);
  counting.flush_l2();  // something was done in between
  CHECK(rate(counting, local) == kEverySecond);
  CHECK(rate(counting, local) == kWhole);
  counting.another_kernel();  // a memset
  CHECK(rate(counting, local) == kEverySecond);
  const std::uint64_t alone = rate(global);
  CHECK(rate(counting, global) == alone);
  CHECK(rate(counting, global) == alone);
  CHECK(rate(counting, local) == kEverySecond);  // another kernel has run
}

TEST_CASE("what was left in L1 is forgotten when shared memory gets another part of it") {
  const std::string local = "st.local.u32 [own+8], %t; ld.local.u32 %r2, [own+8];",
                    shared = ".shared .b32 tile[10240]; st.shared.u32 [tile], %t; " + local;
  Counting counting;
  CHECK(rate(counting, local) == kEverySecond);
  CHECK(rate(counting, shared) == kEverySecond);
  CHECK(rate(counting, shared) == kWhole);
  CHECK(rate(counting, local) == kEverySecond);
}

TEST_CASE("parameters that are copied to local memory, to be indexed, stay where they are") {
  const auto requests = [](const std::string& code) {
    Counting counting;
    rate(counting, code);
    const Counts& c = counting.last().counts;
    return c[Counter::LocalStRequests] + c[Counter::LocalLdRequests];
  };
  const std::string copy = "ld.param.u32 %r2, [p0]; st.local.u32 [own], %r2; ",
                    load = "ld.local.u32 %r3, [own]; st.global.u32 [%out4], %r3;";
  CHECK(requests(copy + load) == 0);
  CHECK(requests(copy + "st.local.u32 [own+4], %t; " + load) == 3 * 8);  // it is memory after all
  CHECK(requests("ld.param.u32 %r2, [p0]; add.u32 %r2, %r2, 1; st.local.u32 [own], %r2; " + load) ==
        2 * 8);
}

TEST_CASE("local memory takes its place in L2, and leaves it for DRAM if there is too little") {
  const auto figures = [](std::uint32_t blocks, std::uint32_t words) {
    Counting counting;
    std::string code = ".local .align 16 .b8 own[1024]; ";
    for (std::uint32_t i = 0; i < words; ++i)
      code += "st.local.u32 [own+" + std::to_string(4 * i) + "], %t; ";
    Run run(code);
    run.grid(blocks).block(256);
    run.request.observer = &counting;
    run.words(4);
    return counting.last().figures;
  };
  const LaunchFigures few = figures(132, 64);  // 8.6 MB
  CHECK(few[LaunchCounter::DramRead] + few[LaunchCounter::DramWritten] == 0);
  const LaunchFigures many = figures(8 * 132, 256);  // 277 MB
  CHECK(many[LaunchCounter::DramRead] == 0);
  CHECK(many[LaunchCounter::DramWritten] > 150u << 20);
  CHECK(many[LaunchCounter::Footprint] == few[LaunchCounter::Footprint]);  // of global memory
}

}  // namespace
}  // namespace emu::observe

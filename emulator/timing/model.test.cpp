// SPDX-License-Identifier: MIT
// The model on kernels whose bottleneck is known, and the numbers it was calibrated with.
#include "timing/model.hpp"

#include <cstring>

#include "annotate/annotate.hpp"
#include "annotate/counters_json.hpp"
#include "counters/caches/footprint.hpp"
#include "engine/run_ptx.test.hpp"
#include "timing/memory_side.hpp"
#include "timing/modelling.hpp"
#include "timing/what_if.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

Modelled modelled(Run& run, std::size_t words = 1 << 16) {
  Modelling modelling;
  modelling.set_explained(true);
  run.request.observer = &modelling;
  run.words(words);
  return modelling.last();
}
double alone(const Modelled& m, Limit limit) { return m.alone[static_cast<std::size_t>(limit)]; }

const devices::Profile& h200() { return *devices::find("h200"); }
const devices::Timing& times() { return devices::timing(h200()); }
double ns_of(double cycles) { return cycles * 1e6 / h200().sm_clock_khz; }

// A loop of `trips` rounds around a body. The compiler unrolls it only if it can see by how much it counts.
std::string looped(const std::string& body, int trips, bool counted = false) {
  return "mov.u32 %r9, 0; mov.u32 %r8, 1; L: " + body + " add.u32 %r9, %r9, " +
         (counted ? "1" : "%r8") + "; setp.lt.u32 %p1, %r9, " + std::to_string(trips) +
         "; @%p1 bra L;";
}
// What one round takes: of 100 more rounds, so that all that is done once falls away.
double round_cycles(const std::string& body, std::uint32_t threads) {
  Run few(looped(body, 100)), many(looped(body, 200));
  few.block(threads), many.block(threads);
  const double more = alone(modelled(many), Limit::Path) - alone(modelled(few), Limit::Path);
  return more / ns_of(1) / 100;
}

TEST_CASE("a chain of operations takes their latencies") {
  // The third of three: the first is hidden behind what the loop's branch waits for.
  const auto one = [&](const std::string& body, std::uint32_t threads = 32) {
    return round_cycles(body + body + body, threads) - round_cycles(body + body, threads);
  };
  const std::string shuffle = "shfl.sync.bfly.b32 %r2, %r2, 1, 31, -1; add.u32 %r2, %r2, 1;";
  CHECK(one("add.u32 %r2, %r2, 1;") <= times().arithmetic_latency + 2);
  CHECK(one(shuffle) == Approx(times().shuffle_latency).margin(6));
  CHECK(one("bar.sync 0;") == Approx(12).margin(3));
  CHECK(one("bar.sync 0;", 256) == Approx(28).margin(3));
  CHECK(one("bar.sync 0;", 1024) == Approx(76).margin(3));
}

TEST_CASE("what decides where to go, how long to sleep or where to reach is waited for") {
  const std::string load = "ld.global.u32 %r2, [%out]; ";
  const auto path = [](const std::string& body) {
    Run run(body);
    run.block(32);
    return alone(modelled(run), Limit::Path) / ns_of(1);
  };
  CHECK(path(load) < times().dram_latency / 2);  // nobody waits for what nobody needs
  CHECK(path(load + "ts: .branchtargets A; brx.idx %r2, ts; A:") > times().dram_latency);
  CHECK(path(load + "nanosleep.u32 %r2;") > times().dram_latency);
  CHECK(path("ld.global.u64 %rd2, [%out]; add.u64 %rd2, %rd2, %out; prefetch.global.L2 [%rd2];") >
        times().dram_latency);
}

TEST_CASE("atomics on one address queue: floats per lane, integers per warp") {
  Run floats("mov.b32 %r2, 0f3f800000; red.global.add.f32 [%out], %r2;");
  floats.grid(64).block(256);
  const Modelled f = modelled(floats);
  CHECK(f.limit == Limit::Atomics);
  // ... and their way there, of which little is left beside the queue.
  constexpr double kWay = 0.01;
  CHECK(alone(f, Limit::Atomics) == Approx(64 * 256 * times().float_atomic_ns).epsilon(kWay));
  CHECK(f.share > 0.9);
  Run integers("red.global.add.u32 [%out], 1;");
  integers.grid(64).block(256);
  CHECK(alone(modelled(integers), Limit::Atomics) ==
        Approx(64 * 8 * times().integer_atomic_ns).epsilon(kWay));
}

TEST_CASE("a word that is handed on takes a way to the L2 cache and back each time") {
  Run swaps("add.u32 %r3, %t, 1; atom.global.exch.b32 %r2, [%out], %r3;");
  swaps.grid(64).block(32);
  const Modelled m = modelled(swaps);
  const double asking = 1 + 6 * times().contention;  // 64 warps
  CHECK(m.limit == Limit::Handovers);
  CHECK(alone(m, Limit::Handovers) == Approx(ns_of(64 * 32 * times().atomic_latency * asking)));
  Run releases("st.release.gpu.global.u32 [%out], %t;");
  releases.grid(64).block(32);
  const double each = times().fence_latency + times().l2_latency;
  CHECK(alone(modelled(releases), Limit::Handovers) == Approx(ns_of(64 * 32 * each * asking)));
}

TEST_CASE("a lock that is asked for by atomics without a pause is handed on more slowly") {
  const auto handing = [](const std::string& pause, std::uint32_t blocks) {
    Run run("L: atom.acquire.gpu.global.exch.b32 %r2, [%out], 1; " + pause +
            "setp.ne.u32 %p1, %r2, 0; @%p1 bra L; st.release.gpu.global.u32 [%out], 0;");
    run.grid(blocks).block(1);
    return alone(modelled(run, 64), Limit::Handovers);
  };
  CHECK(handing("", 64) == Approx(3 * handing("nanosleep.u32 100; ", 64)));
  CHECK(handing("", 8) < 2 * handing("nanosleep.u32 100; ", 8));  // few are in each other's way
}

TEST_CASE("float atomics on shared memory go lane after lane") {
  Run run(".shared .align 4 .b8 s[4]; mov.b32 %r2, 0f3f800000; red.shared.add.f32 [s], %r2;");
  run.block(256);
  const Modelled m = modelled(run);
  CHECK(m.limit == Limit::SharedAtomics);
  CHECK(alone(m, Limit::SharedAtomics) == Approx(ns_of(256 * times().shared_cas_latency)));
}

TEST_CASE("atomics on whole numbers in shared memory take no longer because there is a float one") {
  const auto atomics = [](const std::string& others) {
    Run run(".shared .align 4 .b8 s[8]; mov.b32 %r2, 0f3f800000; red.shared.add.f32 [s], %r2;" +
            others);
    run.block(256);
    return alone(modelled(run), Limit::SharedAtomics);
  };
  CHECK(atomics("red.shared.add.u32 [s+4], 1; red.shared.max.u32 [s+4], 1;") ==
        Approx(atomics("")));
}

TEST_CASE("looking for what another thread writes counts once, however long it takes") {
  const std::string look =
      "ld.acquire.gpu.global.u32 %r2, [%out]; setp.ne.u32 %p2, %r2, 0; @%p2 bra OUT;";
  const auto path = [&](const std::string& body, int trips) {
    Run run(looped(body, trips) + " OUT:");
    return alone(modelled(run), Limit::Path) / ns_of(1);
  };
  CHECK(path(look, 1000) < path(look, 10) + times().l2_latency);
  CHECK(path(look + look, 1000) < path(look, 10) + times().l2_latency);
  std::string unrolled;
  for (int k = 0; k < 32; ++k) unrolled += look;
  CHECK(path(unrolled, 100) < path(look, 10) + times().l2_latency);
  // What goes on to the next word is no look at the same one.
  std::string onward;
  for (int k = 0; k < 32; ++k) onward += look + "add.u64 %out, %out, 4;";
  CHECK(path(onward, 100) > 32 * 100 * times().l2_latency);
}

TEST_CASE("loads that are asked for together are waited for together") {
  const std::string use = "add.u32 %r4, %r2, %r3; st.global.u32 [%out4], %r4;";
  Run together("ld.global.u32 %r2, [%out4]; ld.global.u32 %r3, [%out4+4096];" + use);
  const auto apart = [&](const std::string& between) {
    return "ld.global.u32 %r2, [%out4]; add.u32 %r2, %r2, 1;" + between +
           "ld.global.u32 %r3, [%out4+4096];" + use;
  };
  Run moved(apart("")), held(apart("st.global.u32 [%out4+8192], %r2;"));
  const double one = ns_of(times().dram_latency), path = alone(modelled(together), Limit::Path);
  const double late = 0.11 * one;  // of two lines that come together from DRAM, the second one
  CHECK(alone(modelled(held), Limit::Path) - path == Approx(one - late).epsilon(0.05));
  // The compiler moves a load up: as far as the block begins, and not over a store.
  CHECK(alone(modelled(moved), Limit::Path) - path == Approx(0).margin(ns_of(6)));
}

TEST_CASE(
    "of lines that are waited for together the last one is late, if they are different ones") {
  const auto path = [](int apart) {
    std::string loads = "mov.u32 %r2, 0;", sum;
    for (int i = 0; i < 4; ++i) {
      const std::string to = "%r" + std::to_string(4 + i);
      loads += "ld.global.u32 " + to + ", [%out4+" + std::to_string(i * apart) + "];";
      sum += "add.u32 %r2, %r2, " + to + ";";
    }
    Run run(loads + sum + "st.global.u32 [%out4], %r2;");
    return alone(modelled(run), Limit::Path);
  };
  CHECK(path(4096) - path(0) == Approx(ns_of(0.22 * times().dram_latency)).epsilon(0.1));
}

TEST_CASE("a round of a loop waits for what it takes from the round before") {
  // Each load's address depends on the load before.
  const std::string chase =
      "and.b32 %r2, %r2, 0; mul.wide.u32 %rd8, %r2, 4; add.u64 %rd9, %out, %rd8; "
      "ld.global.u32 %r2, [%rd9];";
  const double round = round_cycles(chase, 32);
  CHECK(round > times().l1_latency);
  CHECK(round < times().l1_latency + 40);
}

TEST_CASE("loads of a loop that the compiler unrolls are on their way together") {
  const auto path = [](const std::string& body, bool counted) {
    Run run(looped(body, 200, counted));
    return alone(modelled(run), Limit::Path);
  };
  const std::string weak = "ld.global.cg.u32 %r3, [%out]; add.u32 %r2, %r2, %r3;";
  CHECK(path(weak, true) < path(weak, false) / 3);
  const std::string chain =
      "ld.global.cg.u32 %r3, [%rd9]; and.b32 %r3, %r3, 0; cvt.u64.u32 %rd8, %r3; "
      "add.u64 %rd9, %out, %rd8;";
  const std::string start = "mov.u64 %rd9, %out; ";
  Run chased(start + looped(chain, 200, true)), summed(start + looped(weak, 200, true));
  CHECK(alone(modelled(chased), Limit::Path) > ns_of(200 * times().l2_latency));
  CHECK(alone(modelled(summed), Limit::Path) < ns_of(200 * times().l2_latency) / 3);
}

TEST_CASE("what the launch before has written is nearer than DRAM") {
  Run run("ld.global.u32 %r2, [%out4]; add.u32 %r2, %r2, 1; st.global.u32 [%out4], %r2;");
  auto& space = memory::AddressSpace::instance();
  auto& buffer = space.allocate(4096, memory::Kind::Device, 0);
  std::memset(buffer.bytes, 0, 4096);
  Modelling modelling;
  run.request.observer = &modelling;
  run.request.params.resize(run.request.kernel->param_bytes);
  std::memcpy(run.request.params.data(), &buffer.address, 8);
  exec::launch(run.request);
  const double cold = alone(modelling.last(), Limit::Path);
  exec::launch(run.request);
  const double warm = alone(modelling.last(), Limit::Path);
  space.release(buffer.address);
  CHECK(cold - warm == Approx(ns_of(times().dram_latency - times().l2_latency)).epsilon(0.01));
}

TEST_CASE("what a program reads again is nearer, and DRAM has nothing to do for it") {
  const std::string loads = looped("ld.global.u32 %r2, [%out4]; add.u32 %r3, %r3, %r2;", 64);
  Run again(loads + "st.global.u32 [%out4], %r3;");
  again.block(32);
  const Modelled m = modelled(again);
  CHECK(alone(m, Limit::Dram) * times().dram_gbps == Approx(256));  // a line read, a line written
  CHECK(alone(m, Limit::Path) < ns_of(times().dram_latency + 64 * (times().l1_latency + 20)));
}

TEST_CASE("rows of DRAM that are opened for little of them take longer") {
  constexpr std::uint64_t kBytes = 64u << 20;
  LaunchCounts launch;
  launch.figures[LaunchCounter::DramRead] = kBytes;
  const auto dram = [&](std::uint64_t rows) {
    launch.rows_opened = rows;
    return memory_side(launch, {}, h200(), h200().multiprocessors).dram;
  };
  const double whole = dram(kBytes / Footprint::kRowBytes);
  CHECK(whole == Approx(kBytes / times().dram_gbps));
  CHECK(dram(kBytes / 64) > 1.4 * whole);
  CHECK(dram(kBytes / 64) < 1.7 * whole);
}

TEST_CASE("lanes far apart take a pass through the banks of L1 each, sectors take L2") {
  const std::string at = "mul.wide.u32 %rd8, %t, 128; add.u64 %rd9, %out, %rd8; ";
  Run apart(at + "ld.global.u32 %r2, [%rd9]; st.global.u32 [%rd9], %r2;");
  Run side("ld.global.u32 %r2, [%out4]; st.global.u32 [%out4], %r2;");
  apart.block(256), side.block(256);
  const Modelled a = modelled(apart), s = modelled(side);
  CHECK(alone(a, Limit::L1) == Approx(32 * alone(s, Limit::L1)));
  CHECK(alone(a, Limit::L2) > 7 * alone(s, Limit::L2));
}

TEST_CASE("shared memory and L1 have one pipe: their times add up") {
  const auto time = [](double shared, double l1) {
    Parts parts;
    parts[Limit::Shared] = shared;
    parts[Limit::L1] = l1;
    Modelled m;
    put_together(m, parts);
    return m;
  };
  CHECK(time(300, 200).ns == Approx(500));
  CHECK(time(300, 200).limit == Limit::Shared);
  CHECK(time(200, 300).ns == Approx(500));
  CHECK(time(200, 300).limit == Limit::L1);
  CHECK(time(0, 300).ns == Approx(300));
}

TEST_CASE("atomics on many addresses queue at the slices of L2") {
  const std::string at =
      "and.b32 %r2, %t, 7; mul.wide.u32 %rd8, %r2, 32; add.u64 %rd9, %out, %rd8; ";
  Run chunk(at + "red.global.add.u32 [%rd9], 1;");
  chunk.grid(4).block(256);
  CHECK(alone(modelled(chunk), Limit::Atomics) ==
        Approx(4 * 256 * times().slice_atomic_ns).epsilon(0.01));
}

TEST_CASE("doubles and special functions have units of their own") {
  Run doubles("cvt.rn.f64.u32 %rd1, %t; fma.rn.f64 %rd2, %rd1, %rd1, %rd1;");
  CHECK(alone(modelled(doubles), Limit::Units) > 0);
}

TEST_CASE("more blocks than the GPU holds take turns") {
  Run once("bar.sync 0; bar.sync 0;"), twice("bar.sync 0; bar.sync 0;");
  once.grid(64).block(256), twice.grid(128).block(256);
  const double one = alone(modelled(once), Limit::Path), two = alone(modelled(twice), Limit::Path);
  CHECK(two == Approx(2 * one + ns_of(times().block_turnover)));  // the place is empty for a while
}

TEST_CASE("a division is many instructions, a parameter none") {
  Run division("rem.u32 %r2, %t, 3; st.global.u32 [%out4], %r2;");
  Run addition("add.u32 %r2, %t, 3; st.global.u32 [%out4], %r2;");
  CHECK(alone(modelled(division), Limit::Issue) > 2 * alone(modelled(addition), Limit::Issue));
  CHECK(alone(modelled(division), Limit::Path) > alone(modelled(addition), Limit::Path));
}

const WhatIf* without(const Modelled& m, std::string_view what) {
  for (const WhatIf& w : m.what_if)
    if (w.without == what) return &w;
  return nullptr;
}

TEST_CASE("what would be if one cost were gone, the dearest first") {
  Run queue("mov.b32 %r2, 0f3f800000; red.global.add.f32 [%out], %r2;");
  queue.grid(64).block(256);
  const Modelled atomics = modelled(queue);
  REQUIRE(without(atomics, "atomics in one place"));
  CHECK(atomics.what_if.front().without == "atomics in one place");
  CHECK(atomics.what_if.front().ns < atomics.ns / 5);
  CHECK_FALSE(without(atomics, "bank conflicts"));
  CHECK(atomics.because.find("16384 atomics queue for one sector") != std::string::npos);

  const std::string at = ".shared .align 4 .b8 s[32768]; shl.b32 %r3, %t, 7; ";
  Run banks(at + looped("ld.volatile.shared.u32 %r2, [%r3]; add.u32 %r4, %r4, %r2;", 200));
  banks.grid(132).block(256);
  const Modelled conflicts = modelled(banks);
  CHECK(conflicts.limit == Limit::Shared);
  REQUIRE(without(conflicts, "bank conflicts"));
  CHECK(without(conflicts, "bank conflicts")->ns < conflicts.ns / 2);
  for (std::size_t i = 1; i < conflicts.what_if.size(); ++i)
    CHECK(conflicts.what_if[i - 1].ns <= conflicts.what_if[i].ns);

  const std::string far = "mul.wide.u32 %rd8, %t, 128; add.u64 %rd9, %out, %rd8; ";
  Run scattered(far + looped("ld.global.cg.u32 %r2, [%rd9]; add.u32 %r3, %r3, %r2;", 200, true));
  scattered.grid(512).block(256);
  const Modelled apart = modelled(scattered);
  REQUIRE(without(apart, "uncoalesced accesses"));
  CHECK(without(apart, "uncoalesced accesses")->ns < apart.ns / 2);
}

TEST_CASE("a time that nobody asks to explain has no explanation, and is the same") {
  Run run("mov.b32 %r2, 0f3f800000; red.global.add.f32 [%out], %r2;");
  run.grid(64).block(256);
  const Modelled explained = modelled(run, 4096);
  Modelling modelling;
  modelling.add_sink(
      [&](const LaunchCounts& launch, const Modelled&) { CHECK(launch.lines.empty()); });
  run.request.observer = &modelling;
  run.words(4096);
  CHECK(modelling.last().ns == explained.ns);
  CHECK(modelling.last().limit == explained.limit);
  CHECK(modelling.last().because.empty());
  CHECK(modelling.last().what_if.empty());
  CHECK_FALSE(explained.because.empty());
  CHECK_FALSE(explained.what_if.empty());
}

TEST_CASE("the time and its limit stand in the JSON and in the annotated source") {
  Modelling modelling;
  modelling.set_explained(true);
  std::string json;
  Annotation annotation;
  modelling.add_sink([&](const LaunchCounts& launch, const Modelled& m) {
    json = to_json(launch, &m);
    annotation.add(launch, &m);
  });
  Run run("mov.b32 %r2, 0f3f800000; red.global.add.f32 [%out], %r2;");
  run.grid(64).block(256).request.observer = &modelling;
  run.words(4096);
  CHECK(json.find("\"model\": {\"modelled_ns\": 2") != std::string::npos);
  CHECK(json.find("\"limited_by\": \"atomics\", \"percent\": 98") != std::string::npos);
  CHECK(json.find("\"atomics\": 28088") != std::string::npos);
  const std::string text = annotation.text();
  INFO(text);
  CHECK(text.find("modelled: 28.8 us") != std::string::npos);
  CHECK(json.find("\"because\": \"16384 atomics queue") != std::string::npos);
  CHECK(json.find("\"what_if\": [{\"without\": \"atomics in one place\"") != std::string::npos);
  CHECK(text.find("  because 16384 atomics queue") != std::string::npos);
  CHECK(text.find("  without atomics in one place: ") != std::string::npos);
  CHECK(text.find("limited by atomics in one place (98 %)") != std::string::npos);
}

}  // namespace
}  // namespace emu::observe

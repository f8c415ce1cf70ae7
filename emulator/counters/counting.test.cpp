// SPDX-License-Identifier: MIT
// The counting observer on kernels whose numbers can be written down, and what is made of them.
#include "counters/counting.hpp"

#include <set>

#include "annotate/annotate.hpp"
#include "annotate/counters_json.hpp"
#include "engine/run_ptx.test.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

LaunchCounts counted(Run& run, std::size_t words = 4096) {
  Counting counting;
  run.request.observer = &counting;
  run.words(words);
  return counting.last();
}

TEST_CASE("instructions are counted per warp, per thread and per thread that is on") {
  Run run("setp.lt.u32 %p1, %t, 8; @%p1 mov.u32 %r2, 1; @%p1 bra OUT; mov.u32 %r3, 2; OUT:");
  run.block(48);
  const LaunchCounts c = counted(run);
  using enum Counter;
  CHECK(c.counts[Inst] == run.stats.warp_instructions);
  // 6 before, setp, mov, bra, mov, ret; in the second warp 16 threads, none below 8.
  CHECK(c.counts[Inst] == 22);
  CHECK(c.counts[ThreadInst] == 11 * 32 - 8 + 11 * 16);
  CHECK(c.counts[ThreadInstOn] == (11 * 32 - 8 - 2 * 24) + (11 * 16 - 2 * 16));
  CHECK(c.counts[Branch] == 2);
  CHECK(c.counts[BranchDivergent] == 1);
  CHECK(c.counts[BranchUniform] == 1);
}

TEST_CASE("global accesses are counted by kind, with their footprint") {
  Run run(
      R"(ld.global.u32 %r2, [%out4]; st.global.u32 [%out4+128], %r2; red.global.add.u32 [%out], 1;
             atom.global.add.u32 %r3, [%out+4], 1; add.u32 %r4, %r3, 1; atom.global.add.u32 %r5, [%out4], 1;)");
  run.grid(2);
  const LaunchCounts c = counted(run);
  using enum Counter;
  CHECK(c.counts[GlobalLdRequests] == 2);
  CHECK(c.counts[GlobalLdSectors] == 8);
  CHECK(c.counts[GlobalLdBytes] == 256);
  CHECK(c.counts[GlobalStSectors] == 8);
  CHECK(c.counts[GlobalAtomRequests] == 2);
  CHECK(c.counts[GlobalAtomSectors] == 2 * 32);  // one address: lane after lane
  CHECK(c.counts[GlobalAtomBytes] == 2 * 4);
  // The last atom's result is not read: ptxas makes a reduction of it.
  CHECK(c.counts[GlobalRedRequests] == 4);
  CHECK(c.counts[GlobalRedSectors] == 2 * 32 + 8);
  CHECK(c.counts[GlobalSectors] == 8 + 8 + 2 + 10);
  CHECK(c.counts[GlobalExcess] == 0);
  CHECK(c.counts[GlobalAtomics] == 6 * 32);
  CHECK(c.counts[GlobalAtomicSerial] == 2 * (32 + 32 + 1));
  using L = LaunchCounter;
  CHECK(c.figures[L::Blocks] == 2);
  CHECK(c.figures[L::BlockThreads] == 32);
  CHECK(c.figures[L::ReadFootprint] == 8);
  CHECK(c.figures[L::WriteFootprint] == 12);
  CHECK(c.figures[L::Footprint] == 12);
  CHECK(c.figures[L::AtomicAddresses] == 64);
  CHECK(c.figures[L::AtomicsMost] == 65);
  CHECK(c.figures[L::AtomicRequestsMost] == 3);
  CHECK(c.figures[L::Waves] == 1);
}

TEST_CASE("what accesses that are not side by side touch beyond the least is their excess") {
  Run run("mad.wide.u32 %rd2, %t, 8, %out; ld.global.u32 %r2, [%rd2]; st.global.u32 [%out4], %r2;");
  const LaunchCounts c = counted(run);
  CHECK(c.counts[Counter::GlobalSectors] == 8 + 4);
  CHECK(c.counts[Counter::GlobalIdeal] == 4 + 4);
  CHECK(c.counts[Counter::GlobalExcess] == 4);
}

TEST_CASE("shared and local accesses, barriers and shuffles are counted") {
  Run run(R"(
    .shared .b32 tile[1024]; .local .align 8 .b8 own[24]; mov.u32 %r2, tile; mad.lo.u32 %r3, %t, 8, %r2; mad.lo.u32 %r4, %t, 128, %r2;
    st.shared.u32 [%r3], %t; bar.sync 0; ld.shared.u32 %r5, [%r4]; st.local.u32 [own+4], %t; ld.local.u32 %r6, [own+4];
    shfl.sync.bfly.b32 %r7, %t, 1, 31, -1; atom.shared.add.u32 %r8, [tile], 1;)");
  const LaunchCounts c = counted(run);
  using enum Counter;
  CHECK(c.counts[SharedStRequests] == 1);
  CHECK(c.counts[SharedStWavefronts] == 2);
  CHECK(c.counts[SharedLdWavefronts] == 32);
  CHECK(c.counts[SharedAtomRequests] == 1);
  CHECK(c.counts[SharedAtomicSerial] == 32);
  CHECK(c.counts[SharedAtomWavefronts] == 32);
  CHECK(c.counts[SharedConflicts] == 1 + 31 + 31);
  CHECK(c.counts[LocalStSectors] == 4);
  CHECK(c.counts[LocalLdSectors] == 4);
  CHECK(c.counts[LocalLdBytes] == 4);  // each lane at the same place of its own
  CHECK(c.counts[Barriers] == 1);
  CHECK(c.counts[Shuffles] == 1);
}

TEST_CASE("a match for any counts the different values that it looks for") {
  const auto values = [](const std::string& match) {
    Run run("and.b32 %r2, %t, 3; " + match);
    run.block(64);
    return counted(run).counts[Counter::MatchedValues];
  };
  CHECK(values("match.any.sync.b32 %r3, %r2, -1;") == 2 * 4);
  CHECK(values("match.any.sync.b32 %r3, %t, -1;") == 2 * 32);
  CHECK(values("match.all.sync.b32 %r3|%p1, %r2, -1;") == 0);
}

TEST_CASE("stores of neighbouring warps meet in a line, unless atomics gave them their places") {
  const auto rate = [](const char* place) {
    Run run(std::string("atom.global.add.u32 %r2, [%out], 1; ") + place +
            " mad.wide.u32 %rd2, %r3, 1, %out; st.global.u8 [%rd2+4096], %r2;");
    run.block(256);
    return counted(run).figures[LaunchCounter::L1HitRate];
  };
  CHECK(rate("mov.u32 %r3, %t;") > 0);
  CHECK(rate("mov.u32 %r3, %r2;") == 0);
}

TEST_CASE("loads that pass L1 ask the half of L2 that is near, those that must be new do not") {
  const auto rate = [](const char* how) {
    Run run(std::string("ld.global") + how + ".u32 %r2, [%out4]; st.global.u32 [%out4], %r2;");
    run.grid(512).block(256);
    return counted(run, 1 << 17).figures[LaunchCounter::L2HitRate];
  };
  // Where the buffer lies is another place each time, and so what is at home where.
  const std::uint64_t percent = kHundredths;
  CHECK(rate(".cg") <= rate("") + 2 * percent);
  CHECK(rate(".cg") + 2 * percent >= rate(""));
  CHECK(rate(".volatile") <= rate("") + 2 * percent);
  CHECK(rate(".volatile") + 2 * percent >= rate(""));
  CHECK(rate(".relaxed.gpu") > rate("") + 3 * percent);
}

TEST_CASE("stores that fill a sector on end go to L2 together, vectors as well as words") {
  const auto sent = [](const char* between) {
    Run run(std::string("st.global.v4.u32 [%out], {%r1, %r1, %r1, %r1}; ") + between +
            " st.global.v4.u32 [%out+16], {%r1, %r1, %r1, %r1};");
    return counted(run).figures[LaunchCounter::L2Sectors];
  };
  CHECK(sent("") < sent("ld.global.u32 %r2, [%out4+256];") - 1);
}

TEST_CASE(
    "what is computed for a few stores comes before the first one, so those go to L2 together") {
  // So many words of each thread, with some multiplications before each.
  const auto sent = [](int words, int multiplications) {
    std::string body = "mad.wide.u32 %rd0, %t, 64, %out; mov.u32 %r2, %t; ";
    for (int k = 0; k < words; ++k) {
      for (int i = 0; i < multiplications; ++i) body += "mul.lo.u32 %r2, %r2, 5; ";
      body += "st.global.u32 [%rd0+" + std::to_string(4 * k) + "], %r2; ";
    }
    Run run(body);
    return counted(run).figures[LaunchCounter::L2Sectors];
  };
  CHECK(sent(3, 20) == sent(3, 0));
  CHECK(sent(8, 20) > sent(8, 0));  // too many to keep them all
}

TEST_CASE("loads come before stores to other words beside them, so those go to L2 together") {
  const std::string place =
                        "mad.wide.u32 %rd0, %t, 8, %out; add.u64 %rd1, %rd0, 4; "
                        "add.u64 %rd2, %out, 4; mad.wide.u32 %rd3, %t, 8, %rd2; ",
                    stores = "st.global.u32 [%rd0], %r2; st.global.u32 [%rd0+4], %r3; ";
  const auto sectors = [&](const std::string& body) {
    Run run(place + body);
    return counted(run).figures[LaunchCounter::L2Sectors];
  };
  const std::uint64_t first =
      sectors("ld.global.u32 %r2, [%rd0]; ld.global.u32 %r3, [%rd0+4]; " + stores);
  const auto changed = [&](const std::string& second) {  // one word after the other
    return sectors("ld.global.u32 %r2, [%rd0]; st.global.u32 [%rd0], %r2; ld.global.u32 %r3, " +
                   second + "; st.global.u32 [%rd0+4], %r3; ");
  };
  CHECK(changed("[%rd0+4]") == first);
  CHECK(changed("[%rd1]") == first);  // a constant behind the other
  CHECK(changed("[%rd3]") > first);   // who knows where that is
  CHECK(changed("[%rd0]") > first);   // what was just stored
  CHECK(sectors("ld.global.u32 %r2, [%rd0]; st.global.u32 [%rd0], %r2; ld.volatile.global.u32 %r3, "
                "[%rd0+4]; st.global.u32 [%rd0+4], %r3; ") > first);
}

TEST_CASE("fences, releases and what orders the whole system are counted") {
  Run run(R"(
    fence.acq_rel.gpu; membar.sys; st.release.gpu.global.u32 [%out4], %t; st.relaxed.sys.global.u32 [%out4], %t;
    ld.acquire.sys.global.u32 %r2, [%out4]; atom.acq_rel.gpu.global.add.u32 %r3, [%out4], %r2; st.global.u32 [%out4], %r3;)");
  const LaunchCounts c = counted(run);
  CHECK(c.counts[Counter::Fences] == 2);
  CHECK(c.counts[Counter::Releases] == 2);
  CHECK(c.counts[Counter::SystemScope] == 3);
}

TEST_CASE("a word is handed on by exchanges that change it and by stores with release") {
  const auto handed = [](const std::string& body, std::uint32_t threads) {
    Run run(body);
    run.grid(2).block(threads);
    const LaunchCounts c = counted(run);
    return std::pair{c.figures[LaunchCounter::ExchangesMost],
                     c.figures[LaunchCounter::ReleasesMost]};
  };
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  const std::string take = "atom.global.cas.b32 %r2, [%out], 0, 1;";  // the first lane of all
  CHECK(handed(take + "atom.global.exch.b32 %r3, [%out+4], %t;", 32) == Pair{2 * 32 - 1, 0});
  // Lane 0 finds the 0 that it puts there.
  CHECK(handed("st.release.gpu.global.u32 [%out], %t;", 64) == Pair{0, 2 * 64});
  CHECK(handed("st.global.u32 [%out], %t; st.relaxed.gpu.global.u32 [%out], %t;", 64) ==
        Pair{0, 0});
  // Adding waits for nobody, and nobody else has these words.
  CHECK(handed("atom.global.add.u32 %r2, [%out], 1;", 64) == Pair{0, 0});
  CHECK(handed("atom.global.exch.b32 %r2, [%out4], 7;", 32) == Pair{0, 0});
}

TEST_CASE("a compare-and-swap on shared memory goes through the banks twice") {
  Run run(R"(
    .shared .b32 tile[32]; mov.u32 %r2, tile; mad.lo.u32 %r3, %t, 4, %r2; atom.shared.cas.b32 %r4, [%r3], 0, 1;)");
  const LaunchCounts c = counted(run);
  CHECK(c.counts[Counter::SharedAtomRequests] == 1);
  CHECK(c.counts[Counter::SharedAtomWavefronts] == 2);
  CHECK(c.counts[Counter::SharedConflicts] == 0);
}

TEST_CASE("a branch table counts as a branch, divergent where lanes choose differently") {
  const auto table = [](std::string_view index) {
    return "T: .branchtargets A, B; " + std::string(index) +
           " brx.idx %r2, T; A: mov.u32 %r3, 1; B: mov.u32 %r3, 2;";
  };
  using enum Counter;
  Run same(table("mov.u32 %r2, 1;"));
  const LaunchCounts one = counted(same);
  CHECK(one.counts[Branch] == 1);
  CHECK(one.counts[BranchDivergent] == 0);
  Run parted(table("and.b32 %r2, %t, 1;"));
  const LaunchCounts two = counted(parted);
  CHECK(two.counts[Branch] == 2);  // one for each place that lanes go to
  CHECK(two.counts[BranchDivergent] == 1);
  CHECK(two.counts[BranchUniform] == 1);
}

TEST_CASE("an asynchronous copy is one request of its warp, whatever its lanes take") {
  const std::string copies =
      R"(.shared .align 16 .b8 tile[512]; mov.u32 %r2, tile; mad.lo.u32 %r3, %t, 16, %r2;
    mad.wide.u32 %rd1, %t, 16, %out; and.b32 %r4, %t, 16;)";
  const std::string wait = "cp.async.wait_all;";
  using enum Counter;
  Run whole(copies + "cp.async.cg.shared.global [%r3], [%rd1], 16;" + wait);
  Run sizes(copies + "cp.async.cg.shared.global [%r3], [%rd1], 16, %r4;" + wait);
  for (Run* run : {&whole, &sizes}) {
    const LaunchCounts c = counted(*run);
    const unsigned sectors = run == &whole ? 16 : 8;  // half of the lanes take nothing
    CHECK(c.counts[CopyRequests] == 1);
    CHECK(c.counts[CopySectors] == sectors);
    CHECK(c.counts[CopyBytes] == 32 * sectors);
    CHECK(c.counts[CopyWavefronts] == 4);
    CHECK(c.counts[GlobalLdRequests] == 1);
    CHECK(c.counts[GlobalLdSectors] == sectors);
    CHECK(c.counts[GlobalLdBytes] == 0);
    CHECK(c.counts[GlobalSectors] == sectors);
  }
}

TEST_CASE("an error ends the count of its launch, and the next starts from nothing") {
  Run run("mov.u64 %rd1, 64; st.global.u32 [%rd1], %t;");
  Counting counting;
  int told = 0;
  counting.add_sink([&](const LaunchCounts& c) { told += c.failed ? 1 : 10; });
  run.request.observer = &counting;
  run.error(exec::FaultKind::OutOfBounds);
  CHECK(counting.last().failed);
  const auto first = counting.last().counts[Counter::Inst];
  CHECK(first > 0);
  run.error(exec::FaultKind::OutOfBounds);
  CHECK(counting.last().counts[Counter::Inst] == first);
  CHECK(told == 2);
}

TEST_CASE("counting changes neither results nor the number of instructions") {
  Run plain("mad.lo.u32 %r2, %t, 3, %i; st.global.u32 [%out4], %r2;");
  plain.grid(3);
  const auto expected = plain.words(96);
  const auto instructions = plain.stats.warp_instructions;
  Counting counting;
  plain.request.observer = &counting;
  CHECK(plain.words(96) == expected);
  CHECK(plain.stats.warp_instructions == instructions);
}

TEST_CASE("a launch as JSON names every counter; a line only those it has") {
  LaunchCounts launch;
  launch.kernel = R"(k("quoted"))";
  launch.counts[Counter::Inst] = 7;
  launch.lines.push_back({"dir/a.cu", 3, launch.counts});
  const std::string text = to_json(launch);
  for (const auto& info : counter_table()) CHECK(text.find(info.name) != std::string::npos);
  CHECK(text.find(R"(k(\"quoted\"))") != std::string::npos);
  CHECK(
      text.find(
          R"({"file": "dir/a.cu", "line": 3, "counters": {"smsp__sass_inst_executed.sum": 7}})") !=
      std::string::npos);
}

TEST_CASE("a percentage has two decimals in the JSON, as in Nsight Compute") {
  LaunchCounts launch;
  const auto written = [&](std::uint64_t hundredths, const char* number) {
    launch.figures[LaunchCounter::L1HitRate] = hundredths;
    return to_json(launch).find(std::string("\"l1tex__t_sector_hit_rate.pct\": ") + number) !=
           std::string::npos;
  };
  CHECK(written(0, "0.00,"));
  CHECK(written(7, "0.07,"));
  CHECK(written(4350, "43.50,"));
  CHECK(written(100 * kHundredths, "100.00,"));
}

TEST_CASE("no two counters have one name, and each says what it means") {
  std::set<std::string_view> names;
  for (const auto table : {counter_table(), launch_counter_table()}) {
    for (const auto& info : table) {
      CHECK(names.insert(info.name).second);
      CHECK_FALSE(info.unit.empty());
      CHECK_FALSE(info.meaning.empty());
    }
  }
}

TEST_CASE("an annotation adds the launches of a kernel up and shows its lines") {
  LaunchCounts launch;
  launch.kernel = "sum(float*)";
  Counts line;
  line[Counter::Inst] = 10;
  line[Counter::ThreadInstOn] = 200;
  line[Counter::GlobalLdRequests] = 4;
  line[Counter::GlobalSectors] = 34;
  line[Counter::GlobalIdeal] = 16;
  launch.counts = line;
  launch.lines.push_back({"no/such/file.cu", 12, line});
  Annotation annotation;
  annotation.add(launch);
  annotation.add(launch);
  const std::string text = annotation.text();
  INFO(text);
  CHECK(text.find("sum(float*): 2 launches, 20 warp instructions (of the PTX), 20.0 lanes") !=
        std::string::npos);
  CHECK(text.find("8.5") != std::string::npos);
  CHECK(text.find("12 | (the source file cannot be read)") != std::string::npos);
  CHECK(text.find("conflicts  ") == std::string::npos);  // no line has any: no column
  CHECK(Annotation().text().empty());
}

}  // namespace
}  // namespace emu::observe

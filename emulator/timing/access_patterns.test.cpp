// SPDX-License-Identifier: MIT
// Rules of the model that depend on what the compiler behind the PTX and the first-level cache make of accesses.
#include "engine/run_ptx.test.hpp"
#include "timing/modelling.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

double time_of(const std::string& body, Limit limit, std::uint32_t threads = 32) {
  Run run(body);
  run.block(threads);
  Modelling modelling;
  run.request.observer = &modelling;
  run.words(1 << 16);
  return modelling.last().alone[static_cast<std::size_t>(limit)];
}
double way(const std::string& body) {
  const double ns_per_cycle = 1e6 / devices::find("h200")->sm_clock_khz;
  return time_of(body, Limit::Path) / ns_per_cycle;
}
const devices::Timing& h200_times() { return devices::timing(*devices::find("h200")); }

TEST_CASE("a loop that looks for a word elsewhere each time is no waiting") {
  const std::string look =
      "mov.u32 %r9, 0; L: atom.global.cas.b32 %r2, [%out], 7, 7; add.u64 %out, %out, 4; "
      "setp.eq.u32 %p2, %r2, 5; @%p2 bra OUT; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 100; "
      "@%p1 bra L; OUT:";
  CHECK(way(look) > 100 * h200_times().atomic_latency);
}

TEST_CASE("parameters that are indexed are compared one by one, up to 32 words") {
  const auto way_of = [](int words) {
    std::string body =
        ".local .align 16 .b8 own[256]; mov.u64 %rd8, own; and.b32 %r5, %t, 1; "
        "mul.wide.u32 %rd9, %r5, 4; add.u64 %rd9, %rd8, %rd9; ld.param.u32 %r2, [p0]; ";
    for (int k = 0; k < words; ++k)
      body += "st.local.u32 [%rd8+" + std::to_string(4 * k) + "], %r2; ";
    return way(body + "ld.local.u32 %r3, [%rd9]; st.global.u32 [%out4], %r3;");
  };
  CHECK(way_of(32) == Approx(way_of(16) + 16 * 12).margin(4));
  CHECK(way_of(33) < way_of(4));  // the machine has an instruction that indexes
}

TEST_CASE("words of a sector that are stored right after each other go to L2 together") {
  // `fields` words of each thread, whose structures are so many bytes apart.
  const auto stores = [](int fields, int apart) {
    std::string body =
        "mul.wide.u32 %rd8, %t, " + std::to_string(apart) + "; add.u64 %rd9, %out, %rd8; ";
    for (int k = 0; k < fields; ++k)
      body += "st.global.u32 [%rd9+" + std::to_string(4 * k) + "], %t; ";
    return time_of(body, Limit::L2);
  };
  CHECK(stores(4, 16) < 1.2 * stores(1, 16));
  CHECK(stores(4, 64) > 2 * stores(1, 64));             // each for 16 lines
  CHECK(stores(4, 128) == Approx(4 * stores(1, 128)));  // for 32: the one before has left
}

TEST_CASE("... fewer of them if each has a predicate of its own") {
  const auto stores = [](bool predicates) {
    std::string body = "mul.wide.u32 %rd8, %t, 16; add.u64 %rd9, %out, %rd8; ";
    for (int k = 0; k < 4; ++k) {
      const std::string n = std::to_string(k);
      if (predicates) body += "setp.gt.u32 %p1, %t, 40; @%p1 bra L" + n + "; ";
      body += "st.global.u32 [%rd9+" + std::to_string(4 * k) + "], %t; ";
      if (predicates) body += "L" + n + ": ";
    }
    return time_of(body, Limit::L2);
  };
  CHECK(stores(true) > 1.5 * stores(false));
  CHECK(stores(true) < 3 * stores(false));
}

TEST_CASE("... fewer of them if the words were read before") {
  const auto stores = [](const std::string& from) {
    std::string body = "mul.wide.u32 %rd8, %t, 32; add.u64 %rd9, %out, %rd8; ";
    for (int k = 0; k < 8; ++k)
      body += "ld.global.u32 %r" + std::to_string(4 + k) + ", [%rd9+" + from + "]; ";
    for (int k = 0; k < 8; ++k)
      body +=
          "st.global.u32 [%rd9+" + std::to_string(4 * k) + "], %r" + std::to_string(4 + k) + "; ";
    return time_of(body, Limit::L2);
  };
  CHECK(stores("0") > 1.3 * stores("8192"));
}

TEST_CASE("stores that come faster than they can leave do not wait for each other") {
  const auto sent = [](int sums) {
    std::string body = "mul.wide.u32 %rd8, %t, 32; add.u64 %rd9, %out, %rd8; ";
    for (int k = 0; k < sums; ++k) body += "add.u32 %r3, %r3, %t; ";
    for (int k = 0; k < 8; ++k) body += "st.global.u32 [%rd9+" + std::to_string(4 * k) + "], %r3; ";
    Run run(body);
    run.grid(132).block(1024);
    run.request.resident_blocks = 2 * 132;
    Modelling modelling;
    std::uint64_t sectors = 0;
    modelling.add_sink([&](const LaunchCounts& launch, const Modelled&) {
      sectors = launch.figures[LaunchCounter::L2Sectors];
    });
    run.request.observer = &modelling;
    run.words(1 << 16);
    return number(sectors);
  };
  CHECK(sent(0) > 2 * sent(2000));
}

TEST_CASE("local stores of few lanes take as long as whole sectors, and longer") {
  const auto stores = [](const std::string& lanes, const std::string& what) {
    return time_of(".local .align 16 .b32 own[8]; and.b32 %r3, %t, 7; setp.lt.u32 %p1, %r3, " +
                       lanes + "; @%p1 st.local." + what +
                       "; ld.local.u32 %r2, [own]; "
                       "st.global.u32 [%out4], %r2;",
                   Limit::L2);
  };
  CHECK(stores("1", "u32 [own], %t") > 1.1 * stores("8", "u32 [own], %t"));
  const std::string vector = "v4.u32 [own], {%t, %t, %t, %t}";
  CHECK(stores("1", vector) > 1.1 * stores("8", vector));
}

TEST_CASE("... wherever their addresses were computed, unless it took long") {
  const auto stores = [](int words, const std::string& sum, int sums) {
    std::string body = "mul.wide.u32 %rd8, %t, " + std::to_string(4 * words) + "; ";
    for (int k = 0; k < words; ++k) {
      const std::string to = "%rd" + std::to_string(4 + k % 3);
      body += "add.u64 " + to + ", %out, %rd8; add.u64 " + to + ", " + to + ", " +
              std::to_string(4 * k) + "; st.global.u32 [" + to + "], %t; ";
      for (int i = 0; i < sums; ++i) body += sum + " %r3, %r3, %t; ";
    }
    return time_of(body, Limit::L2);
  };
  CHECK(stores(3, "add.u32", 0) == Approx(stores(3, "add.u32", 20)));
  CHECK(stores(3, "add.u32", 0) < 0.6 * stores(3, "div.u32", 1));
  // More than the compiler keeps until it stores them all.
  CHECK(stores(6, "add.u32", 0) < 0.6 * stores(6, "add.u32", 20));
  CHECK(stores(6, "add.u32", 10) == Approx(stores(6, "add.u32", 20)));
}

TEST_CASE("what is loaded is handed to every lane, even if all ask for the same") {
  const auto loads = [](const std::string& what) {
    return time_of("ld.global." + what + ", [%out]; st.global.u32 [%out4], %r2;", Limit::L1);
  };
  const double word = loads("u32 %r2"), four = loads("v4.u32 {%r2, %r3, %r4, %r5}");
  const double ns_per_cycle = 1e6 / devices::find("h200")->sm_clock_khz;
  CHECK(four - word == Approx(3 * ns_per_cycle).margin(0.01));
}

TEST_CASE("loads behind short branches are asked for together") {
  const auto loads = [](const std::string& branch, const std::string& label) {
    std::string body = ".shared .align 4 .b8 s[512]; setp.gt.u32 %p1, %t, 40; ";
    for (int k = 0; k < 3; ++k) {
      const std::string n = std::to_string(k);
      body += branch + (branch.empty() ? "" : "X" + n + "; ") + "ld.global.u32 %r" +
              std::to_string(2 + k) + ", [%out4+" + std::to_string(4096 * k) +
              "]; st.shared.u32 [s+" + std::to_string(128 * k) + "], %r" + std::to_string(2 + k) +
              "; " + (label.empty() ? "" : "X" + n + ": ");
    }
    return way(body + "ret;");
  };
  const double plain = loads("", "");
  CHECK(plain < 2 * h200_times().dram_latency);
  CHECK(loads("@%p1 bra ", "X") < plain + 100);
}

TEST_CASE("loads behind what the compiler calls a function for are not asked for before it") {
  const auto loads = [](const std::string& between) {
    std::string body = "mov.b32 %r2, 0f3f800000; mov.b32 %r3, %r2; ";
    for (int k = 0; k < 3; ++k)
      body += "ld.global.f32 %r" + std::to_string(4 + k) + ", [%out4+" + std::to_string(4096 * k) +
              "]; add.f32 %r2, %r2, %r" + std::to_string(4 + k) + "; " + between;
    return way(body + "st.global.f32 [%out4], %r2;");
  };
  const double once = loads("");
  CHECK(once < 2 * h200_times().dram_latency);
  CHECK(loads("div.full.f32 %r2, %r2, %r3; ") < 2 * h200_times().dram_latency);
  CHECK(loads("sqrt.approx.f32 %r2, %r2; ") < 2 * h200_times().dram_latency);
  CHECK(loads("div.rn.f32 %r2, %r2, %r3; ") > 3 * h200_times().dram_latency);
  CHECK(loads("sqrt.rn.f32 %r2, %r2; ") > 3 * h200_times().dram_latency);
}

TEST_CASE("loads behind ways of a few operations on registers are asked for together") {
  const auto loads = [](const std::string& in_between) {
    std::string body = "mov.u32 %r5, 0; ";
    for (int k = 0; k < 3; ++k) {
      const std::string n = std::to_string(k), got = "%r" + std::to_string(6 + k);
      body += "ld.global.u32 " + got + ", [%out4+" + std::to_string(4096 * k) +
              "]; setp.gt.u32 %p1, " + got + ", %r5; @%p1 bra A" + n + "; setp.eq.u32 %p2, " + got +
              ", 7; @%p2 bra A" + n + "; bra B" + n + "; A" + n + ": " + in_between +
              " mov.u32 %r5, " + got + "; B" + n + ": ";
    }
    return way(body + "st.global.u32 [%out4], %r5;");
  };
  CHECK(loads("") < 2 * h200_times().dram_latency);
  CHECK(loads("bar.warp.sync -1;") > 3 * h200_times().dram_latency);
}

// 256 threads read `what` from places that are so far apart, of a table of 8 KiB.
double constants(int apart, const std::string& what = "u32 %r3", std::uint32_t blocks = 1) {
  Run run("and.b32 %r2, %t, 255; mul.lo.u32 %r2, %r2, " + std::to_string(apart) +
              "; mov.u32 %r4, %ctaid.x; mul.lo.u32 %r4, %r4, 1024; add.u32 %r2, %r2, %r4; "
              "mov.u64 %rd2, table; cvt.u64.u32 %rd3, %r2; add.u64 %rd2, %rd2, %rd3; ld.const." +
              what + ", [%rd2]; st.global.u32 [%out4], %r3;",
          ".const .align 16 .b8 table[8192];");
  run.grid(blocks).block(256);
  Modelling modelling;
  run.request.observer = &modelling;
  run.words(1 << 16);
  return modelling.last().alone[static_cast<std::size_t>(Limit::L1)];
}

TEST_CASE("lanes that want different constants wait less where they read little of a table") {
  CHECK(constants(16) > 3 * constants(4));
  const double one = constants(4), each_its_own = constants(4, "u32 %r3", 8);
  CHECK(each_its_own ==
        Approx(one).epsilon(0.1));  // all of it is read, by different multiprocessors
}

TEST_CASE("four constants of a lane are two loads of the machine") {
  const double pair = constants(16, "v2.u32 {%r3, %r5}"),
               four = constants(16, "v4.u32 {%r3, %r5, %r6, %r7}");
  CHECK(four > 1.7 * pair);
}

TEST_CASE("a match takes as long as it has values to look for") {
  const auto match = [](const std::string& value) {
    return way(value + " match.any.sync.b32 %r3, %r2, -1; st.global.u32 [%out4], %r3;");
  };
  const double all = match("mov.u32 %r2, %t;"), one = match("and.b32 %r2, %t, 0;");
  CHECK(all > one + 0.8 * h200_times().match_latency);
}

TEST_CASE("a divisor is needed earlier than what it divides") {
  const auto divide = [](const std::string& by) {
    return way("ld.global.u32 %r2, [%out4]; or.b32 %r2, %r2, 1; div.u32 %r3, " + by +
               "; st.global.u32 [%out4], %r3;");
  };
  CHECK(divide("%t, %r2") > divide("%r2, %t") + h200_times().special_latency);
}

TEST_CASE("a warp waits for the last of many lines from DRAM") {
  const auto load = [](int stride) {
    return way("mul.wide.u32 %rd8, %t, " + std::to_string(stride) +
               "; add.u64 %rd9, %out, %rd8; ld.global.u32 %r2, [%rd9]; st.global.u32 [%rd9], %r2;");
  };
  CHECK(load(128) > load(4) + 0.3 * h200_times().dram_latency);
  CHECK(load(16) < load(4) + 0.1 * h200_times().dram_latency);
}

TEST_CASE("the first-level cache serves a warp's accesses one after the other, line by line") {
  // Eight words that each lane loads, or stores, so far from those of the next lane.
  const auto eight = [](const std::string& what, int apart) {
    std::string body = "mul.wide.u32 %rd8, %t, " + std::to_string(apart) +
                       "; add.u64 %rd9, %out, %rd8; mov.u32 %r9, 0; mov.u32 %r3, 1; L: ";
    for (int word = 0; word < 8; ++word)
      body += what + "[%rd9+" + std::to_string(4 * word) + "], %r3; ";
    return way(body + "add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 100; @%p1 bra L;");
  };
  const double rounds = 100, accesses = 8 * rounds;
  // An H200 takes two cycles for each line that is stored to.
  CHECK(eight("st.global.u32 ", 128) > accesses * 32 * 1.9);
  CHECK(eight("st.global.u32 ", 128) < accesses * 32 * 2.2);
  CHECK(eight("st.global.u32 ", 4) < accesses * 10);
}

TEST_CASE("lanes at different places of their own arrays are served one after the other") {
  const auto path = [](const std::string& place) {
    return way(".local .b32 own[32]; mov.u64 %rd8, own; " + place +
               "mul.wide.u32 %rd9, %r2, 4; add.u64 %rd9, %rd8, %rd9; st.local.u32 [%rd9], %t; "
               "ld.local.u32 %r3, [%rd9]; st.global.u32 [%out4], %r3;");
  };
  CHECK(path("and.b32 %r2, %t, 31; ") > path("mov.u32 %r2, 5; ") + 100);
}

// Four blocks of two warps take what there is from a counter, or each thread has as much.
double taken(const std::string& next, std::uint32_t pieces) {
  Run run("mov.u32 %r9, %t; L: " + next + "setp.ge.u32 %p2, %r9, " + std::to_string(pieces) +
          "; @%p2 bra OUT; mov.u32 %r8, 0; WORK: add.u32 %r8, %r8, 1; mul.lo.u32 %r3, %r3, %r8; "
          "setp.lt.u32 %p1, %r8, 200; @%p1 bra WORK; bra L; OUT: st.global.u32 [%out4+64], %r3;");
  run.block(64);
  run.grid(4);
  Modelling modelling;
  run.request.observer = &modelling;
  run.words(1 << 16);
  return modelling.last().alone[static_cast<std::size_t>(Limit::Path)];
}

TEST_CASE("of what threads take from a counter each has its share, whoever comes first here") {
  const std::string ticket = "atom.global.add.u32 %r9, [%out], 1; ";
  const double one = taken(ticket, 256), four = taken(ticket, 4 * 256);
  CHECK(four > 3 * one);
  CHECK(four < 5 * one);
  // A leader takes it for its warp.
  const std::string leader =
      "atom.global.add.u32 %r2, [%out], 1; "
      "shfl.sync.idx.b32 %r9, %r2, 0, 31, -1; ";
  CHECK(taken(leader, 4 * 256) < 5 * one);
}

TEST_CASE("two words of constant memory that lie side by side are asked for as one") {
  const auto ask = [](const std::string& second) {
    Run run(
        "and.b32 %r2, %t, 15; mul.wide.u32 %rd8, %r2, 16; mov.u64 %rd9, table; "
        "add.u64 %rd9, %rd9, %rd8; ld.const.u32 %r3, [%rd9]; " +
            second + "add.u32 %r3, %r3, %r4; st.global.u32 [%out4], %r3;",
        ".const .align 16 .b32 table[64];");
    run.block(256);
    Modelling modelling;
    run.request.observer = &modelling;
    run.words(1 << 16);
    return modelling.last().alone[static_cast<std::size_t>(Limit::L1)];
  };
  const double one = ask("mov.u32 %r4, 1; ");
  CHECK(ask("ld.const.u32 %r4, [%rd9+4]; ") == Approx(one));
  CHECK(ask("ld.const.u32 %r4, [%rd9+8]; ") > 1.8 * one);
}

// Loads of 16 words of a table that is so many bytes long, by 256 threads that all want the same ones.
double table_words(const std::string& place, int bytes, const std::string& before = "") {
  std::string body =
      "mov.u64 %rd9, table; cvt.u64.u32 %rd8, %ctaid.x; add.u64 %rd9, %rd9, %rd8; " + before;
  for (int k = 0; k < 16; ++k)
    body += "ld.const.u32 %r3, [" + place + "+" + std::to_string(k * bytes / 16) +
            "]; add.u32 %r2, %r2, %r3; ";
  Run run(body + "st.global.u32 [%out4], %r2;",
          ".const .align 16 .b8 table[" + std::to_string(bytes) + "];");
  run.block(256);
  Modelling modelling;
  run.request.observer = &modelling;
  run.words(1 << 16);
  return modelling.last().alone[static_cast<std::size_t>(Limit::Units)] *
         devices::find("h200")->sm_clock_khz / 1e6;
}

TEST_CASE("constants are loads of a unit of their own, if their place is not known before") {
  const double loads = 8 * 16;
  CHECK(table_words("%rd9", 256) == Approx(loads * 1.7));
  CHECK(table_words("table", 256) < 0.5 * loads);
}

TEST_CASE("wide loads of shared memory are waited for longer, and hold up the next one") {
  const auto loads = [](const std::string& type, const std::string& to) {
    return way(".shared .align 16 .b8 tile[64]; ld.shared." + type + " " + to +
               ", [tile]; st.global.u32 [%out4], %r2;");
  };
  const double one = loads("u32", "%r2"), four = loads("v4.u32", "{%r2, %r3, %r4, %r5}");
  CHECK(four - one == Approx(9 + 3).margin(2));  // until the last word is there, and for the pipe
}

TEST_CASE("what has a predicate instead of a branch is issued, even if no lane wants it") {
  const auto issued = [](const std::string& condition) {
    return time_of("mov.u32 %r9, 0; L: add.u32 %r9, %r9, 1; and.b32 %r3, %r9, " + condition +
                       "; setp.ne.u32 %p2, %r3, 0; @%p2 bra OVER; add.u32 %r2, %r2, 1; "
                       "mul.lo.u32 %r2, %r2, %r2; OVER: setp.lt.u32 %p1, %r9, 100; @%p1 bra L; "
                       "st.global.u32 [%out4], %r2;",
                   Limit::Issue);
  };
  CHECK(issued("1") == Approx(issued("0")).epsilon(0.02));
}

}  // namespace
}  // namespace emu::observe

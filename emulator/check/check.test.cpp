// SPDX-License-Identifier: MIT
// The checks on small kernels in PTX, and what is written of findings. tests/checks has the corpus in CUDA.
#include "check/check.hpp"

#include "check/findings_file.hpp"
#include "engine/run_ptx.test.hpp"

namespace emu::check {
namespace {

using exec::testing::Run;

struct Checked {
  explicit Checked(Wanted wanted) : checker(wanted, findings) {}
  std::vector<std::string> said;
  Findings findings{[this](const std::string& text) { said.push_back(text); }};
  Checker checker;
};

Wanted only_races() {
  Wanted wanted;
  wanted.race = true;
  return wanted;
}

std::uint64_t races(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1) {
  Checked checked(only_races());
  Run run(body);
  run.block(threads).grid(blocks);
  run.request.observer = &checked.checker;
  run.words(256);
  return checked.findings.errors();
}

const std::string kStore =
    ".shared .align 4 .b8 s[512];\nmov.u32 %r2, s; shl.b32 %r3, %t, 2; add.u32 %r4, %r2, %r3;\n"
    "xor.b32 %r5, %r3, 252; add.u32 %r6, %r2, %r5; st.shared.u32 [%r4], %t;\n";
const std::string kLoad = "ld.shared.u32 %r7, [%r6]; st.global.u32 [%out4], %r7;";

}  // namespace

TEST_CASE("a barrier between writing and reading is missed where it is missing") {
  CHECK(races(kStore + kLoad, 64) == 2);  // one warp reads first, the other writes first
  CHECK(races(kStore + "bar.sync 0;" + kLoad, 64) == 0);
  CHECK(races(kStore + "bar.warp.sync 0xffffffff;" + kLoad, 64) != 0);
}

TEST_CASE("where not all accesses are looked at, it is said once") {
  Wanted wanted = only_races();
  wanted.records = 3;
  for (const std::string& body :
       {kStore + "bar.sync 0;" + kLoad, std::string("st.global.u32 [%out4], %t;")}) {
    Checked checked(wanted);
    Run run(body);
    run.block(128).grid(1);
    run.request.observer = &checked.checker;
    run.words(128);
    REQUIRE(checked.findings.all().size() == 1);
    CHECK(checked.findings.all().front().id == "race-not-all");
    CHECK(checked.findings.errors() == 0);
  }
}

TEST_CASE("the scope of an atomic counts") {
  CHECK(races("red.relaxed.gpu.global.add.u32 [%out], 1;", 32, 2) == 0);
  CHECK(races("red.relaxed.cta.global.add.u32 [%out], 1;", 32, 1) == 0);
  CHECK(races("red.relaxed.cta.global.add.u32 [%out], 1;", 32, 2) == 1);
}

TEST_CASE("bytes of one word are no neighbours of each other") {
  const std::string bytes =
      "cvt.u64.u32 %rd2, %t; add.u64 %rd2, %rd2, %out; st.global.u8 [%rd2], %t;";
  CHECK(races(bytes, 64) == 0);
  CHECK(races(bytes + "ld.global.u32 %r7, [%out]; st.global.u32 [%out4+512], %r7;", 64) != 0);
}

TEST_CASE("what nobody wrote is reported where its value is used") {
  Wanted wanted;
  wanted.init = true;
  const auto found = [&](const std::string& use) {
    Checked checked(wanted);
    Run run(".shared .align 4 .b8 s[128];\nld.shared.u32 %r7, [s];" + use +
            "st.global.u32 [%out4], %r7;");
    run.request.observer = &checked.checker;
    run.words(32);
    return checked.findings.errors();
  };
  CHECK(found("add.u32 %r7, %r7, 1;") == 1);
  CHECK(found("") == 0);  // it is copied only
  CHECK(found("mov.u32 %r8, %r7; add.u32 %r9, %r7, 1; mov.u32 %r7, %r8;") == 0);  // so it is here
  CHECK(found("add.u32 %r8, %r7, 1; mov.u32 %r7, %t;") == 0);  // and here it is dropped
  CHECK(found("setp.eq.u32 %p1, %r7, 5; @%p1 bra NEXT; NEXT: mov.u32 %r7, 1;") == 1);
  // Lanes that lie outside take something else: in a branch, or by a choice.
  CHECK(
      found("setp.lt.u32 %p1, %t, 0; @%p1 bra NEXT; mov.u32 %r7, %t; NEXT: add.u32 %r7, %r7, 1;") ==
      0);
  CHECK(
      found("setp.lt.u32 %p1, %t, 1; @%p1 bra NEXT; mov.u32 %r7, %t; NEXT: add.u32 %r7, %r7, 1;") ==
      1);
  CHECK(found("setp.lt.u32 %p1, %t, 0; add.u32 %r8, %r7, 1; selp.u32 %r7, %r8, %t, %p1;") == 0);
  CHECK(found("setp.lt.u32 %p1, %t, 1; add.u32 %r8, %r7, 1; selp.u32 %r7, %r8, %t, %p1;") == 1);
}

TEST_CASE("what a shuffle gets from nobody is reported where it is stored") {
  Wanted wanted;
  wanted.sync = true;
  const auto found = [&](const std::string& body) {
    Checked checked(wanted);
    Run run(
        "mov.u32 %r2, 7; setp.lt.u32 %p1, %t, 16; @!%p1 bra OUT;\n"
        "shfl.sync.down.b32 %r3, %t, 8, 31, 65535;" +
        body + "OUT: st.global.u32 [%out4], %r2;");
    run.request.observer = &checked.checker;
    run.words(32);
    return checked.findings.errors();
  };
  CHECK(found("add.u32 %r2, %r3, 1;") == 1);
  CHECK(found("") == 0);  // nobody uses it
  CHECK(found("setp.lt.u32 %p2, %t, 8; selp.b32 %r2, %r3, 0, %p2;") == 0);
  CHECK(found("setp.lt.u32 %p2, %t, 9; selp.b32 %r2, %r3, 0, %p2;") == 1);
}

TEST_CASE("checks have names") {
  std::string wrong;
  const auto all = parse_wanted("1", wrong);
  REQUIRE(all);
  CHECK((all->race && all->init && all->sync && all->api && all->leak));
  const auto two = parse_wanted("race,leak", wrong);
  REQUIRE(two);
  CHECK((two->race && two->leak && !two->init && !two->api));
  CHECK_FALSE(parse_wanted("race,speed", wrong));
  CHECK(wrong == "speed");
}

TEST_CASE("findings are told once, counted, and written as JSON and SARIF") {
  std::vector<std::string> said;
  Findings findings([&](const std::string& text) { said.push_back(text); });
  Finding f;
  f.id = "race-shared";
  f.title = "race in shared memory,";
  f.kernel = "k<\"quoted\">(int*)";
  f.what = "s[1]";
  f.parties = {{"thread (0,0,0)", "writes 1", "a b.cu:3", "/src/a b.cu", 3, {}},
               {"thread (1,0,0)", "reads 1", "a b.cu:4", "/src/a b.cu", 4, {}}};
  findings.add(f);
  findings.add(f);
  CHECK(said.size() == 1);
  CHECK(findings.all().front().count == 2);
  CHECK(findings.summary() == "1 error found by the checks; what they name happened 2 times");
  const std::string json = to_json(findings.all()), sarif = to_sarif(findings.all());
  CHECK(json.find("k<\\\"quoted\\\">(int*)") != json.npos);
  CHECK(json.find("\"line\": 4") != json.npos);
  CHECK(sarif.find("file:///src/a%20b.cu") != sarif.npos);
  CHECK(sarif.find("\"startLine\": 4") != sarif.npos);
}

}  // namespace emu::check

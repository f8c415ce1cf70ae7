// SPDX-License-Identifier: MIT
// How lanes of a warp part and meet again, and when a split gives way to others.
#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

constexpr std::uint32_t kFull = 0xffffffffu;

TEST_CASE("lanes meet again behind an if and else") {
  const auto got = Run(R"(
    setp.lt.u32 %p1, %t, 10; @%p1 bra THEN;
    activemask.b32 %r2; bra JOIN;
    THEN: activemask.b32 %r2;
    JOIN: activemask.b32 %r3;
    add.u32 %r4, %r2, 0; mad.wide.u32 %rd1, %t, 8, %out; st.global.v2.u32 [%rd1], {%r4, %r3};)")
                       .words(64);
  for (std::uint32_t t = 0; t < 32; ++t) {
    CHECK(got[2 * t] == (t < 10 ? 0x3ffu : ~0x3ffu));
    CHECK(got[2 * t + 1] == kFull);
  }
}

TEST_CASE("nested branches meet inside out") {
  const auto got = Run(R"(
    and.b32 %r2, %t, 1; setp.ne.u32 %p1, %r2, 0; and.b32 %r3, %t, 2; setp.ne.u32 %p2, %r3, 0;
    @%p1 bra ODD;
    @%p2 bra E2; mov.u32 %r5, 1; bra EJ; E2: mov.u32 %r5, 2;
    EJ: activemask.b32 %r6; bra JOIN;
    ODD: @%p2 bra O2; mov.u32 %r5, 3; bra OJ; O2: mov.u32 %r5, 4;
    OJ: activemask.b32 %r6;
    JOIN: activemask.b32 %r7;
    setp.ne.u32 %p3, %r7, -1; @%p3 trap;
    shl.b32 %r8, %r5, 28; xor.b32 %r6, %r6, %r8; st.global.u32 [%out4], %r6;)")
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) {
    const std::uint32_t which = 1 + (t & 1) * 2 + (t >> 1 & 1);
    CHECK(got[t] == ((t & 1 ? 0xaaaaaaaau : 0x55555555u) ^ (which << 28)));
  }
}

TEST_CASE("lanes that leave a loop early wait behind it for the others") {
  const auto got = Run(R"(
    mov.u32 %r2, 0;
    LOOP: add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %t; @%p1 bra LOOP;
    activemask.b32 %r3; setp.ne.u32 %p2, %r3, -1; @%p2 trap;
    st.global.u32 [%out4], %r2;)")
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == t + 1);
}

// Of four lanes the first gets the first word, the next one the second, and so on: one of them leaves in each round.
const std::string kTaken =
    "atom.global.cas.b32 %r3, [%rd1], 0, 1; add.u64 %rd1, %rd1, 4; setp.ne.u32 %p1, %r3, 0;";
const std::string kFirstWord = "and.b32 %r2, %t, 28; mad.wide.u32 %rd1, %r2, 4, %out;";

TEST_CASE(
    "lanes that leave a loop whose end others decide go on at once, those of a round together") {
  const std::string behind = "activemask.b32 %r4; st.global.u32 [%out4+128], %r4;";
  const auto [what, loop] = GENERATE_COPY(table<const char*, std::string>(
      {{"at its end", "LOOP:" + kTaken + "@%p1 bra LOOP;"},
       {"in the middle", "LOOP:" + kTaken + "@!%p1 bra END; bra LOOP; END:"},
       {"after a first try", kTaken + "@!%p1 bra END; LOOP:" + kTaken + "@%p1 bra LOOP; END:"}}));
  INFO(what);
  const auto got = Run(kFirstWord + loop + behind).words(64);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[32 + t] == 0x11111111u << t % 4);
}

TEST_CASE("lanes that left such a loop meet the others again where they come back to before it") {
  const auto got =
      Run("mov.u32 %r5, 0; OUTER: activemask.b32 %r6; setp.ne.u32 %p3, %r6, -1; @%p3 trap;" +
          kFirstWord + "mad.wide.u32 %rd1, %r5, 128, %rd1; LOOP:" + kTaken +
          R"(@%p1 bra LOOP; activemask.b32 %r4; st.global.u32 [%out4+512], %r4;
                       add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra OUTER;)")
          .words(160);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[128 + t] == 0x11111111u << t % 4);
}

TEST_CASE("lanes that leave a loop with a compare-and-swap that does not decide its end wait") {
  const auto got = Run(kFirstWord + "mov.u32 %r5, 0; LOOP:" + kTaken + R"(
    add.u32 %r5, %r5, 1; setp.le.u32 %p2, %r5, %t; @%p2 bra LOOP;
    activemask.b32 %r4; st.global.u32 [%out4+512], %r4;)")
                       .words(160);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[128 + t] == kFull);
}

TEST_CASE("lanes that break wait behind the loop, lanes that continue wait at its head") {
  // for (i = 0; i < 8; ++i) { head; if (i == t) continue; if (i == t % 8 + 4) break; tail; }
  const auto got = Run(R"(
    mov.u32 %r2, -1; mov.u32 %r3, 0; mov.u32 %r4, 0; and.b32 %r6, %t, 7; add.u32 %r6, %r6, 4;
    HEAD: add.u32 %r2, %r2, 1; setp.ge.u32 %p1, %r2, 8; @%p1 bra BEHIND;
    activemask.b32 %r7; popc.b32 %r7, %r7; add.u32 %r3, %r3, %r7;
    setp.eq.u32 %p2, %r2, %t; @%p2 bra HEAD;
    setp.eq.u32 %p3, %r2, %r6; @%p3 bra BEHIND;
    add.u32 %r4, %r4, 1; bra HEAD;
    BEHIND: activemask.b32 %r5; setp.ne.u32 %p4, %r5, -1; @%p4 trap;
    shl.b32 %r4, %r4, 16; or.b32 %r3, %r3, %r4; st.global.u32 [%out4], %r3;)")
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) {
    std::uint32_t heads = 0, tails = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
      std::uint32_t there = 0;  // lanes that have not left before iteration i
      for (std::uint32_t other = 0; other < 32; ++other) {
        there += other == i || other % 8 + 4 >= i || other % 8 + 4 == other;
      }
      heads += there;
      if (i == t) continue;
      if (i == t % 8 + 4) break;
      ++tails;
    }
    INFO("lane " << t);
    CHECK(got[t] >> 16 == tails);
    CHECK((got[t] & 0xffff) == heads);
  }
}

TEST_CASE("a branch table sends each lane to its own place") {
  const auto got = Run(R"(
    and.b32 %r2, %t, 3; TABLE: .branchtargets A, B, C, A;
    brx.idx %r2, TABLE;
    A: activemask.b32 %r3; bra JOIN;
    B: activemask.b32 %r3; or.b32 %r3, %r3, 1; bra JOIN;
    C: activemask.b32 %r3; or.b32 %r3, %r3, 2;
    JOIN: activemask.b32 %r4; setp.ne.u32 %p1, %r4, -1; @%p1 trap;
    st.global.u32 [%out4], %r3;)")
                       .words();
  const std::uint32_t want[] = {0x99999999u, 0x22222223u, 0x44444446u, 0x99999999u};
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == want[t & 3]);
  CHECK(says(Run("mov.u32 %r2, 2; TABLE: .branchtargets A, A; brx.idx %r2, TABLE; A:")
                 .error(FaultKind::BadOperand),
             "index 2, the table has 2 targets"));
}

TEST_CASE("lanes that exit are gone from masks, the rest goes on") {
  const auto got = Run(R"(
    setp.ge.u32 %p1, %t, 20; @%p1 exit;
    activemask.b32 %r2; bar.warp.sync 0xffffffff;
    vote.sync.ballot.b32 %r3, 1, 0xffffffff; xor.b32 %r2, %r2, %r3; or.b32 %r2, %r2, %r3;
    st.global.u32 [%out4], %r3;)")
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == (t < 20 ? 0xfffffu : 0));
}

TEST_CASE("the last warp has as many lanes as the block has threads left") {
  const auto got = Run("activemask.b32 %r2; st.global.u32 [%out4], %r2;").block(40).words(64);
  for (std::uint32_t t = 0; t < 64; ++t) CHECK(got[t] == (t < 32 ? kFull : t < 40 ? 0xffu : 0));
}

TEST_CASE("a naive spin lock taken by every lane of a warp ends") {
  const auto got = Run(R"(
    add.u64 %rd1, %out, 64;
    LOOP: atom.global.cas.b32 %r2, [%out], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra LOOP;
    ld.volatile.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%rd1], %r3;
    membar.gl; atom.global.exch.b32 %r4, [%out], 0;)")
                       .grid(3)
                       .block(64)
                       .words();
  CHECK(got[0] == 0);
  CHECK(got[16] == 192);
}

TEST_CASE("a loop that waits gives way although its lanes part and meet in every round") {
  // The second warp sets the flag; the first polls it with an if and else in the loop.
  const std::string body = R"(
    setp.ge.u32 %p1, %t, 32; @%p1 bra SET; mov.u32 %r5, 0; setp.lt.u32 %p3, %t, 7;
    LOOP: @%p3 bra ODD; add.u32 %r5, %r5, 1; bra J; ODD: add.u32 %r5, %r5, 2;
    J: ld.volatile.global.u32 %r2, [%out]; setp.eq.u32 %p2, %r2, 0; @%p2 bra LOOP;
    bra END; SET: st.volatile.global.u32 [%out], 1; END:)";
  CHECK(Run(body).block(64).words()[0] == 1);
  // Without the second warp it is a run-away or a livelock, but it ends.
  Run alone(R"(
    mov.u32 %r5, 0; setp.lt.u32 %p3, %t, 7;
    LOOP: @%p3 bra ODD; mov.u32 %r5, 1; bra J; ODD: mov.u32 %r5, 2;
    J: ld.volatile.global.u32 %r2, [%out]; setp.eq.u32 %p2, %r2, 0; @%p2 bra LOOP;)");
  CHECK(says(alone.error(FaultKind::Livelock), "lanes"));
}

TEST_CASE("a loop closed by a branch table gives way") {
  CHECK(Run(R"(
    setp.ge.u32 %p1, %t, 32; @%p1 bra SET;
    LOOP: ld.volatile.global.u32 %r2, [%out]; T: .branchtargets LOOP, END; brx.idx %r2, T;
    SET: st.volatile.global.u32 [%out], 1; END:)")
            .block(64)
            .words()[0] == 1);
}

TEST_CASE("lanes wait for a lane of their warp whose code lies behind their loop") {
  const auto got = Run(R"(
    setp.eq.u32 %p1, %t, 31; @%p1 bra SLOW;
    SPIN: ld.relaxed.gpu.global.u32 %r2, [%out]; setp.eq.u32 %p2, %r2, 0; @%p2 bra SPIN; bra END;
    SLOW: mov.u32 %r3, 0;
    L: add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 100; @%p3 bra L; st.relaxed.gpu.global.u32 [%out], %r3;
    END: setp.ne.u32 %p4, %t, 0; @%p4 st.global.u32 [%out4], 1;)")
                       .words();
  CHECK(got[0] == 100);
  for (std::uint32_t t = 1; t < 32; ++t) CHECK(got[t] == 1);
}

TEST_CASE("a kernel without an end stops at the instruction limit") {
  Run run("LOOP: add.u32 %r2, %r2, 1; st.global.u32 [%out], %r2; bra LOOP;");
  run.request.instruction_limit = 100'000;
  const auto report = run.error(FaultKind::InstructionLimit);
  CHECK(says(report, "100000 warp instructions"));
  CHECK(says(report, "WARPLADDER_INSTRUCTION_LIMIT"));
  CHECK(says(report, "block (0,0,0)"));
}

TEST_CASE("a long loop that touches no memory is not taken for a livelock") {
  const auto got = Run(R"(
    mov.u32 %r2, 0;
    L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 100000; @%p1 bra L; st.global.u32 [%out4], %r2;)")
                       .words();
  CHECK(got == filled(32, 100000));
}

TEST_CASE("clocks never run backwards and a wait by the clock ends") {
  const auto got = Run(R"(
    mov.u64 %rd1, %clock64; mov.u32 %r6, 0;
    L: mov.u64 %rd2, %clock64; setp.lt.u64 %p2, %rd2, %rd1; @%p2 trap;
    sub.u64 %rd3, %rd2, %rd1; setp.lt.u64 %p1, %rd3, 300000; mov.u64 %rd2, 0; mov.u64 %rd3, 0; @%p1 bra L;
    mov.u64 %rd4, %globaltimer; setp.lt.u64 %p2, %rd4, %rd1; @%p2 trap;
    mov.u32 %r2, %clock; setp.eq.u32 %p2, %r2, 0; @%p2 trap; st.global.u32 [%out4], 1;)")
                       .words();
  CHECK(got == filled(32, 1));
}

}  // namespace
}  // namespace emu::exec::testing

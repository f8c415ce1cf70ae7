// SPDX-License-Identifier: MIT
// Blocks of a grid: their order, how many are resident, what they may wait for, and that a launch
// is the same every time.
#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

TEST_CASE("blocks start in index order, x first, in three dimensions") {
  Run run(R"(
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y; mov.u32 %r4, %ctaid.z; mad.lo.u32 %r2, %r3, 10, %r2; mad.lo.u32 %r2, %r4, 100, %r2;
    atom.global.add.u32 %r5, [%out], 1; add.u32 %r5, %r5, 1; mad.wide.u32 %rd1, %r5, 4, %out; st.global.u32 [%rd1], %r2;)");
  run.request.grid = {3, 2, 2};
  run.request.block = {1, 1, 1};
  for (const std::uint32_t resident : {1u, 5u, 64u}) {
    run.request.resident_blocks = resident;
    CHECK(run.words(13) == Words{12, 0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112});
  }
}

TEST_CASE("special registers say where a thread is") {
  Run run(R"(
    mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; mov.u32 %r4, %tid.z; mov.u32 %r5, %laneid; mov.u32 %r6, %warpid;
    mov.u32 %r7, %ntid.y; mov.u32 %r8, %nctaid.x; mov.u32 %r9, %lanemask_lt;
    mad.lo.u32 %r10, %r4, 4, %r3; mad.lo.u32 %r10, %r10, 5, %r2; mad.wide.u32 %rd1, %r10, 32, %out;
    st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5}; st.global.v4.u32 [%rd1+16], {%r6, %r7, %r8, %r9};)");
  run.request.block = {5, 4, 3};
  const auto got = run.words(60 * 8);
  for (std::uint32_t t = 0; t < 60; ++t) {
    const Words want{t % 5, t / 5 % 4, t / 20, t % 32, t / 32, 4, 1, (1u << t % 32) - 1};
    CHECK(Words(got.begin() + t * 8, got.begin() + t * 8 + 8) == want);
  }
}

const std::string kTicketLock = R"(
    setp.ne.u32 %p1, %t, 0; @%p1 bra END;
    atom.global.add.u32 %r2, [%out], 1;
    WAIT: ld.volatile.global.u32 %r3, [%out+4]; setp.ne.u32 %p2, %r3, %r2; @%p2 bra WAIT;
    ld.volatile.global.u32 %r4, [%out+8]; add.u32 %r4, %r4, 1; st.volatile.global.u32 [%out+8], %r4;
    membar.gl; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%out+4], %r3; END:)";

TEST_CASE("a ticket lock between blocks works with any number of resident blocks") {
  for (const std::uint32_t resident : {1u, 3u, 100u}) {
    Run run(kTicketLock);
    run.grid(40).block(64);
    run.request.resident_blocks = resident;
    const auto got = run.words(4);
    CHECK(got[0] == 40);
    CHECK(got[1] == 40);
    CHECK(got[2] == 40);
  }
}

TEST_CASE("a block may wait for an earlier block") {
  Run run(R"(
    setp.ne.u32 %p1, %t, 0; mov.u32 %r2, %ctaid.x; mad.wide.u32 %rd1, %r2, 4, %out; setp.eq.u32 %p2, %r2, 0;
    @%p2 bra FIRST; WAIT: ld.acquire.gpu.global.u32 %r3, [%rd1+-4]; setp.eq.u32 %p3, %r3, 0; @%p3 bra WAIT; bra NEXT;
    FIRST: mov.u32 %r3, 0; NEXT: add.u32 %r3, %r3, 1; @!%p1 st.release.gpu.global.u32 [%rd1], %r3;)");
  run.grid(30).block(33);
  run.request.resident_blocks = 4;
  const auto got = run.words(30);
  for (std::uint32_t b = 0; b < 30; ++b) CHECK(got[b] == b + 1);
}

TEST_CASE(
    "a block that waits for one beyond the residence limit is reported with those that have not "
    "started") {
  Run run(R"(
    mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 3; @%p1 bra SET;
    WAIT: ld.volatile.global.u32 %r3, [%out]; setp.eq.u32 %p2, %r3, 0; @%p2 bra WAIT; bra END;
    SET: st.volatile.global.u32 [%out], 1; END:)");
  run.grid(5);
  run.request.resident_blocks = 2;
  const auto report = run.error(FaultKind::Livelock);
  CHECK(says(report, "threads loop and nothing they read will ever change"));
  CHECK(says(report, "3 blocks of the grid have not started"));
  CHECK(says(report, "holds 2 at once"));
  CHECK(says(report, "block (0,0,0) warp 0: lanes 0-31 run in a loop"));
  CHECK(says(report, "block (1,0,0)"));
  CHECK(says(report, "[%out]"));
  run.request.resident_blocks = 4;
  CHECK(run.words()[0] == 1);
}

TEST_CASE("a report about many warps is cut and says how many are left out") {
  const auto report =
      Run("WAIT: ld.volatile.global.u32 %r3, [%out]; setp.eq.u32 %p2, %r3, 0; @%p2 bra WAIT;")
          .block(1024)
          .error(FaultKind::Livelock);
  CHECK(says(report, "and 20 more"));
  CHECK(report.size() < 6000);
}

TEST_CASE("warps that pass a value on for ever are no livelock but a run-away") {
  // Memory changes in each pass, so that only the limit can end it.
  Run run("L: atom.global.add.u32 %r2, [%out], 1; bra L;");
  run.block(64);
  run.request.instruction_limit = 300'000;
  run.error(FaultKind::InstructionLimit);
}

TEST_CASE("a cooperative launch finds its workspace in %envreg1 and %envreg2, others find null") {
  const std::string read = R"(
    mov.b32 %r2, %envreg2; mov.b32 %r3, %envreg1; mov.b64 %rd1, {%r2, %r3}; setp.eq.u64 %p1, %rd1, 0; @%p1 bra NONE;
    setp.ne.u32 %p2, %t, 0; ld.global.u32 %r4, [%rd1]; @!%p2 atom.global.add.u32 %r5, [%rd1+4], 1;
    st.global.u32 [%out4], %r4; bra END; NONE: st.global.u32 [%out4], 7; END:)";
  Run run(read);
  CHECK(run.words() == filled(32, 7));
  run.request.cooperative = true;
  CHECK(run.words() == filled(32, 64));
}

TEST_CASE("a grid barrier in the workspace passes when all blocks are resident") {
  // As cooperative groups do it: count down with the top bit as the phase.
  Run run(R"(
    mov.b32 %r2, %envreg2; mov.b32 %r3, %envreg1; mov.b64 %rd1, {%r2, %r3}; add.u64 %rd1, %rd1, 4;
    mov.u32 %r9, %nctaid.x; mov.u32 %r10, %ctaid.x; mov.u32 %r11, 0; setp.ne.u32 %p1, %t, 0;
    ROUND: bar.sync 0; @%p1 bra MET; membar.gl; mov.u32 %r4, 1; sub.u32 %r5, %r9, 1; sub.u32 %r5, 0x80000000, %r5;
    setp.eq.u32 %p2, %r10, 0; selp.u32 %r4, %r5, %r4, %p2; atom.global.add.u32 %r6, [%rd1], %r4;
    SPIN: ld.volatile.global.u32 %r7, [%rd1]; xor.b32 %r7, %r7, %r6; setp.ge.s32 %p3, %r7, 0; @%p3 bra SPIN;
    MET: bar.sync 0; add.u32 %r11, %r11, 1; setp.lt.u32 %p4, %r11, 4; @%p4 bra ROUND;
    st.global.u32 [%out4], %r11;)");
  run.grid(7).block(64);
  run.request.cooperative = true;
  CHECK(run.words(7 * 64) == filled(7 * 64, 4));
}

TEST_CASE("the same launch gives the same memory and executes the same instructions") {
  const std::string body = R"(
    LOOP: atom.global.cas.b32 %r2, [%out], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra LOOP;
    ld.volatile.global.u32 %r3, [%out+4]; mad.lo.u32 %r3, %r3, 31, %i; st.volatile.global.u32 [%out+4], %r3;
    membar.gl; atom.global.exch.b32 %r4, [%out], 0;)";
  Run run(body);
  run.grid(5).block(40);
  run.request.resident_blocks = 3;
  const auto first = run.words();
  const auto count = run.stats.warp_instructions;
  for (int i = 0; i < 3; ++i) {
    CHECK(run.words() == first);
    CHECK(run.stats.warp_instructions == count);
  }
  Run fresh(body);
  fresh.grid(5).block(40);
  fresh.request.resident_blocks = 3;
  CHECK(fresh.words() == first);
  CHECK(fresh.stats.warp_instructions == count);
  observe::Observer silent;
  fresh.request.observer = &silent;
  CHECK(fresh.words() == first);
  CHECK(fresh.stats.warp_instructions == count);
}

TEST_CASE("a block that is used again starts with fresh registers, barriers and shared memory") {
  Run run(R"(
    .shared .b32 box; ld.volatile.shared.u32 %r2, [box]; mov.u32 %r3, 0x77; bar.sync 0; st.volatile.shared.u32 [box], %r3;
    setp.lt.u32 %p1, %t, 3; @%p1 exit; bar.sync 0; st.global.u32 [%out4], %r2;)");
  run.grid(4).block(48);
  run.request.resident_blocks = 1;
  const auto got = run.words(4 * 48);
  for (std::uint32_t i = 0; i < 4 * 48; ++i) CHECK(got[i] == (i % 48 < 3 ? 0u : 0xcdcdcdcdu));
}

}  // namespace
}  // namespace emu::exec::testing

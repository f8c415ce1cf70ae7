// SPDX-License-Identifier: MIT
// Where lanes, warps and blocks wait for each other: from one place or from several, all of them or
// some, and who is released when somebody exits.
#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

TEST_CASE("lanes meet in a warp-level instruction from both sides of an if") {
  const auto got = Run(R"(
    setp.lt.u32 %p1, %t, 16; @%p1 bra LOW;
    add.u32 %r2, %t, 100; shfl.sync.idx.b32 %r3, %r2, 0, 31, 0xffffffff; bra JOIN;
    LOW: add.u32 %r2, %t, 200; shfl.sync.idx.b32 %r3, %r2, 31, 31, 0xffffffff;
    JOIN: st.global.u32 [%out4], %r3;)")
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == (t < 16 ? 131u : 200u));
}

TEST_CASE("bar.warp.sync orders memory between the two sides of an if") {
  const auto got = Run(R"(
    setp.lt.u32 %p1, %t, 16; xor.b32 %r3, %t, 16; mad.wide.u32 %rd1, %r3, 4, %out; add.u64 %rd1, %rd1, 128;
    @%p1 bra LOW;
    st.global.u32 [%out4+128], %t; bar.warp.sync 0xffffffff; ld.global.u32 %r2, [%rd1]; bra JOIN;
    LOW: st.global.u32 [%out4+128], %t; bar.warp.sync 0xffffffff; ld.global.u32 %r2, [%rd1];
    JOIN: st.global.u32 [%out4], %r2;)")
                       .words(64);
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == (t ^ 16));
}

TEST_CASE("groups of lanes with their own masks do not wait for each other") {
  const auto got = Run(R"(
    shr.u32 %r2, %t, 3; shl.b32 %r3, %r2, 3; mov.u32 %r4, 255; shl.b32 %r4, %r4, %r3;
    redux.sync.add.u32 %r5, %t, %r4; st.global.u32 [%out4], %r5;)")
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == (t / 8 * 8) * 8 + 28);
}

TEST_CASE("one group may meet many times while another is elsewhere") {
  const auto got = Run(R"(
    setp.lt.u32 %p1, %t, 8; mov.u32 %r3, 0; @!%p1 bra REST; mov.u32 %r2, 0;
    L: redux.sync.add.u32 %r4, 1, 0xff; add.u32 %r3, %r3, %r4;
    add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 10; @%p2 bra L; bra JOIN;
    REST: redux.sync.add.u32 %r3, 1, 0xffffff00;
    JOIN: bar.warp.sync 0xffffffff; st.global.u32 [%out4], %r3;)")
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == (t < 8 ? 80u : 24u));
}

TEST_CASE("different instructions do not meet: the report says who waits for whom") {
  const auto report = Run(R"(
    setp.lt.u32 %p1, %t, 16; @%p1 bra LOW;
    redux.sync.add.u32 %r3, 1, 0xffffffff; bra JOIN;
    LOW: redux.sync.max.u32 %r3, 1, 0xffffffff;
    JOIN:)")
                          .error(FaultKind::Deadlock);
  CHECK(says(report, "deadlock in k"));
  CHECK(says(report, "lanes 0-15 wait for lanes 16-31"));
  CHECK(says(report, "lanes 16-31 wait for lanes 0-15"));
  CHECK(says(report, "redux.sync.max.u32"));
  CHECK(says(report, "block (0,0,0) warp 0"));
}

TEST_CASE("a lane that its own mask does not name is an error") {
  const auto report = Run("bar.warp.sync 0x7fffffff;").block(64).error(FaultKind::LaneNotInMask);
  CHECK(says(report, "lane 31"));
  CHECK(says(report, "0x7fffffff"));
  CHECK(says(report, "thread (31,0,0)"));
}

TEST_CASE("lanes that exit release those that wait for them") {
  const auto got = Run(R"(
    setp.lt.u32 %p1, %t, 4; @%p1 bra LATE;
    vote.sync.ballot.b32 %r2, 1, 0xffffffff; st.global.u32 [%out4], %r2; exit;
    LATE: mov.u32 %r3, 0; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 9; @%p2 bra L; exit;)")
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == (t < 4 ? 0u : 0xfffffff0u));
}

TEST_CASE("a full mask in a partly filled warp means the lanes there are") {
  const auto got =
      Run("redux.sync.add.u32 %r2, 1, 0xffffffff; st.global.u32 [%out4], %r2;").block(37).words(64);
  for (std::uint32_t t = 0; t < 37; ++t) CHECK(got[t] == (t < 32 ? 32u : 5u));
}

// ---- barriers of a block

TEST_CASE("a warp that has exited is not waited for at a barrier") {
  const auto got = Run(R"(
    setp.ge.u32 %p1, %t, 64; @%p1 exit; setp.lt.u32 %p2, %t, 5; @%p2 exit;
    bar.sync 0; st.global.u32 [%out4], 1;)")
                       .block(128)
                       .words(128);
  for (std::uint32_t t = 0; t < 128; ++t) CHECK(got[t] == (t >= 5 && t < 64));
}

TEST_CASE("lanes that exit while their warp waits at a barrier release it") {
  const auto got = Run(R"(
    setp.ge.u32 %p1, %t, 16; @%p1 bra OUT;
    barrier.sync 0; st.global.u32 [%out4], 1; exit;
    OUT: exit;)")
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == (t < 16));
}

TEST_CASE("two pairs of warps use two barriers with counts") {
  const auto got = Run(R"(
    .shared .b32 tile[128]; mov.u32 %r2, tile; mad.lo.u32 %r3, %t, 4, %r2;
    mov.u32 %r9, 0; shr.u32 %r4, %t, 6; add.u32 %r4, %r4, 1;
    L: add.u32 %r5, %t, %r9; st.shared.u32 [%r3], %r5; barrier.sync %r4, 64;
    xor.b32 %r6, %t, 32; mad.lo.u32 %r7, %r6, 4, %r2; ld.shared.u32 %r8, [%r7]; barrier.sync %r4, 64;
    add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 5; @%p1 bra L;
    st.global.u32 [%out4], %r8;)")
                       .block(128)
                       .words(128);
  for (std::uint32_t t = 0; t < 128; ++t) CHECK(got[t] == (t ^ 32) + 4);
}

TEST_CASE("producers arrive and go on, consumers wait") {
  // Two buffers' worth of rounds: full is barrier 1, empty is barrier 2.
  const auto got = Run(R"(
    .shared .b32 box[32]; mov.u32 %r2, box; and.b32 %r3, %t, 31; mad.lo.u32 %r2, %r3, 4, %r2;
    mov.u32 %r4, 0; mov.u32 %r6, 0; setp.ge.u32 %p1, %t, 32; @%p1 bra CONSUME;
    PRODUCE: barrier.sync 2, 64; st.shared.u32 [%r2], %r4; barrier.arrive 1, 64;
    add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 10; @%p2 bra PRODUCE; bra END;
    CONSUME: barrier.arrive 2, 64; barrier.sync 1, 64; ld.shared.u32 %r5, [%r2]; add.u32 %r6, %r6, %r5;
    add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 10; @%p2 bra CONSUME;
    END: st.global.u32 [%out4], %r6;)")
                       .block(64)
                       .words(64);
  for (std::uint32_t t = 0; t < 64; ++t) CHECK(got[t] == (t < 32 ? 0u : 45u));
}

TEST_CASE("barrier.red counts the lanes there are, from both sides of an if") {
  const auto got = Run(R"(
    setp.lt.u32 %p1, %t, 3; setp.ge.u32 %p2, %t, 32; @%p2 bra HIGH;
    barrier.red.popc.u32 %r2, 0, %p1; bra JOIN;
    HIGH: barrier.red.popc.u32 %r2, 0, !%p1;
    JOIN: st.global.u32 [%out4], %r2;)")
                       .block(40)
                       .words(64);
  for (std::uint32_t t = 0; t < 40; ++t) CHECK(got[t] == 3 + 8);
}

TEST_CASE("a barrier works again and again, also after red") {
  const auto got = Run(R"(
    mov.u32 %r2, 0; mov.u32 %r4, 0; setp.eq.u32 %p3, %t, 1;
    L: setp.eq.u32 %p1, %t, %r2; barrier.red.or.pred %p2, 0, %p1; selp.u32 %r3, 1, 0, %p2; add.u32 %r4, %r4, %r3;
    bar.sync 0; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 70; @%p2 bra L;
    st.global.u32 [%out4], %r4;)")
                       .block(64)
                       .words(64);
  CHECK(got == filled(64, 64));
}

TEST_CASE("lanes at two aligned barriers are a divergent barrier") {
  const auto report = Run(R"(
    setp.lt.u32 %p1, %t, 16; @%p1 bra LOW; bar.sync 0; bra JOIN; LOW: bar.sync 0; JOIN:)")
                          .error(FaultKind::DivergentBarrier);
  CHECK(says(report, "__syncthreads()"));
}

TEST_CASE("a barrier that part of a warp never reaches is reported with the lanes") {
  const auto report = Run(R"(
    setp.lt.u32 %p1, %t, 40; @%p1 bra WAIT;
    SPIN: ld.volatile.global.u32 %r2, [%out]; setp.eq.u32 %p2, %r2, 0; @%p2 bra SPIN; exit;
    WAIT: barrier.sync 3;)")
                          .block(64)
                          .error(FaultKind::Livelock);
  CHECK(says(report, "warp 0: lanes 0-31 wait at barrier 3"));
  CHECK(says(report, "warp 1: lanes 0-7 wait at barrier 3 for lanes 8-31 of their own warp"));
  CHECK(says(report, "warp 1: lanes 8-31 run in a loop"));
}

TEST_CASE("warps that wait at different barriers are a deadlock") {
  const auto report =
      Run("setp.ge.u32 %p1, %t, 32; @%p1 bra HIGH; bar.sync 1; exit; HIGH: bar.sync 2;")
          .block(64)
          .error(FaultKind::Deadlock);
  CHECK(says(report, "every thread that is left waits for another"));
  CHECK(says(report, "warp 0: lanes 0-31 wait at barrier 1"));
  CHECK(says(report, "warp 1: lanes 0-31 wait at barrier 2"));
  CHECK(says(report, "PTX line"));
}

TEST_CASE("lanes of one warp that name different barriers wait at each of them") {
  const auto report =
      Run("shr.u32 %r2, %t, 4; add.u32 %r2, %r2, 3; barrier.sync %r2;").error(FaultKind::Deadlock);
  CHECK(says(report, "lanes 0-15 wait at barrier 3 for lanes 16-31 of their own warp"));
  CHECK(says(report, "lanes 16-31 wait at barrier 4 for lanes 0-15 of their own warp"));
}

TEST_CASE("wrong barrier operands are named") {
  CHECK(says(Run("bar.sync 1, 33;").error(FaultKind::BadOperand), "33"));
  CHECK(says(Run("mov.u32 %r2, %t; barrier.sync %r2;").error(FaultKind::BadOperand),
             "barrier 16 does not exist"));
}

// ---- barriers of a cluster

TEST_CASE("cluster barrier: arrive, work, wait, several phases") {
  // Each block adds to its neighbour's counter between the phases; after the wait all see it.
  Run run(R"(
    .shared .b32 box; mov.u32 %r2, box; mov.u32 %r8, %cluster_ctarank; mov.u32 %r9, %cluster_nctarank;
    mov.u32 %r3, 0; setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [%r2], 0;
    add.u32 %r4, %r8, 1; rem.u32 %r4, %r4, %r9; mapa.shared::cluster.u32 %r5, %r2, %r4;
    barrier.cluster.arrive; barrier.cluster.wait;
    L: @%p1 atom.shared::cluster.add.u32 %r6, [%r5], 1; barrier.cluster.arrive.release;
    add.u32 %r3, %r3, 1; barrier.cluster.wait.acquire;
    ld.volatile.shared.u32 %r7, [%r2]; setp.ne.u32 %p2, %r7, %r3; @%p2 trap;
    barrier.cluster.arrive; barrier.cluster.wait;
    setp.lt.u32 %p3, %r3, 5; @%p3 bra L; st.global.u32 [%out4], %r7;)");
  run.grid(8).block(48);
  run.request.cluster = {4, 1, 1};
  CHECK(run.words(8 * 48) == filled(8 * 48, 5));
}

TEST_CASE("cluster barrier: threads that have exited are not waited for") {
  Run run(R"(
    mov.u32 %r8, %cluster_ctarank; setp.eq.u32 %p1, %r8, 1; @%p1 exit; setp.lt.u32 %p2, %t, 3; @%p2 exit;
    barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [%out4], 1;)");
  run.grid(2);
  run.request.cluster = {2, 1, 1};
  const auto got = run.words(64);
  for (std::uint32_t t = 0; t < 64; ++t) CHECK(got[t] == (t >= 3 && t < 32));
}

TEST_CASE("cluster barrier: a block that never arrives is reported with who waits") {
  Run run(R"(
    mov.u32 %r8, %cluster_ctarank; setp.eq.u32 %p1, %r8, 1; @%p1 bra OTHER;
    barrier.cluster.arrive; barrier.cluster.wait; exit;
    OTHER: barrier.sync 5, 64;)");
  run.grid(2);
  run.request.cluster = {2, 1, 1};
  const auto report = run.error(FaultKind::Deadlock);
  CHECK(says(report, "block (0,0,0) warp 0: lanes 0-31 wait at the cluster's barrier"));
  CHECK(says(report, "block (1,0,0) warp 0: lanes 0-31 wait at barrier 5"));
}

TEST_CASE("cluster barrier: arriving twice without a wait is an error") {
  Run run("barrier.cluster.arrive; barrier.cluster.arrive;");
  run.grid(2);
  run.request.cluster = {2, 1, 1};
  CHECK(says(run.error(FaultKind::BadOperand), "twice"));
}

}  // namespace
}  // namespace emu::exec::testing

// SPDX-License-Identifier: MIT
// Blocks that wait for others in a loop with a barrier in it, and loops that nothing ends.
#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

// while (!__syncthreads_or(*flag)) {}
const std::string kWait = R"(
    L: ld.volatile.global.u32 %r2, [%out]; setp.ne.u32 %p1, %r2, 0;
    bar.red.or.pred %p2, 0, %p1; @!%p2 bra L;)";

TEST_CASE("a block that waits at barriers for a later block comes to an end") {
  Run run("setp.ne.u32 %p3, %r0, 0; @%p3 bra SET;" + kWait + R"(
      st.global.u32 [%out+4], 5; bra DONE;
      SET: st.volatile.global.u32 [%out], 1; DONE:)");
  run.grid(2).block(64);
  CHECK(run.words(2) == Words{1, 5});
}

TEST_CASE("a block that waits at barriers for what never comes is reported") {
  Run run(kWait);
  run.grid(2).block(64);
  CHECK(says(run.error(FaultKind::Livelock), "nothing they read will ever change"));
}

TEST_CASE("the instruction limit ends loops of barriers that no other rule ends") {
  const std::string counts = "L: bar.sync 0; add.u32 %r2, %r2, 1; bra L;";
  const std::string cluster =
      "L: barrier.cluster.arrive; barrier.cluster.wait; add.u32 %r2, %r2, 1; bra L;";
  const auto limited = [](const std::string& body) {
    auto run = std::make_unique<Run>(body);
    run->block(64);
    run->request.instruction_limit = 100'000;
    return run;
  };
  CHECK(says(limited(counts)->error(FaultKind::InstructionLimit), "run-away"));
  const auto clusters = limited(cluster);
  clusters->grid(2);
  clusters->request.cluster = {2, 1, 1};
  CHECK(says(clusters->error(FaultKind::InstructionLimit), "run-away"));
  const auto seeded = limited(counts);
  seeded->request.schedule = Schedule{};
  CHECK(says(seeded->error(FaultKind::InstructionLimit), "run-away"));
}

// The lanes of a warp take a lock one after the other: while (atomicCAS(lock, 0, 1)) {} ++count; unlock.
const std::string kLock = R"(
    L: atom.global.cas.b32 %r2, [%out], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra L;
    ld.global.u32 %r3, [%out+4]; add.u32 %r3, %r3, 1; st.global.u32 [%out+4], %r3;
    membar.gl; atom.global.exch.b32 %r2, [%out], 0;)";
// The same with all of it inside the loop, for warps that run in lock step.
const std::string kLockInside = R"(
    mov.u32 %r4, 0;
    L: atom.global.cas.b32 %r2, [%out], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra AGAIN;
    ld.global.u32 %r3, [%out+4]; add.u32 %r3, %r3, 1; st.global.u32 [%out+4], %r3;
    membar.gl; atom.global.exch.b32 %r2, [%out], 0; mov.u32 %r4, 1;
    AGAIN: setp.eq.u32 %p2, %r4, 0; @%p2 bra L;)";

TEST_CASE("in lock step lanes that are ahead wait for those behind, and a lock in a warp hangs") {
  Run today(kLock), before(kLock), cure(kLockInside), other_warp(kLock);
  CHECK(today.words(2) == Words{0, 32});
  for (Run* run : {&before, &cure, &other_warp}) run->request.schedule = parse_schedule("lockstep");
  const std::string report = before.error(FaultKind::Livelock);
  CHECK(says(report, "lanes 1-31 run in a loop"));
  CHECK(says(report, "lane 0 waits until lanes 1-31 of its own warp have caught up"));
  CHECK(says(report, "again   WARPLADDER_SCHEDULE=lockstep"));
  CHECK(cure.words(2) == Words{0, 32});
  other_warp.grid(3).block(1);  // between warps it is no harm
  CHECK(other_warp.words(2) == Words{0, 3});
}

}  // namespace
}  // namespace emu::exec::testing

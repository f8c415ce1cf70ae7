// SPDX-License-Identifier: MIT
// Schedules from a seed: the same seed gives the same order, others give other orders; races are
// found; what waits makes progress; what lanes, warps and blocks do together keeps its meaning.
#include "explore/interleaver.hpp"

#include <algorithm>
#include <set>

#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

using Policy = Schedule::Policy;
constexpr Policy kPolicies[] = {Policy::Random, Policy::Pct};

Words under(Run& run, Policy policy, std::uint64_t seed, std::size_t n) {
  run.request.schedule = Schedule{policy, seed};
  INFO(run.request.schedule->text());
  return run.words(n);
}

// Each thread draws a number and writes its own there: the order in which they came.
const std::string kOrder = R"(
    atom.global.add.u32 %r2, [%out], 1; add.u32 %r2, %r2, 1; mad.wide.u32 %rd1, %r2, 4, %out;
    st.global.u32 [%rd1], %i;)";

TEST_CASE("names of schedules are read and written") {
  for (const char* name :
       {"random:0", "random:18446744073709551615", "pct:7", "pct:7:1", "lockstep"}) {
    INFO(name);
    const auto schedule = parse_schedule(name);
    REQUIRE(schedule);
    CHECK(schedule->text() == name);
  }
  CHECK(parse_schedule("pct:7:3")->text() == "pct:7");
  CHECK(parse_schedule("pct:7")->depth == 3);
  for (const char* name :
       {"", "random", "random:", "random:x", "random:1:2", "random:-1", "pct",
        "pct:", "pct:1:", "pct:1:0", "pct:1:1001", "pct:1:2:3", "fifo:1", "RANDOM:1", " random:1",
        "random:1 ", "random:18446744073709551616", "lockstep:1"}) {
    INFO(name);
    CHECK_FALSE(parse_schedule(name));
  }
}

TEST_CASE("the generator is splitmix64, on every machine") {
  Dice dice(1234567);
  CHECK(dice.next() == 6457827717110365317ull);
  CHECK(dice.next() == 3203168211198807973ull);
  CHECK(dice.next() == 9817491932198370423ull);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(dice.below(5));
  CHECK(seen == std::set<std::uint64_t>{0, 1, 2, 3, 4});
}

TEST_CASE("the same seed gives the same order, another seed another one") {
  for (const Policy policy : kPolicies) {
    std::set<Words> orders;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Run run(kOrder), again(kOrder);
      run.grid(2).block(40);
      again.grid(2).block(40);
      const Words order = under(run, policy, seed, 81);
      CHECK(order == under(again, policy, seed, 81));
      Words sorted(order.begin() + 1, order.end());
      std::sort(sorted.begin(), sorted.end());
      for (std::uint32_t i = 0; i < 80; ++i) CHECK(sorted[i] == i);
      orders.insert(order);
    }
    CHECK(orders.size() == 20);
  }
}

// What a seed means must not change unnoticed: printed schedules and recorded seeds depend on it.
TEST_CASE("a seed means the same order for ever") {
  Run run(kOrder);
  run.grid(2).block(4);
  CHECK(under(run, Policy::Random, 1, 9) == Words{8, 4, 1, 5, 2, 7, 3, 6, 0});
  CHECK(under(run, Policy::Pct, 1, 9) == Words{8, 2, 6, 1, 5, 7, 4, 3, 0});
}

TEST_CASE("a lost update is found, and an atomic never loses one") {
  const std::string lossy =
      "ld.global.u32 %r2, [%out]; add.u32 %r2, %r2, 1; st.global.u32 [%out], %r2;";
  const std::string sound = "red.global.add.u32 [%out], 1;";
  for (const Policy policy : kPolicies) {
    for (const std::uint32_t blocks : {1u, 2u}) {
      std::set<std::uint32_t> lost, kept;
      Run wrong(lossy), right(sound);
      wrong.grid(blocks).block(2 / blocks);
      right.grid(blocks).block(2 / blocks);
      for (std::uint64_t seed = 0; seed < 50; ++seed) {
        lost.insert(under(wrong, policy, seed, 1)[0]);
        kept.insert(under(right, policy, seed, 1)[0]);
      }
      CHECK(lost == std::set<std::uint32_t>{1, 2});
      CHECK(kept == std::set<std::uint32_t>{2});
    }
  }
}

// Every thread takes the lock, adds one without an atomic, and gives it back. %rd1: the counter.
std::string locked(const std::string& wait) {
  return "L: atom.acquire.gpu.global.cas.b32 %r2, [%out], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 " +
         wait +
         "ld.global.u32 %r3, [%out+4]; add.u32 %r3, %r3, 1; st.global.u32 [%out+4], %r3;"
         "st.release.gpu.global.u32 [%out], 0; bra E; W: nanosleep.u32 20; bra L; E:";
}

TEST_CASE("spin locks make progress, between lanes of a warp and between blocks") {
  for (const std::string wait : {"bra L;", "bra W;"}) {
    for (const Policy policy : kPolicies) {
      Run lanes(locked(wait)), blocks(locked(wait));
      lanes.grid(1).block(8);
      blocks.grid(4).block(2);
      for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CHECK(under(lanes, policy, seed, 2) == Words{0, 8});
        CHECK(under(blocks, policy, seed, 2) == Words{0, 8});
      }
    }
  }
}

TEST_CASE("a wait that changes memory all the time gives way too") {
  // Thread 0 counts up until thread 1 has stored: with a high priority it would never stop.
  Run run(R"(
    setp.eq.u32 %p1, %i, 1; @%p1 st.relaxed.gpu.global.u32 [%out], 1; @%p1 bra E;
    L: red.global.add.u32 [%out+4], 1; ld.relaxed.gpu.global.u32 %r2, [%out]; setp.eq.u32 %p2, %r2, 0; @%p2 bra L; E:)");
  run.block(2);
  for (const Policy policy : kPolicies) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) CHECK(under(run, policy, seed, 2)[0] == 1);
  }
}

TEST_CASE("barriers, shuffles and votes mean the same under every schedule") {
  // Odd lanes shuffle among themselves; all exchange through shared memory with a barrier between.
  Run run(R"(
    and.b32 %r2, %t, 1; setp.eq.u32 %p1, %r2, 1; mov.u32 %r3, %t; shl.b32 %r4, %t, 2; mov.u32 %r5, s; add.u32 %r4, %r4, %r5;
    st.shared.u32 [%r4], %t; @!%p1 bra J; atom.global.add.u32 %r6, [%out+512], 1; shfl.sync.bfly.b32 %r3, %t, 2, 31, 0xaaaaaaaa;
    J: bar.sync 0; xor.b32 %r7, %t, 63; shl.b32 %r7, %r7, 2; add.u32 %r7, %r7, %r5; ld.shared.u32 %r8, [%r7];
    vote.sync.ballot.b32 %r9, %p1, 0xffffffff; popc.b32 %r9, %r9; mad.lo.u32 %r3, %r8, 100, %r3; mad.lo.u32 %r3, %r9, 10000, %r3;
    st.global.u32 [%out4], %r3;)",
          ".shared .align 4 .b8 s[256];");
  run.block(64);
  Words want;
  for (std::uint32_t t = 0; t < 64; ++t) {
    want.push_back(160000 + (t ^ 63) * 100 + (t & 1 ? t ^ 2 : t));
  }
  for (const Policy policy : kPolicies) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Words got = under(run, policy, seed, 129);
      CHECK(got[128] == 32);
      got.resize(64);
      CHECK(got == want);
    }
  }
}

TEST_CASE("lanes of a warp arrive together at an aligned barrier under every schedule") {
  // Full is barrier 1, empty is barrier 2; nobody waits at the one that he has only come to.
  Run run(R"(
    .shared .b32 box[32]; mov.u32 %r2, box; and.b32 %r3, %t, 31; mad.lo.u32 %r2, %r3, 4, %r2;
    mov.u32 %r4, 0; mov.u32 %r6, 0; setp.ge.u32 %p1, %t, 32; @%p1 bra CONSUME;
    PRODUCE: bar.sync 2, 64; st.shared.u32 [%r2], %r4; bar.arrive 1, 64;
    add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 3; @%p2 bra PRODUCE; bra END;
    CONSUME: bar.arrive 2, 64; bar.sync 1, 64; ld.shared.u32 %r5, [%r2]; add.u32 %r6, %r6, %r5;
    add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 3; @%p2 bra CONSUME;
    END: st.global.u32 [%out4], %r6;)");
  run.block(64);
  for (const Policy policy : kPolicies) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Words got = under(run, policy, seed, 64);
      for (std::uint32_t t = 0; t < 64; ++t) CHECK(got[t] == (t < 32 ? 0u : 3u));
    }
  }
}

TEST_CASE("blocks of a cluster meet under every schedule") {
  Run run(R"(
    mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, s; add.u32 %r4, %r2, 7; st.shared.u32 [%r3], %r4;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    xor.b32 %r5, %r2, 1; mapa.shared::cluster.u32 %r6, %r3, %r5; ld.shared::cluster.u32 %r7, [%r6]; st.global.u32 [%out4], %r7;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;)",
          ".shared .align 4 .b8 s[4];");
  run.grid(4).block(2);
  run.request.cluster = {2, 1, 1};
  for (const Policy policy : kPolicies) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      CHECK(under(run, policy, seed, 8) == Words{8, 8, 7, 7, 8, 8, 7, 7});
    }
  }
}

TEST_CASE("more blocks than the GPU holds run in turn") {
  Run run(kOrder);
  run.grid(20).block(3);
  run.request.resident_blocks = 4;
  for (const Policy policy : kPolicies) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Words order = under(run, policy, seed, 61);
      CHECK(order[0] == 60);
      CHECK(std::set<std::uint32_t>(order.begin() + 1, order.end()).size() == 60);
      CHECK(order[1] < 12);
    }
  }
}

TEST_CASE("the active mask may name any lanes that stand there, always the reader among them") {
  Run run("activemask.b32 %r2; st.global.u32 [%out4], %r2;");
  for (const Policy policy : kPolicies) {
    std::set<std::uint32_t> first;
    bool alone = false;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Words masks = under(run, policy, seed, 32);
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        CHECK((masks[lane] >> lane & 1));
        alone |= masks[lane] == 1u << lane;
        // All lanes of a mask have read the same one.
        for (std::uint32_t other = 0; other < 32; ++other) {
          if (masks[lane] >> other & 1) CHECK(masks[other] == masks[lane]);
        }
      }
      first.insert(masks[0]);
    }
    CHECK(first.size() > 10);
    CHECK(first.count(0xffffffff) == 1);
    CHECK(alone);
  }
}

TEST_CASE("what never ends is reported with its seed") {
  Run spins("L: ld.volatile.global.u32 %r2, [%out]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;");
  Run waits("setp.ne.u32 %p1, %t, 0; @%p1 bar.sync 1, 64;");
  Run counts("L: red.global.add.u32 [%out], 1; bra L;");
  Run faults("st.global.u32 [%out+4000], %t;");
  counts.request.instruction_limit = 50'000;
  for (const Policy policy : kPolicies) {
    for (Run* run : {&spins, &waits, &counts, &faults}) {
      run->block(4).request.schedule = Schedule{policy, 5};
    }
    const std::string again = "WARPLADDER_SCHEDULE=" + spins.request.schedule->text() + "\n";
    CHECK(says(spins.error(FaultKind::Livelock), again));
    CHECK(says(waits.error(FaultKind::Deadlock), again));
    CHECK(says(counts.error(FaultKind::InstructionLimit), again));
    CHECK(says(faults.error(FaultKind::OutOfBounds), again));
  }
}

TEST_CASE("a long search that changes nothing is no livelock") {
  Run run(
      R"(mov.u32 %r2, 0; L: mad.wide.u32 %rd1, %r2, 4, %out; ld.volatile.global.u32 %r3, [%rd1]; add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 50000; @%p1 bra L; st.global.u32 [%out4], %r2;)");
  run.block(2);
  for (const Policy policy : kPolicies) CHECK(under(run, policy, 3, 50000)[1] == 50000);
}

// A stack of indices: [0] the head, [1 + i] the next of node i. Every thread takes two nodes and
// puts the first one back. With a plain index as head, nodes get lost or come twice.
const std::string kStack = R"(
    {.reg .u32 %a, %b, %h, %n; .reg .u64 %q;
    ld.relaxed.gpu.global.u32 %a, [%out]; A: mad.wide.u32 %q, %a, 4, %out; ld.relaxed.gpu.global.u32 %n, [%q+4];
    atom.global.cas.b32 %h, [%out], %a, %n; setp.ne.u32 %p1, %h, %a; mov.u32 %a, %h; @%p1 bra A;
    ld.relaxed.gpu.global.u32 %b, [%out]; B: mad.wide.u32 %q, %b, 4, %out; ld.relaxed.gpu.global.u32 %n, [%q+4];
    atom.global.cas.b32 %h, [%out], %b, %n; setp.ne.u32 %p1, %h, %b; mov.u32 %b, %h; @%p1 bra B;
    mad.wide.u32 %q, %a, 4, %out; ld.relaxed.gpu.global.u32 %n, [%out]; C: st.relaxed.gpu.global.u32 [%q+4], %n;
    atom.global.cas.b32 %h, [%out], %n, %a; setp.ne.u32 %p1, %h, %n; mov.u32 %n, %h; @%p1 bra C;
    st.global.u32 [%out4+64], %b;})";

TEST_CASE("the ABA error of an index stack is found within 1,000 seeds") {
  // The buffer starts as zeros: a kernel of one thread first links nodes 0 to 7 (8: the end).
  const std::string link = R"(setp.ne.u32 %p1, %i, 0; @%p1 bra K; mov.u32 %r9, 0;
    M: mad.wide.u32 %rd9, %r9, 4, %out; add.u32 %r9, %r9, 1; st.global.u32 [%rd9+4], %r9; setp.lt.u32 %p1, %r9, 8; @%p1 bra M;
    st.release.gpu.global.u32 [%out+60], 1; K: ld.acquire.gpu.global.u32 %r9, [%out+60]; setp.eq.u32 %p1, %r9, 0; @%p1 bra K;)";
  for (const Policy policy : kPolicies) {
    Run run(link + kStack);
    run.grid(2).block(1);
    int wrong = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      const Words got = under(run, policy, seed, 32);
      std::multiset<std::uint32_t> nodes{got[16], got[17]};
      for (std::uint32_t n = got[0]; n < 8 && nodes.size() < 20; n = got[1 + n]) nodes.insert(n);
      wrong += nodes != std::multiset<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7};
    }
    CHECK(wrong > 0);
    CHECK(wrong < 1000);
  }
}

}  // namespace
}  // namespace emu::exec::testing

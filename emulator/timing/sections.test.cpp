// SPDX-License-Identifier: MIT
// Threads that have to wait for each other: critical sections, swaps of one word, lanes that part and meet.
#include "timing/sections.hpp"

#include "engine/run_ptx.test.hpp"
#include "timing/modelling.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

const devices::Timing& constants() { return devices::timing(*devices::find("h200")); }
double cycles_of(double ns) { return ns * devices::find("h200")->sm_clock_khz / 1e6; }

// Cycles of the term, of a kernel that begins with zeros in memory.
double cycles(Run& run, Limit limit) {
  Modelling modelling;
  run.request.observer = &modelling;
  run.words(64);
  return cycles_of(modelling.last().alone[static_cast<std::size_t>(limit)]);
}

constexpr std::uint32_t kBlocks = 200;
// Blocks of one thread that take a lock, do something and give it back.
double handing(const std::string& before, const std::string& section) {
  Run run(before +
          "L: atom.acquire.gpu.global.exch.b32 %r2, [%out], 1; nanosleep.u32 32; "
          "setp.ne.u32 %p1, %r2, 0; @%p1 bra L; " +
          section + "st.release.gpu.global.u32 [%out], 0;");
  run.grid(kBlocks).block(1);
  return cycles(run, Limit::Handovers);
}

TEST_CASE("what is done while a lock is held is done by one thread after the other") {
  const std::string load = "ld.relaxed.gpu.global.u32 %r3, [%out + 128]; add.u32 %r3, %r3, 1; ";
  const double nothing = handing("", ""), once = handing("", load),
               twice = handing("", load + load);
  const double each = kBlocks * constants().l2_latency;
  CHECK(once - nothing > 0.9 * each);  // the first one comes from DRAM
  CHECK(twice - once == Approx(each).epsilon(0.1));
  CHECK(handing(load, "") == Approx(nothing));  // all do this at the same time
}

TEST_CASE("a store with release to another word than the one that was asked for ends no section") {
  const auto stored = [](const std::string& word) {
    Run run(
        "L: ld.acquire.gpu.global.u32 %r2, [%out]; setp.ne.u32 %p1, %r2, 0; @%p1 bra L; "
        "ld.relaxed.gpu.global.u32 %r3, [%out + 128]; add.u32 %r3, %r3, 1; "
        "st.release.gpu.global.u32 [%out + " +
        word + "], 0;");
    run.grid(kBlocks).block(1);
    return cycles(run, Limit::Handovers);
  };
  CHECK(stored("0") - stored("64") > 0.9 * kBlocks * constants().l2_latency);
}

TEST_CASE("attempts to swap a word queue at it, lane by lane") {
  // Each lane finds the number that it waits for, and leaves the next one.
  const auto swaps = [](std::uint32_t threads) {
    Run run(
        "add.u32 %r3, %t, 1; L: atom.global.cas.b32 %r2, [%out], %t, %r3; "
        "setp.ne.u32 %p1, %r2, %t; @%p1 bra L;");
    run.block(threads);
    const double asking = 1 + 2 * threads / 64.0;  // without a pause
    const double queue = cycles_of(threads * constants().attempt_ns);
    return cycles(run, Limit::Handovers) - threads * (asking * constants().atomic_latency + queue);
  };
  CHECK(swaps(8) == Approx(0).margin(1));
  CHECK(swaps(32) == Approx(0).margin(1));
}

// Cycles that a warp takes on its way, in a loop of a hundred rounds.
double round(const std::string& body) {
  Run run(
      ".reg .f32 %g<8>; mov.f32 %g1, 0f3F000000; mov.u32 %r9, 0; mov.u32 %r8, 1; and.b32 %r7, %t, "
      "1; setp.eq.u32 %p2, %r7, 0; L: " +
      body + " add.u32 %r9, %r9, %r8; setp.lt.u32 %p1, %r9, 100; @%p1 bra L;");
  run.block(32);
  return cycles(run, Limit::Path) / 100;
}

TEST_CASE("lanes that go two ways take time to part, unless the compiler makes one way of them") {
  std::string few, many;
  for (int i = 0; i < 4; ++i) few += "add.u32 %r2, %r2, %r7; ";
  for (int i = 0; i < 20; ++i) many += "add.u32 %r2, %r2, %r7; ";
  const auto parting = [](const std::string& body) {
    return round("@%p2 bra M; " + body + "M: ") - round("@%p3 bra M; " + body + "M: ");
  };
  CHECK(parting(many) == Approx(constants().parting_latency).margin(3));
  CHECK(parting(few) == Approx(0).margin(3));
  // Two short ways become one as well.
  const std::string rest = "mul.lo.u32 %r2, %r2, 3; bra E; M: add.u32 %r2, %r2, %r7; E: ";
  const auto two_ways = [&](const std::string& body) {
    return round("@%p2 bra M; " + body + rest) - round("@%p3 bra M; " + body + rest);
  };
  CHECK(two_ways("") < 15);
  CHECK(two_ways(many) > constants().parting_latency);
  // `a || (b && c)`: selections, as long as they are.
  const auto either = [](const std::string& guard) {
    return round("setp.ge.u32 %p3, %r7, 2; " + guard +
                 " bra M; setp.ne.u32 %p1, %r2, %r7; add.u32 %r5, %r2, 1; "
                 "setp.lt.u32 %p4, %r5, %r9; and.pred %p1, %p1, %p4; @%p1 bra N; M: add.u32 %r2, "
                 "%r2, %r7; N: ");
  };
  CHECK(either("@%p2") - either("@%p3") < 15);
  // As nvcc writes them, with a branch in front: the ways are laid out in another order.
  const auto in_front = [](const std::string& guard) {
    return round(guard +
                 " bra M; bra.uni N; M: mad.lo.u32 %r2, %r2, %r7, %r2; bra.uni E; "
                 "N: mul.lo.u32 %r2, %r2, %r7; E: ");
  };
  CHECK(in_front("@%p2") - in_front("@%p3") < 15);
}

TEST_CASE("a branch is waited for, even if all lanes go the same way") {
  std::string many;
  for (int i = 0; i < 20; ++i) many += "add.u32 %r2, %r2, %r7; ";
  const double plain = round("setp.lt.u32 %p3, %r9, %r7; " + many);
  CHECK(round("setp.gt.u32 %p3, %r9, 1000; @%p3 bra M; " + many + "M: ") > plain + 12);
}

TEST_CASE("an inner loop counts with the rounds in which it is come to, a barrier in it or not") {
  // It is come to in one of so many rounds, by all lanes alike.
  const auto every = [](int apart, const std::string& meet) {
    return round("rem.u32 %r5, %r9, " + std::to_string(apart) +
                 "; setp.ne.u32 %p3, %r5, 0; @%p3 bra M; " + meet +
                 "mov.u32 %r6, 0; K: add.u32 %r2, %r2, %r7; add.u32 %r6, %r6, %r8; "
                 "setp.lt.u32 %p4, %r6, 20; @%p4 bra K; M: ");
  };
  for (const char* const meet : {"", "bar.sync 0; "}) {
    const double all = every(1, meet), few = every(10, meet), none = every(1000, meet);
    CHECK(few - none < 0.2 * (all - none));
  }
}

TEST_CASE("a branch that leads past a division stays one, also if it leads past a load") {
  const auto past = [](const std::string& guard) {
    return round(guard + " bra M; ld.global.f32 %g2, [%out]; div.rn.f32 %g3, %g2, %g1; M: ");
  };
  CHECK(past("@%p3") > past("@!%p3") + 50);
}

TEST_CASE("lanes that leave a loop do not part from those that stay") {
  const auto loop = [](const std::string& rounds) {
    return round(
        "and.b32 %r5, %t, 31; mov.u32 %r6, 0; K: add.u32 %r2, %r2, %r7; add.u32 %r6, %r6, %r8; "
        "setp.lt.u32 %p4, %r6, " +
        rounds + "; @%p4 bra K;");
  };
  CHECK(loop("%r5") < loop("31") + 31 * 0.5 * constants().parting_latency);
}

TEST_CASE("roots and exact divisions come one after the other, others side by side") {
  const auto both = [](const std::string& what) {
    return round(what + " %g2, %g1; " + what + " %g3, %g1; ") - round(what + " %g2, %g1; ");
  };
  CHECK(both("sqrt.rn.f32") > 50);
  CHECK(both("rcp.rn.f32") > both("sqrt.rn.f32"));
  CHECK(both("sqrt.approx.ftz.f32") < 10);
}

TEST_CASE(
    "a sign, a limit to numbers below 1 and a float of an integer are no work for the special "
    "unit") {
  CHECK(round("neg.f32 %g2, %g1; abs.f32 %g3, %g2; cvt.sat.f32.f32 %g4, %g3; ") ==
        Approx(round("")).margin(0.1));
  const auto there_and = [](const std::string& back) {
    const std::string way = "cvt.rn.f32.u32 %g2, %r2; " + back + " %r2, %g2; ";
    return round(way + way + way);
  };
  CHECK(there_and("cvt.rzi.u32.f32") > there_and("mov.b32") + 30);
}

TEST_CASE("to meet by a mask that is no constant is to find out who is there") {
  // The last of many: the first ones are hidden behind what the loop's branch waits for.
  const auto last = [](const std::string& sync) {
    const std::string two = sync + sync, six = two + two + two;
    return round(six + sync) - round(six);
  };
  CHECK(last("mov.u32 %r5, -1; bar.warp.sync %r5; ") - last("bar.warp.sync -1; ") ==
        Approx(constants().mask_sync_latency - constants().warp_sync_latency).margin(5));
}

}  // namespace
}  // namespace emu::observe

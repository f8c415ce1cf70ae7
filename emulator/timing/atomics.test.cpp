// SPDX-License-Identifier: MIT
// What atomics on global memory wait for.
#include "engine/run_ptx.test.hpp"
#include "timing/modelling.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

double queue(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1) {
  Run run(body);
  run.grid(blocks).block(threads);
  Modelling modelling;
  run.request.observer = &modelling;
  run.words(1 << 18);
  return modelling.last().alone[static_cast<std::size_t>(Limit::Atomics)];
}
double slice_ns() { return devices::timing(*devices::find("h200")).slice_atomic_ns; }

TEST_CASE("atomics of many lanes on each word hold each other up") {
  // 1 << shift threads for each word.
  const auto atomics = [](int shift) {
    return queue("shr.u32 %r2, %t, " + std::to_string(shift) +
                     "; mul.wide.u32 %rd8, %r2, 4; add.u64 %rd9, %out, %rd8; "
                     "red.global.add.f32 [%rd9], 0f3F800000;",
                 1024);
  };
  const double slice = slice_ns();
  CHECK(atomics(5) == Approx(1024 * slice + 992 * 1.1 / 96).epsilon(0.01));
  CHECK(atomics(2) == Approx(64 * slice).epsilon(0.01));  // four lanes are few
}

TEST_CASE("atomics that queue at one word come on top of those that go elsewhere") {
  // One lane of 32 goes to one word, and the others all over memory.
  const auto atomics = [](const std::string& address, int words = 1 << 14, bool cold = false) {
    const std::string load = cold ? "" : "ld.global.u32 %r5, [%rd9]; ";
    return queue(
        "mov.u32 %r2, %ctaid.x; mad.lo.u32 %r2, %r2, 1024, %t; mul.lo.u32 %r3, %r2, 40503; "
        "and.b32 %r3, %r3, " +
            std::to_string(words - 1) + ";" + address +
            "mul.wide.u32 %rd8, %r3, 4; add.u64 %rd9, %out, %rd8; " + load +
            "red.global.add.u32 [%rd9], 1;",
        1024, 264);
  };
  const std::string some =
      "and.b32 %r4, %t, 31; setp.eq.u32 %p1, %r4, 0; selp.b32 %r3, 0, %r3, %p1; ";
  const double hot = 264.0 * 32 * slice_ns();
  const double all = atomics(""), both = atomics(some);
  CHECK(both > hot + 0.5 * all);
  CHECK(both < 1.3 * (hot + all));
  // The queue is longer while the others bring what they change from DRAM; they alone have hardly any.
  constexpr int kMany = 1 << 18;
  CHECK(atomics(some, kMany, true) > 1.2 * atomics(some, kMany));
  CHECK(atomics("", kMany, true) == Approx(atomics("", kMany)).epsilon(0.1));
}

TEST_CASE("a load or a compare-and-swap takes turns with atomics at its sector") {
  const auto atomics = [](const std::string& before) {
    return queue(before + "red.global.add.u64 [%out+8], %out;", 256, 64);
  };
  const double alone = atomics(""), lanes = 64 * 256, warps = lanes / 32;
  CHECK(atomics("ld.volatile.global.u32 %r2, [%out];") - alone ==
        Approx(2.1 * warps).epsilon(0.05));
  const double swapped = atomics("atom.global.cas.b32 %r2, [%out], %t, 7;");
  CHECK(swapped - 2 * alone == Approx(0.6 * lanes).epsilon(0.05));
  CHECK(atomics("ld.volatile.global.u32 %r2, [%out+64];") == Approx(alone));  // of another sector
  CHECK(atomics("ld.global.u32 %r2, [%out];") == Approx(alone));              // comes from L1
}

TEST_CASE("who fills a table last finds it full once, not each time that it comes to it") {
  // Warps fill places in the order in which they run: a later one has more to try. As often as it comes, of the same number of tries.
  const auto way = [](int turns) {
    Run run(
        "mov.u32 %r9, 0; mov.u32 %r5, %ctaid.x; T: mov.u32 %r6, 0; "
        "L: mad.lo.u32 %r2, %r6, 64, %r9; mul.wide.u32 %rd8, %r2, 4; add.u64 %rd9, %out, %rd8; "
        "atom.global.cas.b32 %r3, [%rd9], 0, 1; add.u32 %r6, %r6, 1; "
        "setp.ne.u32 %p1, %r3, 0; @%p1 bra L; "
        "add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, " +
        std::to_string(turns) + "; @%p2 bra T;");
    run.grid(64).block(1);
    Modelling modelling;
    run.request.observer = &modelling;
    run.words(1 << 14);
    return modelling.last().alone[static_cast<std::size_t>(Limit::Path)];
  };
  // 32 tries on average, 64 for the last one of each turn: so 64 in the first turn, and 32 more for each further one.
  const double one = way(1), more = (way(9) - one) / 8;
  CHECK(more > 0.35 * one);
  CHECK(more < 0.75 * one);
}

TEST_CASE(
    "blocks that wait for others do not hold them up by how often the emulator lets them look") {
  const std::string add = "red.global.add.u32 [%out], 1;";
  const std::string wait =
      "W: ld.volatile.global.u32 %r2, [%out]; setp.lt.u32 %p1, %r2, 2048; @%p1 bra W;";
  CHECK(queue(add + wait, 32, 64) == Approx(queue(add, 32, 64)).epsilon(0.01));
}

}  // namespace
}  // namespace emu::observe

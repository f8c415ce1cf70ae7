// SPDX-License-Identifier: MIT
// Loops of which the compiler makes larger ones, and what is left of them.
#include "timing/unrolling.hpp"

#include "engine/run_ptx.test.hpp"
#include "timing/modelling.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

double way_in_cycles(const std::string& body) {
  Run run(body);
  run.block(32);
  Modelling modelling;
  run.request.observer = &modelling;
  run.words(1 << 16);
  return modelling.last().alone[static_cast<std::size_t>(Limit::Path)] *
         devices::find("h200")->sm_clock_khz / 1e6;
}
// Sums words, `loads` of them in a round.
std::string summed(const std::string& first, const std::string& last, int loads = 1,
                   const std::string& pragma = "", const std::string& type = "u32 %r3") {
  std::string body = "mov.u32 %r9, " + first + "; L: " + pragma;
  for (int k = 0; k < loads; ++k)
    body += "ld.global.cg." + type + ", [%out]; add.u32 %r2, %r2, %r3; ";
  return body + "add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, " + last + "; @%p1 bra L;";
}
// Of a cold cache: whoever asks in the first round of blocks waits for DRAM.
const double kWaits = devices::timing(*devices::find("h200")).dram_latency;

TEST_CASE("four rounds are one; the two and the one that are left are waited for as well") {
  CHECK(rounds_of_four(1, true) == 1);
  CHECK(rounds_of_four(2, true) == 1);
  CHECK(rounds_of_four(3, true) == 2);
  CHECK(rounds_of_four(4, true) == 1);
  CHECK(rounds_of_four(7, true) == 3);
  CHECK(rounds_of_four(100, true) == 25);
  CHECK(rounds_of_four(2.5, true) == 1.5);
  CHECK(rounds_of_four(0, true) == 1);  // it was executed
}

TEST_CASE("lanes that go round once more than others have other rounds left") {
  CHECK(rounds_of_four(2, false) == 2);  // two of some, one of the others
  CHECK(rounds_of_four(4, false) == 3);
  CHECK(rounds_of_four(1, false) == 1);
}

TEST_CASE("a loop whose rounds are no constant is waited for once for every four of them") {
  const auto rounds = [](int n) {
    return way_in_cycles("and.b32 %r7, %t, 0; " + summed("%r7", std::to_string(n)));
  };
  CHECK(rounds(40) - rounds(36) < 1.2 * kWaits);
}

TEST_CASE("of constant rounds as many are one as there are registers for what they load") {
  const double few = way_in_cycles(summed("0", "24")),
               wide = way_in_cycles(summed("0", "24", 1, "", "v4.u32 {%r3, %r4, %r5, %r6}"));
  CHECK(few < 1.5 * kWaits);
  CHECK(wide > 3.5 * kWaits);
}

TEST_CASE("rounds that load many words are made one as well, but not all waited for at once") {
  const auto four_rounds = [](const std::string& pragma) {
    const auto rounds = [&](int n) {
      return way_in_cycles("and.b32 %r7, %t, 0; " + summed("%r7", std::to_string(n), 2, pragma,
                                                           "v4.u32 {%r3, %r4, %r5, %r6}"));
    };
    return rounds(40) - rounds(36);
  };
  CHECK(four_rounds("") == Approx(four_rounds(".pragma \"nounroll\"; ") / 2).epsilon(0.1));
}

TEST_CASE(
    "a loop that is large in instructions of the machine stays, one that loads may be larger") {
  const auto four_rounds = [](int others) {
    std::string body;
    for (int k = 0; k < others; ++k) body += "add.u32 %r5, %t, 1; ";
    const auto rounds = [&](int n) {
      return way_in_cycles("and.b32 %r7, %t, 0; mov.u32 %r9, %r7; L: " + body +
                           "ld.global.cg.u32 %r3, [%out]; add.u32 %r2, %r2, %r3; "
                           "add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, " +
                           std::to_string(n) + "; @%p1 bra L;");
    };
    return rounds(40) - rounds(36);
  };
  CHECK(four_rounds(40) < 2 * kWaits);
  CHECK(four_rounds(50) > 3.5 * kWaits);
}

TEST_CASE("a loop that the front end has asked to leave alone stays as it is") {
  CHECK(way_in_cycles(summed("0", "24", 1, ".pragma \"nounroll\"; ")) > 24 * kWaits);
}

TEST_CASE("loads are asked for before lanes exchange what they have, not before they meet") {
  const auto way = [](const std::string& between) {
    return way_in_cycles(
        "ld.global.cg.u32 %r2, [%out4]; add.u32 %r2, %r2, 1; " + between +
        "ld.global.cg.u32 %r3, [%out4+4096]; add.u32 %r4, %r2, %r3; st.global.u32 [%out4], %r4;");
  };
  CHECK(way("bar.sync 0; ") > way("shfl.sync.bfly.b32 %r2, %r2, 1, 31, -1; ") + 0.5 * kWaits);
}

}  // namespace
}  // namespace emu::observe

// SPDX-License-Identifier: MIT
// Which branches the compiler behind the PTX makes predicates of, as stores show that come right behind each other because of it.
#include "counters/ptxas/branches.hpp"

#include <string>

#include "counters/counting.hpp"
#include "engine/run_ptx.test.hpp"

namespace emu::observe {
namespace {

using exec::testing::Run;

// Threads with a structure of six words each store its first two, a condition and what it guards between them. Returns the share
// of the stored sectors that reach L2.
double sent(const std::string& between) {
  const std::string second = "ld.global.u32 %r5, [%rd1+4]; ";
  Run run(
      "mad.wide.u32 %rd1, %i, 24, %out; ld.global.u32 %r4, [%rd1]; setp.gt.u32 %p1, %r4, 7; "
      "st.global.u32 [%rd1], %r4; " +
      between + second + "add.u32 %r6, %r5, 1; st.global.u32 [%rd1+4], %r6;");
  run.grid(132).block(32);
  Counting counting;
  run.request.observer = &counting;
  run.words(132 * 32 * 6);
  const LaunchCounts& c = counting.last();
  const double loaded = 132 * 24;
  return (static_cast<double>(c.figures[LaunchCounter::L2Sectors]) - loaded) /
         static_cast<double>(c.counts[Counter::GlobalStSectors]);
}

// With so many operations in the second half of the condition.
std::string half(int operations) {
  std::string all;
  for (int k = 0; k < operations; ++k) all += "xor.b32 %r8, %r4, " + std::to_string(k) + "; ";
  return all + "setp.lt.u32 %p2, %r4, 9; ";
}
const std::string kBody = "neg.s32 %r7, %r4; st.global.u32 [%rd1+12], %r7; ";

}  // namespace

TEST_CASE("a condition of two halves is a predicate if its second half is short") {
  const auto both = [](int n) {
    return "@%p1 bra B; " + half(n) + "@!%p2 bra B; " + kBody + "B: ";
  };
  const auto either = [](int n) {
    return "@%p1 bra A; " + half(n) + "@!%p2 bra B; A: " + kBody + "B: ";
  };
  const double one = sent("@%p1 bra B; " + kBody + "B: ");
  CHECK(one < 0.8);
  CHECK(sent(both(4)) == Approx(one).margin(0.1));
  CHECK(sent(either(4)) == Approx(one).margin(0.1));
  CHECK(sent(both(5)) > one + 0.1);
  CHECK(sent(either(5)) > one + 0.1);
}

TEST_CASE(
    "a half of a condition that loads, or leaves something for what follows, is behind a branch") {
  const double one = sent("@%p1 bra B; " + kBody + "B: ");
  CHECK(sent("@%p1 bra B; ld.global.u32 %r8, [%out]; setp.lt.u32 %p2, %r8, 9; @!%p2 bra B; " +
             kBody + "B: ") > one + 0.1);
  CHECK(sent("@%p1 bra B; add.u32 %r8, %r4, 1; setp.lt.u32 %p2, %r8, 9; @!%p2 bra B; " + kBody +
             "B: add.u32 %r9, %r8, 1; ") > one + 0.1);
}

}  // namespace emu::observe

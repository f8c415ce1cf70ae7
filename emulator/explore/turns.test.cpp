// SPDX-License-Identifier: MIT
// An order that was written down is the same order again; one that was cut down still runs to its end.
#include "explore/turns.hpp"

#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

// Each thread draws a number and writes its own there: the order in which they came.
const std::string kOrder = R"(
    atom.global.add.u32 %r2, [%out], 1; add.u32 %r2, %r2, 1; mad.wide.u32 %rd1, %r2, 4, %out;
    st.global.u32 [%rd1], %i;)";

struct Taken {
  Words words;
  Turns turns;
};
Taken under(const std::string& body, const Schedule& schedule) {
  Run run(body);
  run.grid(2).block(40);
  Taken taken;
  run.request.schedule = schedule;
  run.request.turns = [&](const Turns& turns) { taken.turns = turns; };
  taken.words = run.words(81);
  return taken;
}
Schedule replay(Turns turns) {
  Schedule schedule{Schedule::Policy::Replay};
  schedule.turns = std::make_shared<Turns>(std::move(turns));
  return schedule;
}

TEST_CASE("turns are read and written") {
  const std::vector<LaunchTurns> launches = {{7, "push(int*, int)", {{0, 3, 2}, {1, 0, 1}}},
                                             {8, "k", {}}};
  const std::string text =
      "warpladder-turns/1\nlaunch 7 push(int*, int)\n0 3 2\n1 0 1\nlaunch 8 k\n";
  CHECK(std::string(kTurnsHead) + turns_text(launches[0]) + turns_text(launches[1]) == text);
  CHECK(read_turns(text) == launches);
  CHECK(read_turns(kTurnsHead) == std::vector<LaunchTurns>{});
  for (const char* bad :
       {"", "turns", "warpladder-turns/1\n0 0 1\n", "warpladder-turns/1\nlaunch x k\n",
        "warpladder-turns/1\nlaunch 1 k\n0 0\n", "warpladder-turns/1\nlaunch 1 k\n0 0 1 2\n",
        "warpladder-turns/1\nlaunch 1 k\n0 -1 1\n"}) {
    INFO(bad);
    CHECK_FALSE(read_turns(bad));
  }
}

TEST_CASE("an order that was written down is the same again") {
  for (const auto policy : {Schedule::Policy::Random, Schedule::Policy::Pct}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Taken first = under(kOrder, Schedule{policy, seed});
      const Taken again = under(kOrder, replay(first.turns));
      CHECK(again.words == first.words);
      CHECK(again.turns == first.turns);
    }
  }
}

TEST_CASE("without turns threads go in the order of their numbers, each to its end") {
  const Taken taken = under(kOrder, replay({}));
  for (std::uint32_t i = 0; i < 80; ++i) CHECK(taken.words[i + 1] == i);
  CHECK(taken.turns.size() == 80);
}

TEST_CASE("turns that cannot be taken are left out") {
  const Taken taken = under(kOrder, replay({{9, 0, 5}, {0, 39, 1}, {0, 999, 1}, {1, 5, 50}}));
  CHECK(taken.turns[0] == Turn{0, 39, 1});
  CHECK(taken.turns[1] == Turn{1, 5, 2});  // and no more: it has ended
  CHECK(taken.words[0] == 80);
}

TEST_CASE("who waits for another lets it go") {
  // All but thread 0 of block 0 wait for a flag that this thread sets last of all.
  const std::string wait = R"(
    setp.eq.u32 %p1, %i, 79; @%p1 bra set;
    again: ld.relaxed.gpu.global.u32 %r3, [%out]; setp.eq.u32 %p2, %r3, 0; @%p2 bra again; bra done;
    set: st.relaxed.gpu.global.u32 [%out], 1; done:)";
  CHECK(under(wait, replay({})).words[0] == 1);
  CHECK(under(wait, replay({{0, 0, 100}, {0, 1, 100}})).words[0] == 1);
}

}  // namespace
}  // namespace emu::exec::testing

// SPDX-License-Identifier: MIT
// How warps pass through code, added up: the same as what each instruction and each branch would tell.
#include <map>

#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

using observe::Tally;
using Sums = std::map<const Code*, std::vector<Tally>>;

// Is told of each.
struct Told : observe::Observer {
  Sums sums;
  Tally& of(const Warp& warp, const Instr& in) {
    const Code& code = *warp.frame->code;
    std::vector<Tally>& all = sums[&code];
    all.resize(code.instrs.size());
    return all[static_cast<std::size_t>(&in - code.instrs.data())];
  }
  void instruction(const Warp& warp, const Instr& in, LaneMask active, LaneMask on) override {
    Tally& t = of(warp, in);
    ++t.executed;
    t.active += static_cast<std::uint64_t>(std::popcount(active));
    t.on += static_cast<std::uint64_t>(std::popcount(on));
  }
  void branch(const Warp& warp, const Instr& in, LaneMask taken, LaneMask fell_through) override {
    of(warp, in).divergent += taken && fell_through;
  }
};

// Gives room for passes; perhaps wants to be told as well.
struct Passing : observe::Observer {
  std::map<const Code*, std::vector<observe::Passes>> rooms;
  bool each = false;
  observe::Passes* passes(const Code& code) override {
    auto& room = rooms[&code];
    room.resize(code.instrs.size() + 1);
    return room.data();
  }
  bool wants_each(const Code&) override { return each; }
  Sums sums() const {
    Sums all;
    for (const auto& [code, room] : rooms) all[code] = observe::add_up(room);
    return all;
  }
};

void check_same(const Sums& passed, const Sums& told) {
  REQUIRE(passed.size() == told.size());
  for (const auto& [code, expected] : told) {
    const std::vector<Tally>& got = passed.at(code);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      INFO("instruction " << i);
      CHECK(got[i].executed == expected[i].executed);
      CHECK(got[i].active == expected[i].active);
      CHECK(got[i].on == expected[i].on);
      CHECK(got[i].divergent == expected[i].divergent);
    }
  }
}

// Runs it each way; `launch` says how it has to end.
template <class Launch>
void check_passes(Run& run, const Launch& launch) {
  Told told;
  run.request.observer = &told;
  launch(run);
  for (const bool each : {false, true}) {
    Passing passing;
    passing.each = each;
    run.request.observer = &passing;
    launch(run);
    check_same(passing.sums(), told.sums);
  }
}
const auto kEnds = [](Run& run) { run.words(128); };

TEST_CASE("passes add up where lanes part, meet, and go round a loop") {
  Run run(R"(
    mov.u32 %r2, 0; setp.lt.u32 %p1, %t, 16; @%p1 bra L; add.u32 %r2, %r2, 1; @%p1 add.u32 %r2, %r2, 7;
    L: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 5; setp.gt.u32 %p3, %t, 9; @%p3 popc.b32 %r3, %t; @%p2 bra L;
    st.global.u32 [%out4], %r2;)");
  run.block(48);
  check_passes(run, kEnds);
}

TEST_CASE("passes add up through calls, and where warps wait at a barrier") {
  const std::string half = R"(.func (.param .b32 r) half(.param .b32 x) {
    .reg .b32 %a; .reg .pred %p; ld.param.b32 %a, [x]; setp.eq.u32 %p, %a, 0; @%p bra OUT; shr.u32 %a, %a, 1;
    OUT: st.param.b32 [r], %a; ret; })";
  Run run(R"(
    { .param .b32 in; .param .b32 back; st.param.b32 [in], %t; call (back), half, (in); ld.param.b32 %r2, [back]; }
    bar.sync 0; setp.lt.u32 %p1, %t, 40; @%p1 exit; add.u32 %r2, %r2, 1; st.global.u32 [%out4], %r2;)",
          half);
  run.grid(2).block(64);
  check_passes(run, kEnds);
}

TEST_CASE("passes add up to where a kernel stopped with an error") {
  Run run(R"(
    setp.lt.u32 %p1, %t, 8; @%p1 bra L; popc.b32 %r2, %t; L: add.u32 %r2, %r2, 1; @%p1 trap; add.u32 %r2, %r2, 2;)");
  run.block(64);
  check_passes(run, [](Run& r) { r.error(FaultKind::Trap); });
  Run outside(
      "mul.wide.u32 %rd2, %t, 1048576; add.u64 %rd3, %out, %rd2; popc.b32 %r2, %t; "
      "st.global.u32 [%rd3], %r2; popc.b32 %r2, %r2;");
  check_passes(outside, [](Run& r) { r.error(FaultKind::OutOfBounds); });
}

}  // namespace
}  // namespace emu::exec::testing

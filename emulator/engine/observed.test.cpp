// SPDX-License-Identifier: MIT
// What an observer is told, call by call.
#include <algorithm>
#include <map>

#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

struct Log : observe::Observer {
  struct Step {
    ptx::Row row;
    LaneMask active, on;
  };
  struct Branch {
    LaneMask taken, fell_through;
  };
  struct Memory {
    observe::AccessKind kind;
    observe::MemorySpace space;
    std::uint32_t bytes;
    LaneMask mask;
    std::vector<std::uint64_t> addresses;
  };
  int begun = 0, ended = 0;
  std::uint64_t clock = 0;
  std::vector<Step> steps;
  std::vector<Branch> branches;
  std::vector<Memory> accesses;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> barriers;  // warp, number

  void kernel_begin(const Grid& grid) override { begun += grid.clock == 0; }
  void kernel_end(const Grid& grid) override {
    ++ended;
    clock = grid.clock;
  }
  void instruction(const Warp&, const Instr& in, LaneMask active, LaneMask on) override {
    steps.push_back({in.row, active, on});
  }
  void branch(const Warp&, const Instr&, LaneMask taken, LaneMask fell_through) override {
    branches.push_back({taken, fell_through});
  }
  void memory(const Warp&, const Instr&, const observe::MemoryAccess& a) override {
    accesses.push_back(
        {a.kind, a.space, a.bytes_per_lane, a.mask, {a.addresses, a.addresses + 32}});
  }
  void barrier(const Warp& warp, const Instr&, std::uint32_t id) override {
    barriers.push_back({warp.id, id});
  }

  std::vector<Step> of(ptx::Row row) const {
    std::vector<Step> result;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(result),
                 [&](const Step& s) { return s.row == row; });
    return result;
  }
};

Words observed(Run& run, Log& log, std::size_t n = 32) {
  run.request.observer = &log;
  return run.words(n);
}

TEST_CASE("an observer sees begin, end and every instruction") {
  Run run("mov.u32 %r2, 1; st.global.u32 [%out4], %r2;");
  Log log;
  observed(run, log);
  CHECK(log.begun == 1);
  CHECK(log.ended == 1);
  CHECK(log.steps.size() == run.stats.warp_instructions);
  CHECK(log.clock == run.stats.warp_instructions);
  for (const auto& s : log.steps) CHECK(s.active == kAllLanes);
}

TEST_CASE("an observer is told the active lanes and those whose guard holds") {
  Run run(R"(
    setp.lt.u32 %p1, %t, 8; setp.lt.u32 %p2, %t, 4; @!%p1 bra OUT; @%p2 popc.b32 %r2, %t; @!%p2 brev.b32 %r3, %t;
    setp.gt.u32 %p3, %t, 99; @%p3 clz.b32 %r4, %t; OUT:)");
  Log log;
  observed(run, log);
  const auto popc = log.of(ptx::Row::popc), brev = log.of(ptx::Row::brev),
             clz = log.of(ptx::Row::clz);
  REQUIRE(popc.size() == 1);
  CHECK(popc[0].active == 0xff);
  CHECK(popc[0].on == 0x0f);
  CHECK(brev.at(0).on == 0xf0);
  CHECK(clz.at(0).active == 0xff);
  CHECK(clz.at(0).on == 0);
}

TEST_CASE("an observer is told of every branch, forward and back") {
  Run run(R"(
    mov.u32 %r2, 0; setp.lt.u32 %p1, %t, 16; @%p1 bra L; mov.u32 %r2, 1;
    L: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 3; @%p2 bra L;)");
  Log log;
  observed(run, log);
  REQUIRE(log.branches.size() == 4);
  CHECK(log.branches[0].taken == 0x0000ffff);
  CHECK(log.branches[0].fell_through == 0xffff0000);
  CHECK(log.branches[1].taken == kAllLanes);  // 1 and 2 so far
  CHECK(log.branches[2].taken == 0x0000ffff);
  CHECK(log.branches[2].fell_through == 0xffff0000);
  CHECK(log.branches[3].fell_through == 0x0000ffff);
}

TEST_CASE("an observer is told each access with its space, lanes and addresses") {
  Run run(R"(
    .shared .b32 tile[32]; .local .align 8 .b8 own[8]; mov.u32 %r2, tile; mad.lo.u32 %r2, %t, 4, %r2; setp.lt.u32 %p1, %t, 10;
    st.shared.u32 [%r2], %t; @%p1 ld.global.v2.u32 {%r3, %r4}, [%out+8]; atom.global.add.u32 %r5, [%out4], 1;
    red.shared.add.u32 [%r2], 1; st.local.u32 [own+4], %t;)");
  Log log;
  observed(run, log);
  std::vector<Log::Memory> m;
  for (const auto& a : log.accesses) {
    if (a.space != observe::MemorySpace::Param) m.push_back(a);
  }
  REQUIRE(m.size() == 5);
  using observe::AccessKind;
  using observe::MemorySpace;
  CHECK((m[0].kind == AccessKind::Store && m[0].space == MemorySpace::Shared && m[0].bytes == 4 &&
         m[0].mask == kAllLanes));
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(m[0].addresses[t] == 4 * t);
  CHECK((m[1].kind == AccessKind::Load && m[1].space == MemorySpace::Global && m[1].bytes == 8 &&
         m[1].mask == 0x3ff));
  CHECK((m[2].kind == AccessKind::Atomic && m[2].space == MemorySpace::Global && m[2].bytes == 4));
  CHECK(m[1].addresses[0] == m[1].addresses[9]);
  CHECK(m[2].addresses[2] == m[1].addresses[0]);
  CHECK((m[3].kind == AccessKind::Reduction && m[3].space == MemorySpace::Shared));
  CHECK((m[4].kind == AccessKind::Store && m[4].space == MemorySpace::Local && m[4].bytes == 4 &&
         m[4].addresses[31] == 4));
}

TEST_CASE("an observer is told of each barrier a warp comes to") {
  Run run("bar.sync 0; bar.sync 5;");
  run.block(64);
  Log log;
  observed(run, log);
  std::sort(log.barriers.begin(), log.barriers.end());
  CHECK(log.barriers ==
        std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {0, 5}, {1, 0}, {1, 5}});
}

TEST_CASE("an observer does not change what is executed") {
  const std::string body = R"(
    .local .align 4 .b8 n[4]; setp.ge.u32 %p5, %t, 32; @%p5 bra SET; mov.u32 %r2, 0; st.local.u32 [n], %r2;
    L: ld.local.u32 %r2, [n]; add.u32 %r2, %r2, 1; st.local.u32 [n], %r2; ld.volatile.global.u32 %r3, [%out]; setp.eq.u32 %p1, %r3, 0;
    @%p1 bra L; st.global.u32 [%out4+128], %r2; bra END;
    SET: mov.u32 %r4, 0; W: add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 20000; @%p2 bra W; st.volatile.global.u32 [%out], 1; END:)";
  Run run(body);
  run.block(64);
  const auto plain = run.words(96);
  const auto count = run.stats.warp_instructions;
  Log log;
  CHECK(observed(run, log, 96) == plain);
  CHECK(run.stats.warp_instructions == count);
}

}  // namespace
}  // namespace emu::exec::testing

// SPDX-License-Identifier: MIT
// Calls: arguments and results per lane, targets that differ between lanes, recursion, exits from
// inside, the end of the stack.
#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

const std::string kFunctions = R"(
.func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, %a, %a; st.param.b32 [r], %a; ret; }
.func (.param .b32 r) square(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; mul.lo.u32 %a, %a, %a; st.param.b32 [r], %a; ret; }
.func (.param .b32 r) members(.param .b32 x) { .reg .b32 %a; activemask.b32 %a; st.param.b32 [r], %a; ret; }
// Sum of 1..x, one activation for each.
.func (.param .b32 r) sum(.param .b32 x) {
  .reg .b32 %a, %b; .reg .pred %p; ld.param.b32 %a, [x]; setp.eq.u32 %p, %a, 0; @%p bra ZERO;
  .param .b32 y; .param .b32 z; sub.u32 %b, %a, 1; st.param.b32 [y], %b; call (z), sum, (y); ld.param.b32 %b, [z];
  add.u32 %a, %a, %b; st.param.b32 [r], %a; ret;
  ZERO: st.param.b32 [r], 0; ret;
}
.func leave_odd(.param .b32 x) { .reg .b32 %a; .reg .pred %p; ld.param.b32 %a, [x]; and.b32 %a, %a, 1; setp.ne.u32 %p, %a, 0; @%p exit; ret; }
)";

std::string call(const std::string& name) {
  return "{ .param .b32 in; .param .b32 back; st.param.b32 [in], %t; call (back), " + name +
         ", (in); ld.param.b32 %r2, [back]; }\n";
}

TEST_CASE("a call gives each lane its own result") {
  const auto got = Run(call("square") + "st.global.u32 [%out4], %r2;", kFunctions).words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == t * t);
}

TEST_CASE("a guarded call is made by some lanes, and all go on together") {
  const auto got = Run(R"(
    setp.lt.u32 %p1, %t, 5; mov.u32 %r2, 77;
    { .param .b32 in; .param .b32 back; st.param.b32 [in], %t; @%p1 call (back), members, (in); @%p1 ld.param.b32 %r2, [back]; }
    activemask.b32 %r3; setp.ne.u32 %p2, %r3, -1; @%p2 trap; st.global.u32 [%out4], %r2;)",
                       kFunctions)
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == (t < 5 ? 31u : 77u));
}

TEST_CASE("an indirect call runs each lane's own function, lanes with the same one together") {
  const auto got = Run(R"(
    mov.u64 %rd1, twice; mov.u64 %rd2, square; mov.u64 %rd3, members;
    and.b32 %r3, %t, 3; setp.eq.u32 %p1, %r3, 1; setp.eq.u32 %p2, %r3, 2;
    selp.b64 %rd4, %rd2, %rd1, %p1; selp.b64 %rd4, %rd3, %rd4, %p2;
    { .param .b32 in; .param .b32 back; st.param.b32 [in], %t;
      proto: .callprototype (.param .b32 _) _ (.param .b32 _);
      call (back), %rd4, (in), proto; ld.param.b32 %r2, [back]; }
    activemask.b32 %r3; setp.ne.u32 %p3, %r3, -1; @%p3 trap; st.global.u32 [%out4], %r2;)",
                       kFunctions)
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) {
    CHECK(got[t] == (t % 4 == 1 ? t * t : t % 4 == 2 ? 0x44444444u : 2 * t));
  }
}

TEST_CASE("a call through what is not a function is an error, with the lane") {
  const std::string through = R"({ .param .b32 in; .param .b32 back; st.param.b32 [in], %t;
      proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (back), %rd4, (in), proto; })";
  CHECK(says(Run("mov.u64 %rd4, 0;" + through, kFunctions).error(FaultKind::BadOperand),
             "not the address"));
  CHECK(says(Run("mov.u64 %rd4, %out;" + through, kFunctions).error(FaultKind::BadOperand),
             "not the address"));
  CHECK(says(Run("mov.u64 %rd4, k;" + through, kFunctions).error(FaultKind::BadOperand),
             "not the address"));
  CHECK(says(
      Run("mov.u64 %rd4, none;" + through, ".func none() { ret; }").error(FaultKind::BadOperand),
      "takes other parameters"));
}

TEST_CASE("recursion may end at another depth in each lane") {
  const auto got = Run(call("sum") +
                           "activemask.b32 %r3; setp.ne.u32 %p1, %r3, -1; @%p1 trap; st.global.u32 "
                           "[%out4], %r2;",
                       kFunctions)
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == t * (t + 1) / 2);
}

TEST_CASE("lanes may exit inside a function; the others return") {
  const auto got = Run("{ .param .b32 in; st.param.b32 [in], %t; call leave_odd, (in); } "
                       "activemask.b32 %r2; st.global.u32 [%out4], %r2;",
                       kFunctions)
                       .words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == (t % 2 ? 0u : 0x55555555u));
}

TEST_CASE("a warp that exits inside a function leaves nothing behind for the next block") {
  const std::string quit = ".func quit() { exit; }";
  Run run(
      "setp.lt.u32 %p1, %t, 30; st.global.u32 [%out4], 1; @%p1 bra CALL; ret; CALL: call quit, ();",
      quit);
  run.grid(6);
  run.request.resident_blocks = 2;
  CHECK(run.words(6 * 32) == filled(6 * 32, 1));
}

TEST_CASE("each activation has its own local memory, per lane") {
  // f(n): buf = n + lane; if n: f(n - 1); returns what buf then holds.
  const std::string f = R"(
.func (.param .b32 r) f(.param .b32 x) {
  .local .align 4 .b8 buf[4]; .reg .b32 %a, %b; .reg .b64 %rd, %g; .reg .pred %p; mov.u64 %rd, buf; cvta.local.u64 %g, %rd;
  ld.param.b32 %a, [x]; mov.u32 %b, %laneid; mad.lo.u32 %b, %a, 100, %b; st.u32 [%g], %b; setp.eq.u32 %p, %a, 0; @%p bra END;
  .param .b32 y; .param .b32 z; sub.u32 %b, %a, 1; st.param.b32 [y], %b; call (z), f, (y);
  END: ld.local.u32 %b, [%rd]; st.param.b32 [r], %b; ret; })";
  const auto got =
      Run("and.b32 %t, %t, 7; " + call("f") + "st.global.u32 [%out4], %r2;", f).words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == (t & 7) * 100 + t);
}

TEST_CASE("recursion without an end is a stack overflow, not a crash") {
  const auto report = Run("call f, ();", ".func f() { .local .b8 b[4096]; call f, (); ret; }")
                          .error(FaultKind::StackOverflow);
  CHECK(says(report, "the call stack overflows"));
  CHECK(says(report, "in f, called from"));
  CHECK(report.size() < 8000);
  const auto deep =
      Run("call f, ();", ".func f() { call f, (); ret; }").error(FaultKind::StackOverflow);
  CHECK(says(deep, "calls deep"));
  CHECK(deep.size() < 2000);
}

TEST_CASE("a loop that waits gives way although it calls a function in each round") {
  CHECK(
      Run("setp.ge.u32 %p1, %t, 32; @%p1 bra SET;\nLOOP: " + call("twice") +
              "ld.volatile.global.u32 %r3, [%out]; setp.eq.u32 %p2, %r3, 0; @%p2 bra LOOP; bra END;"
              "SET: st.volatile.global.u32 [%out], 1; END:",
          kFunctions)
          .block(64)
          .words()[0] == 1);
}

TEST_CASE("loops around a function with a loop are not taken for a livelock") {
  const std::string f =
      ".func spend() { .reg .b32 %a; .reg .pred %p; mov.u32 %a, 0; L: add.u32 %a, %a, 1; "
      "setp.lt.u32 %p, %a, 63; @%p bra L; ret; }";
  const auto got = Run("mov.u32 %r2, 0; L: call spend, (); add.u32 %r2, %r2, 1; setp.lt.u32 %p1, "
                       "%r2, 5000; @%p1 bra L; st.global.u32 [%out4], %r2;",
                       f)
                       .words();
  CHECK(got == filled(32, 5000));
}

TEST_CASE("a loop that counts in local memory is not taken for a livelock") {
  const auto got = Run(R"(
    .local .align 4 .b8 n[4]; mov.u32 %r2, 0; st.local.u32 [n], %r2;
    L: ld.local.u32 %r2, [n]; add.u32 %r2, %r2, 1; st.local.u32 [n], %r2; setp.lt.u32 %p1, %r2, 50000; mov.u32 %r2, 0; @%p1 bra L;
    ld.local.u32 %r2, [n]; st.global.u32 [%out4], %r2;)")
                       .words();
  CHECK(got == filled(32, 50000));
}

}  // namespace
}  // namespace emu::exec::testing

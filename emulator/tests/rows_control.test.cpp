// SPDX-License-Identifier: MIT
// Branches, calls, ends of threads, traps, what no row accepts, and the instructions without effect
// (PTX 9.7.12 and 9.7.19).
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

std::vector<U32> numbers(const Raw& raw, U32 n = 32) { return run<U32>(raw, n); }

}  // namespace

ROW_TEST(bra, "divides lanes and joins them again, forwards and in loops") {
  Raw raw;
  // Each lane counts up to its number; odd lanes then add 1000.
  raw.body =
      R"(mov.u32 %r2, 0; LOOP: setp.ge.u32 %p1, %r2, %t; @%p1 bra DONE; add.u32 %r2, %r2, 1;
      bra.uni LOOP;
    DONE: and.b32 %r3, %t, 1; setp.eq.u32 %p2, %r3, 0; @!%p2 bra ODD; bra JOIN;
      ODD: add.u32 %r2, %r2, 1000; JOIN: activemask.b32 %r4;
    setp.eq.u32 %p3, %r4, -1; selp.u32 %r5, 0, 1000000, %p3; add.u32 %r2, %r2, %r5;
      st.global.u32 [%out4], %r2;)";
  const auto out = numbers(raw);
  for (U32 i = 0; i < 32; ++i) CHECK(out[i] == i + (i % 2 ? 1000 : 0));
}

ROW_TEST(brx, "branches by a table") {
  Raw raw;
  raw.body =
      R"(and.b32 %r2, %t, 3; ts: .branchtargets A, B, C, D; brx.idx %r2, ts; A: mov.u32 %r3, 10;
      bra.uni E; B: mov.u32 %r3, 20; bra.uni E;
    C: mov.u32 %r3, 30; bra.uni E; D: mov.u32 %r3, 40; E: st.global.u32 [%out4], %r3;)";
  const auto out = numbers(raw);
  for (U32 i = 0; i < 32; ++i) CHECK(out[i] == 10 * (i % 4 + 1));
  Raw bad;
  bad.body = "mov.u32 %r2, 7; ts: .branchtargets A, B; brx.idx %r2, ts; A: B: mov.u32 %r3, 1;";
  CHECK(error_of(bad).find("index 7") != std::string::npos);
}

ROW_TEST(call, "passes arguments and results, recurses, and follows function pointers") {
  Raw raw;
  raw.module = R"(
    .visible .func (.param .b32 result) twice(.param .b32 x) { .reg .b32 %a;
      ld.param.u32 %a, [x]; add.u32 %a, %a, %a; st.param.u32 [result], %a; ret; }
    .visible .func (.param .b32 result) thrice(.param .b32 x) { .reg .b32 %a;
      ld.param.u32 %a, [x]; mul.lo.u32 %a, %a, 3; st.param.u32 [result], %a; ret; }
    .visible .func (.param .b32 result) sum_to(.param .b32 x) { .reg .b32 %a, %b;
      .reg .pred %p; ld.param.u32 %a, [x]; setp.eq.u32 %p, %a, 0; mov.u32 %b, 0; @%p bra END;
      sub.u32 %b, %a, 1; { .param .b32 arg; .param .b32 res; st.param.b32 [arg], %b;
      call.uni (res), sum_to, (arg); ld.param.b32 %b, [res]; } add.u32 %b, %b, %a;
      END: st.param.u32 [result], %b; ret; }
    .global .align 8 .u64 table[2] = {twice, thrice};)";
  raw.body =
      R"({ .param .b32 arg; .param .b32 res; st.param.b32 [arg], %t; call (res), sum_to, (arg);
      ld.param.b32 %r2, [res]; }
    and.b32 %r3, %t, 1; mul.wide.u32 %rd1, %r3, 8; mov.u64 %rd2, table;
      add.u64 %rd2, %rd2, %rd1; ld.global.u64 %rd3, [%rd2];
    { .param .b32 arg; .param .b32 res; st.param.b32 [arg], %t;
      proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (res), %rd3, (arg), proto;
      ld.param.b32 %r4, [res]; }
    mad.lo.u32 %r2, %r4, 10000, %r2; st.global.u32 [%out4], %r2;)";
  const auto out = numbers(raw);
  for (U32 i = 0; i < 32; ++i) CHECK(out[i] == i * (i + 1) / 2 + 10000 * i * (i % 2 ? 3 : 2));
}

ROW_TEST(ret, "ends a function for the lanes that take it, and the kernel") {
  Raw raw;
  raw.module =
      R"(.visible .func (.param .b32 result) early(.param .b32 x) { .reg .b32 %a; .reg .pred %p;
      ld.param.u32 %a, [x]; st.param.u32 [result], %a; setp.lt.u32 %p, %a, 10;
    @%p ret; add.u32 %a, %a, 100; st.param.u32 [result], %a; ret.uni; })";
  raw.body =
      R"({ .param .b32 arg; .param .b32 res; st.param.b32 [arg], %t; call (res), early, (arg);
      ld.param.b32 %r2, [res]; } st.global.u32 [%out4], %r2;
    setp.ge.u32 %p1, %t, 20; @%p1 ret; add.u32 %r2, %r2, 5000; st.global.u32 [%out4], %r2;)";
  const auto out = numbers(raw);
  for (U32 i = 0; i < 32; ++i) CHECK(out[i] == i + (i < 10 ? 0 : 100) + (i < 20 ? 5000 : 0));
}

ROW_TEST(exit,
         "ends threads, also inside a function; barriers do not wait for warps that are gone") {
  Raw raw;
  raw.block = {64, 1, 1};
  raw.module =
      ".visible .func leave(.param .b32 x) { .reg .b32 %a; .reg .pred %p; ld.param.u32 %a, [x]; "
      "setp.ge.u32 %p, %a, 32; @%p exit; ret; }";
  raw.body =
      R"(st.global.u32 [%out4], 1; { .param .b32 arg; st.param.b32 [arg], %t; call leave, (arg);
      } bar.sync 0; st.global.u32 [%out4], 2;
    setp.lt.u32 %p1, %t, 7; @%p1 exit; st.global.u32 [%out4], 3; exit;)";
  const auto out = numbers(raw, 64);
  for (U32 i = 0; i < 64; ++i) CHECK(out[i] == (i >= 32 ? 1u : i < 7 ? 2u : 3u));
}

ROW_TEST(trap, "ends the kernel with an error that names the thread") {
  const auto report = error_of({"setp.eq.u32 %p1, %t, 9; @%p1 trap;"});
  CHECK(report.find("trap") != std::string::npos);
  CHECK(report.find("9") != std::string::npos);
  CHECK(error_of({"setp.eq.u32 %p1, %t, 99; @%p1 trap;"}) == "");
}
ROW_TEST(brkpt, "ends the kernel like a trap: there is no debugger") {
  CHECK(error_of({"brkpt;"}) != "");
}

ROW_TEST(unknown, "refuses the kernel that holds it with a sentence") {
  CHECK(error_of({"wgmma.fence.sync.aligned;"})
            .find("tensor-core instruction wgmma.fence.sync.aligned is not supported") !=
        std::string::npos);
  CHECK(error_of({"frobnicate.u32 %r1, %r2;"}).find("unknown instruction frobnicate.u32") !=
        std::string::npos);
  CHECK(error_of({"add.u32.hasty %r1, %r2, %r3;"}).find("modifier .hasty is not known for add") !=
        std::string::npos);
}

ROW_TEST(nanosleep, "lets others run first") {
  Raw raw;
  // Warp 0 waits for what warp 1 writes; it may only sleep meanwhile.
  raw.block = {64, 1, 1};
  raw.body =
      R"(.shared .b32 flag; setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [flag], 0; bar.sync 0;
      setp.ge.u32 %p2, %t, 32; @%p2 bra WRITE;
    WAIT: nanosleep.u32 100; ld.volatile.shared.u32 %r2, [flag]; setp.eq.u32 %p3, %r2, 0;
      @%p3 bra WAIT; st.global.u32 [%out4], %r2; bra END;
    WRITE: st.volatile.shared.u32 [flag], 42; mov.u32 %r3, 7; nanosleep.u32 %r3; END:)";
  const auto out = numbers(raw, 64);
  for (U32 i = 0; i < 32; ++i) CHECK(out[i] == 42);
}
ROW_TEST(pmevent, "has no effect") {
  CHECK(numbers({"pmevent 3; pmevent.mask 5; st.global.u32 [%out4], 1;"})[31] == 1);
}
ROW_TEST(setmaxnreg, "has no effect") {
  CHECK(numbers({"setmaxnreg.inc.sync.aligned.u32 64; setmaxnreg.dec.sync.aligned.u32 32; "
                 "st.global.u32 [%out4], 1;"})[31] == 1);
}

ROW_TEST(alloca_, "is refused with a sentence") {
  for (const char* text : {"alloca.u64 %rd1, 16;", "alloca.u32 %r1, 16;"})
    CHECK(error_of({text}).find("alloca() in device code is not supported") != std::string::npos);
}
ROW_TEST(stacksave, "is refused with a sentence") {
  for (const char* text : {"stacksave.u64 %rd1;", "stacksave.u32 %r1;"})
    CHECK(error_of({text}).find("alloca() in device code is not supported") != std::string::npos);
}
ROW_TEST(stackrestore, "is refused with a sentence") {
  for (const char* text : {"stackrestore.u64 %rd1;", "stackrestore.u32 %r1;"})
    CHECK(error_of({text}).find("alloca() in device code is not supported") != std::string::npos);
}

}  // namespace emu::tests

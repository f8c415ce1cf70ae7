// SPDX-License-Identifier: MIT
// Branches, calls, ends of threads and barriers (PTX 9.7.12 and 9.7.13): small kernels whose results
// the language defines.
#include "vectors/catalogue.hpp"

namespace emu::vectors {
namespace {

void add_calls(Builder& b) {
  Raw call;
  call.module = R"(
.visible .func (.param .b32 result) twice(.param .b32 x) { .reg .b32 %a; ld.param.u32 %a, [x]; add.u32 %a, %a, %a;
  st.param.u32 [result], %a; ret; }
.visible .func (.param .b32 result) thrice(.param .b32 x) { .reg .b32 %a; ld.param.u32 %a, [x]; mul.lo.u32 %a, %a, 3;
  st.param.u32 [result], %a; ret; }
.visible .func (.param .b32 result) sum_to(.param .b32 x) { .reg .b32 %a, %b; .reg .pred %p; ld.param.u32 %a, [x];
  setp.eq.u32 %p, %a, 0; mov.u32 %b, 0; @%p bra END; sub.u32 %b, %a, 1;
  { .param .b32 arg; .param .b32 res; st.param.b32 [arg], %b; call.uni (res), sum_to, (arg); ld.param.b32 %b, [res]; }
  add.u32 %b, %b, %a; END: st.param.u32 [result], %b; ret; }
.global .align 8 .u64 table[2] = {twice, thrice};)";
  call.body =
      R"({ .param .b32 arg; .param .b32 res; st.param.b32 [arg], %t; call (res), sum_to, (arg); ld.param.b32 %r2, [res]; }
and.b32 %r3, %t, 1; mul.wide.u32 %rd1, %r3, 8; mov.u64 %rd2, table; add.u64 %rd2, %rd2, %rd1; ld.global.u64 %rd3, [%rd2];
{ .param .b32 arg; .param .b32 res; st.param.b32 [arg], %t; proto: .callprototype (.param .b32 _) _ (.param .b32 _);
call (res), %rd3, (arg), proto; ld.param.b32 %r4, [res]; }
mad.lo.u32 %r2, %r4, 10000, %r2; st.global.u32 [%out4], %r2;)";
  b.raw("call", "calls: direct, recursive, by pointer", call, 128);
  Raw ret;
  ret.module =
      R"(.visible .func (.param .b32 result) early(.param .b32 x) { .reg .b32 %a; .reg .pred %p;
  ld.param.u32 %a, [x]; st.param.u32 [result], %a; setp.lt.u32 %p, %a, 10; @%p ret; add.u32 %a, %a, 100;
  st.param.u32 [result], %a; ret.uni; })";
  ret.body =
      R"({ .param .b32 arg; .param .b32 res; st.param.b32 [arg], %t; call (res), early, (arg); ld.param.b32 %r2, [res]; }
st.global.u32 [%out4], %r2; setp.ge.u32 %p1, %t, 20; @%p1 ret; add.u32 %r2, %r2, 5000; st.global.u32 [%out4], %r2;)";
  b.raw("ret", "returns of some lanes", ret, 128);
}

void add_branches(Builder& b) {
  Raw bra;
  bra.body =
      R"(mov.u32 %r2, 0; LOOP: setp.ge.u32 %p1, %r2, %t; @%p1 bra DONE; add.u32 %r2, %r2, 1; bra.uni LOOP;
DONE: and.b32 %r3, %t, 1; setp.eq.u32 %p2, %r3, 0; @!%p2 bra ODD; bra JOIN; ODD: add.u32 %r2, %r2, 1000;
JOIN: st.global.u32 [%out4], %r2;)";
  b.raw("bra", "a loop of each lane's own length", bra, 128);
  Raw brx;
  brx.body =
      R"(and.b32 %r2, %t, 3; ts: .branchtargets A, B, C, D; brx.idx %r2, ts; A: mov.u32 %r3, 10; bra.uni E;
B: mov.u32 %r3, 20; bra.uni E; C: mov.u32 %r3, 30; bra.uni E; D: mov.u32 %r3, 40; E: st.global.u32 [%out4], %r3;)";
  b.raw("brx", "a branch by table", brx, 128);
  Raw exit;
  exit.block = {64, 1, 1};
  exit.body =
      R"(st.global.u32 [%out4], 1; setp.ge.u32 %p2, %t, 32; @%p2 exit; bar.sync 0; st.global.u32 [%out4], 2;
setp.lt.u32 %p1, %t, 7; @%p1 exit; st.global.u32 [%out4], 3; exit;)";
  b.raw("exit", "a warp that ends before a barrier, lanes that end after it", exit, 256);
}

void add_barriers(Builder& b) {
  for (const std::string name : {"bar", "barrier"}) {
    for (const std::string meet : {".sync 0;", ".sync 15;", ".cta.sync 3, 96;"}) {
      Raw raw;
      raw.block = {96, 1, 1};
      raw.module = ".shared .align 4 .b32 tile[96];";
      raw.body = "mov.u32 %r2, tile; mad.lo.u32 %r3, %t, 4, %r2; st.shared.u32 [%r3], %t; " + name +
                 meet +
                 " sub.u32 %r4, 95, %t; mad.lo.u32 %r3, %r4, 4, %r2; ld.shared.u32 %r5, "
                 "[%r3]; st.global.u32 [%out4], %r5;";
      b.raw(name, "an exchange over " + name + meet, raw, 384);
    }
    for (const std::string limit : {"0", "1", "40", "96"}) {
      Raw raw;
      raw.block = {96, 1, 1};
      raw.body = "setp.lt.u32 %p1, %t, " + limit + ";\n" + name + ".red.popc.u32 %r2, 1, %p1;\n" +
                 name + ".red.and.pred %p2, 2, %p1;\n" + name + ".red.or.pred %p3, 3, 96, %p1;\n" +
                 name +
                 ".red.popc.u32 %r3, 1, 96, !%p1;\nselp.u32 %r4, 1, 0, %p2; selp.u32 %r5, 1, "
                 "0, %p3; mad.wide.u32 %rd1, %i, 16, %out; st.global.v4.u32 [%rd1], {%r2, "
                 "%r4, %r5, %r3};";
      b.raw(name + "_red", name + ".red of a predicate of " + limit + " threads", raw, 16 * 96);
    }
  }
  Raw raw;
  raw.grid = {4, 1, 1};
  raw.cluster = {2, 1, 1};
  raw.body =
      ".shared .b32 word; mov.u32 %r2, word; setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [word], "
      "%i; barrier.cluster.arrive.release; barrier.cluster.wait.acquire; mov.u32 %r3, "
      "%cluster_ctarank; xor.b32 %r3, %r3, 1; mapa.shared::cluster.u32 %r4, %r2, %r3; "
      "ld.shared::cluster.u32 %r5, [%r4]; st.global.u32 [%out4], %r5; "
      "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
  b.raw("barrier_cluster", "an exchange over barrier.cluster", raw, 512);
}

}  // namespace

void add_control(Builder& b) {
  add_branches(b);
  add_calls(b);
  add_barriers(b);
}

}  // namespace emu::vectors

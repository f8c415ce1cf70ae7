// SPDX-License-Identifier: MIT
// Asynchronous copies and the mbarriers that count them (PTX 9.7.9 and 9.7.13).
#include "vectors/catalogue.hpp"

namespace emu::vectors {
namespace {

const std::string kWait =
    "WAIT: mbarrier.try_wait.parity.shared.b64 %p9, [bar], 0; @!%p9 bra WAIT;\n";
const std::string kTiles =
    ".shared .align 16 .b8 tile[512]; .shared .align 8 .b64 bar; .shared .align 16 .b32 from[4]; "
    ".shared .align 16 .b32 to[4];\n";

// 32 lanes copy into `tile`; the text is issued between, then all is read back.
void copied(Builder& b, const std::string& row, const std::string& text, int bytes = 16) {
  Raw raw;
  const std::string n = std::to_string(bytes);
  raw.module = kTiles;
  raw.body = "mov.u32 %r2, tile; mad.lo.u32 %r2, %t, " + n + ", %r2; mad.wide.u32 %rd1, %t, " + n +
             ", %in;\n" + text +
             "\nbar.warp.sync -1; mov.u32 %r3, tile; mad.lo.u32 %r3, %t, 4, %r3;\nmov.u32 %r4, 0; "
             "LOOP: ld.shared.u32 %r5, [%r3]; st.global.u32 [%out4], %r5; add.u32 %r3, %r3, 128; "
             "add.u64 %out4, %out4, 128; add.u32 %r4, %r4, 1; setp.lt.u32 %p8, %r4, " +
             std::to_string(bytes / 4) + "; @%p8 bra LOOP;";
  b.raw(row, text, raw, 32 * static_cast<std::size_t>(bytes), 512);
}
void alone(Builder& b, const std::string& row, const std::string& text, std::size_t words) {
  Raw raw;
  raw.block = {1, 1, 1};
  raw.module = kTiles;
  raw.body = "mov.u32 %r2, tile;\n" + text;
  b.raw(row, text, raw, 4 * words);
}

void add_copies(Builder& b) {
  for (const int n : {4, 8, 16})
    copied(b, "cp_async",
           "cp.async.ca.shared.global [%r2], [%rd1], " + std::to_string(n) + "; cp.async.wait_all;",
           n);
  copied(b, "cp_async", "cp.async.cg.shared.global.L2::128B [%r2], [%rd1], 16; cp.async.wait_all;");
  // Fewer source bytes, by number and by register; a source that is ignored.
  const std::string show =
      " cp.async.wait_all; ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [tile]; "
      "st.global.v4.u32 [%out], {%r4, %r5, %r6, %r7};";
  for (const std::string n : {"0", "4", "7", "8", "13", "16"})
    alone(b, "cp_async", "cp.async.cg.shared.global [%r2], [%in], 16, " + n + ";" + show, 4);
  alone(
      b, "cp_async",
      "ld.global.u32 %r3, [%in]; and.b32 %r3, %r3, 7; cp.async.ca.shared.global [%r2], [%in], 16, "
      "%r3;" +
          show,
      4);
  alone(b, "cp_async",
        "setp.eq.u32 %p1, 0, 0; cp.async.ca.shared.global [%r2], [%in], 16, %p1;" + show, 4);
  const std::string copy = "cp.async.cg.shared.global [%r2], [%rd1], 16; ";
  copied(b, "cp_async_commit", copy + "cp.async.commit_group; cp.async.wait_group 0;");
  copied(b, "cp_async_wait_all", copy + "cp.async.commit_group; cp.async.wait_all;");
  alone(b, "cp_async_wait_group",
        "cp.async.ca.shared.global [%r2], [%in], 4; cp.async.commit_group; "
        "cp.async.ca.shared.global [%r2+4], [%in+4], 4; cp.async.commit_group; "
        "cp.async.ca.shared.global [%r2+8], [%in+8], 4; cp.async.commit_group; "
        "cp.async.wait_group 1; ld.shared.u32 %r3, [%r2]; ld.shared.u32 %r4, [%r2+4]; "
        "st.global.v2.u32 [%out], {%r3, %r4}; cp.async.wait_group 0; ld.shared.u32 %r5, [%r2+8]; "
        "st.global.u32 [%out+8], %r5;",
        3);
  const std::string init =
      "setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.init.shared.b64 [bar], 32; bar.warp.sync -1; " + copy;
  copied(b, "cp_async_mbarrier",
         init + "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n" + kWait);
  copied(b, "cp_async_mbarrier",
         init +
             "cp.async.mbarrier.arrive.shared::cta.b64 [bar]; mbarrier.arrive.shared.b64 %rd5, "
             "[bar];\n" +
             kWait);
}

void add_bulk(Builder& b) {
  Raw load;
  load.module = kTiles;
  load.body =
      "mov.u32 %r2, tile; mov.u32 %r3, bar; setp.ne.u32 %p1, %t, 0; @%p1 bra ALL; "
      "mbarrier.init.shared.b64 [%r3], 1; fence.proxy.async; mbarrier.arrive.expect_tx.shared.b64 "
      "%rd1, [%r3], 256; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], "
      "[%in], 256, [%r3]; ALL: bar.sync 0;\n" +
      kWait +
      "mad.lo.u32 %r4, %t, 8, %r2; ld.shared.v2.u32 {%r5, %r6}, [%r4]; mad.wide.u32 %rd1, %t, 8, "
      "%out; st.global.v2.u32 [%rd1], {%r5, %r6};";
  b.raw("cp_async_bulk", "cp.async.bulk from global to shared memory", load, 256);
  Raw cast;
  cast.grid = cast.cluster = {2, 1, 1};
  cast.block = {1, 1, 1};
  cast.module = kTiles;
  cast.body =
      "mov.u32 %r2, %cluster_ctarank; mbarrier.init.shared.b64 [bar], 1; "
      "mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 16; fence.mbarrier_init.release.cluster; "
      "barrier.cluster.arrive; barrier.cluster.wait; setp.ne.u32 %p1, %r2, 0; @%p1 bra WAIT; "
      "mov.u32 "
      "%r4, to; mov.u32 %r5, bar; mov.b16 %rs1, 3; "
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r4], "
      "[%in], 16, [%r5], %rs1;\n" +
      kWait +
      "ld.shared.u32 %r7, [to+4]; st.global.u32 [%out4], %r7; barrier.cluster.arrive; "
      "barrier.cluster.wait;";
  b.raw("cp_async_bulk", "cp.async.bulk to two blocks at once", cast, 8);
  const std::string fill =
                        "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%in]; st.shared.v4.u32 [tile], "
                        "{%r4, %r5, %r6, %r7}; fence.proxy.async; ",
                    go = "cp.async.bulk.global.shared::cta.bulk_group [%out], [%r2], 16; "
                         "cp.async.bulk.commit_group; ";
  alone(b, "cp_async_bulk_commit", fill + go + "cp.async.bulk.wait_group 0;", 4);
  alone(b, "cp_async_bulk_wait",
        fill + go +
            "cp.async.bulk.wait_group.read 0; st.shared.v4.u32 [tile], {9, 9, 9, 9}; "
            "cp.async.bulk.wait_group 0;",
        4);
  const auto reduce = [&](const std::string& op, const std::string& type) {
    alone(b, "cp_reduce_async_bulk",
          fill +
              "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%in+16]; st.global.v4.u32 [%out], {%r4, "
              "%r5, %r6, %r7}; fence.proxy.async; "
              "cp.reduce.async.bulk.global.shared::cta.bulk_group." +
              op + "." + type +
              " [%out], [%r2], 16; cp.async.bulk.commit_group; "
              "cp.async.bulk.wait_group 0;",
          4);
  };
  for (const std::string op : {"and", "or", "xor"}) reduce(op, "b32"), reduce(op, "b64");
  for (const std::string t : {"u32", "s32", "u64", "s64"})
    for (const std::string op : {"add", "min", "max"})
      if (op != "add" || t != "s64") reduce(op, t);
  reduce("inc", "u32"), reduce("dec", "u32"), reduce("add", "f32"), reduce("add", "f64");
  for (const std::string t : {"f16", "bf16"})
    reduce("add.noftz", t), reduce("min", t), reduce("max", t);
}

// Each block of a cluster of two writes into the other.
void far(Builder& b, const std::string& row, const std::string& title, const std::string& send,
         const std::string& bytes) {
  Raw raw;
  raw.grid = raw.cluster = {2, 1, 1};
  raw.block = {1, 1, 1};
  raw.module = kTiles;
  raw.body =
      "mov.u32 %r2, %cluster_ctarank; mad.wide.u32 %rd2, %r2, 16, %in; ld.global.v4.u32 {%r10, "
      "%r11, %r12, %r13}, [%rd2]; ld.global.v2.u64 {%rd10, %rd11}, [%rd2]; st.shared.v4.u32 "
      "[from], "
      "{%r10, %r11, %r12, %r13}; st.shared.v4.u32 [to], {100, 0, 0, 0}; fence.proxy.async; "
      "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], " +
      bytes +
      "; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait; "
      "xor.b32 "
      "%r3, %r2, 1; mov.u32 %r4, to; mapa.shared::cluster.u32 %r4, %r4, %r3; mov.u32 %r5, bar; "
      "mapa.shared::cluster.u32 %r5, %r5, %r3; mov.u32 %r6, from;\n" +
      send + "\n" + kWait +
      "ld.shared.v4.u32 {%r14, %r15, %r16, %r17}, [to]; mad.wide.u32 %rd3, %i, 16, %out; "
      "st.global.v4.u32 [%rd3], {%r14, %r15, %r16, %r17}; barrier.cluster.arrive; "
      "barrier.cluster.wait;";
  b.raw(row, title, raw, 32);
}

void add_far(Builder& b) {
  far(b, "cp_async_bulk", "cp.async.bulk between blocks",
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r4], [%r6], 16, "
      "[%r5];",
      "16");
  far(b, "cp_reduce_async_bulk", "cp.reduce.async.bulk between blocks",
      "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
      "[%r4], "
      "[%r6], 16, [%r5];",
      "16");
  const std::string st = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes";
  for (const std::string t : {"b32", "u32", "s32", "f32"}) {
    far(b, "st_async", "st.async." + t, st + "." + t + " [%r4], %r10, [%r5];", "4");
    far(b, "st_async", "st.async.v2." + t, st + ".v2." + t + " [%r4], {%r10, %r11}, [%r5];", "8");
    far(b, "st_async", "st.async.v4." + t,
        st + ".v4." + t + " [%r4], {%r10, %r11, %r12, %r13}, [%r5];", "16");
  }
  for (const std::string t : {"b64", "u64", "s64", "f64"}) {
    far(b, "st_async", "st.async." + t, st + "." + t + " [%r4], %rd10, [%r5];", "8");
    far(b, "st_async", "st.async.v2." + t, st + ".v2." + t + " [%r4], {%rd10, %rd11}, [%r5];",
        "16");
  }
  const auto red = [&](const std::string& op, const std::string& reg, const std::string& bytes) {
    far(b, "red_async", "red.async." + op,
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes." + op +
            " [%r4], " + reg + ", [%r5];",
        bytes);
  };
  for (const std::string op : {"inc.u32", "dec.u32", "min.u32", "max.u32", "min.s32", "max.s32",
                               "add.u32", "add.s32", "and.b32", "or.b32", "xor.b32"})
    red(op, "%r10", "4");
  red("add.u64", "%rd10", "8");
  red("add.s64", "%rd10", "8");
}

// Writes whether the phase of parity 0 (bit 0) and of parity 1 (bit 1) has completed.
const std::string kAsk =
    "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; mbarrier.test_wait.parity.shared.b64 %p2, "
    "[bar], 1; selp.u32 %r2, 1, 0, %p1; selp.u32 %r3, 2, 0, %p2; or.b32 %r2, %r2, %r3; "
    "st.global.u32 [%out], %r2; add.u64 %out, %out, 4;\n";

void add_mbarriers(Builder& b) {
  const auto init = [](const std::string& n) {
    return "mbarrier.init.shared.b64 [bar], " + n + "; ";
  };
  const std::string arrive = "mbarrier.arrive.shared.b64 %rd1, [bar]; ";
  alone(b, "mbarrier_init", init("1") + kAsk, 1);
  alone(b, "mbarrier_inval", init("1") + "mbarrier.inval.shared.b64 [bar]; " + init("2") + kAsk, 1);
  alone(b, "mbarrier_arrive",
        init("3") + arrive + kAsk + "mbarrier.arrive.shared::cta.b64 %rd1, [bar], 2; " + kAsk +
            "mbarrier.arrive.release.cta.shared.b64 %rd1, [bar], 3; " + kAsk,
        3);
  alone(b, "mbarrier_arrive",
        init("2") + "mbarrier.arrive.noComplete.shared.b64 %rd1, [bar], 1; " + kAsk + arrive + kAsk,
        2);
  alone(b, "mbarrier_arrive_drop",
        init("2") + "mbarrier.arrive_drop.shared.b64 %rd1, [bar]; " + arrive + kAsk + arrive + kAsk,
        2);
  alone(b, "mbarrier_expect_tx",
        init("1") + "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 16; " + arrive + kAsk +
            "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 16; " + kAsk,
        2);
  alone(b, "mbarrier_complete_tx",
        init("1") +
            "mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 24; "
            "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [bar], 16; " +
            kAsk + "mbarrier.complete_tx.shared.b64 [bar], 8; " + kAsk,
        2);
  const std::string show =
      "selp.u32 %r3, 1, 0, %p3; selp.u32 %r4, 1, 0, %p4; st.global.v2.u32 [%out], {%r3, %r4};";
  alone(b, "mbarrier_test_wait",
        init("2") + arrive +
            "mbarrier.test_wait.shared.b64 %p3, [bar], %rd1; "
            "mbarrier.arrive.shared.b64 %rd2, [bar]; "
            "mbarrier.test_wait.acquire.cta.shared::cta.b64 %p4, [bar], %rd1; " +
            show,
        2);
  alone(b, "mbarrier_try_wait",
        init("2") + arrive +
            "mbarrier.try_wait.shared.b64 %p3, [bar], %rd1, 10; "
            "mbarrier.arrive.shared.b64 %rd2, [bar]; "
            "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p4, [bar], 0; " +
            show,
        2);
  alone(b, "mbarrier_pending_count",
        init("5") + arrive +
            "mbarrier.arrive.shared.b64 %rd2, [bar]; mbarrier.pending_count.b64 %r2, "
            "%rd1; mbarrier.pending_count.b64 %r3, %rd2; st.global.v2.u32 [%out], "
            "{%r2, %r3};",
        2);
}

}  // namespace

void add_async(Builder& b) {
  add_copies(b);
  add_bulk(b);
  add_far(b);
  add_mbarriers(b);
}

}  // namespace emu::vectors

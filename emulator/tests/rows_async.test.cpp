// SPDX-License-Identifier: MIT
// Asynchronous copies (cp.async, cp.async.bulk, st.async) and the mbarriers that count them.
#include "tests/numbers.hpp"
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

std::vector<U32> counted(std::size_t n) {
  std::vector<U32> v;
  for (std::size_t i = 0; i < n; ++i) v.push_back(static_cast<U32>(1000 + i));
  return v;
}
const std::string kWait =
    "WAIT: mbarrier.try_wait.parity.shared.b64 %p9, [bar], 0; @!%p9 bra WAIT;\n";

// 32 lanes copy 16 bytes each into `tile`; the text is issued between, then all is read back.
void copied(const std::string& text, int bytes = 16) {
  Raw raw;
  const std::string n = std::to_string(bytes);
  raw.body =
      ".shared .align 16 .b8 tile[512]; .shared .align 8 .b64 bar; mov.u32 %r2, tile; mad.lo.u32 "
      "%r2, %t, " +
      n + ", %r2; mad.wide.u32 %rd1, %t, " + n + ", %in;\n" + text +
      "\nbar.warp.sync -1; mov.u32 %r3, tile; mad.lo.u32 %r3, %t, 4, %r3;\nmov.u32 %r4, 0; LOOP: "
      "ld.shared.u32 %r5, [%r3]; st.global.u32 [%out4], %r5; add.u32 %r3, %r3, 128; "
      "add.u64 %out4, %out4, 128; add.u32 %r4, %r4, 1; setp.lt.u32 %p8, %r4, " +
      std::to_string(bytes / 4) + "; @%p8 bra LOOP;";
  const auto in = counted(static_cast<std::size_t>(8 * bytes));
  same(text, run<U32>(raw, in, std::vector<U32>(in.size())), in);
}

}  // namespace

ROW_TEST(cp_async, "copies 4, 8 and 16 bytes, fills with zeros, ignores the source") {
  copied("cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.wait_all;", 4);
  copied("cp.async.ca.shared.global [%r2], [%rd1], 8; cp.async.wait_all;", 8);
  copied("cp.async.ca.shared::cta.global.L2::128B [%r2], [%rd1], 16; cp.async.wait_all;");
  copied("cp.async.cg.shared.global [%r2], [%rd1], 16; cp.async.wait_all;");
  copied("cp.async.cg.shared.global.L2::64B [%r2], [%rd1], 16, 16; cp.async.wait_all;");
  Raw raw;
  raw.block = {1, 1, 1};
  raw.body =
      R"(.shared .align 16 .b8 tile[48]; mov.u32 %r2, tile;
      cp.async.ca.shared.global [%r2], [%in], 16, 8; mov.u32 %r3, 0;
      cp.async.cg.shared.global [%r2+16], [%in], 16, %r3;
    setp.eq.u32 %p1, 0, 0; cp.async.ca.shared.global [%r2+32], [%in], 16, %p1;
      cp.async.wait_all;
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2];
      st.global.v4.u32 [%out], {%r4, %r5, %r6, %r7};
      ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2+16];
      st.global.v4.u32 [%out+16], {%r4, %r5, %r6, %r7};
    ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2+32];
      st.global.v4.u32 [%out+32], {%r4, %r5, %r6, %r7};)";
  CHECK(run<U32>(raw, counted(4), std::vector<U32>(12, 1)) ==
        std::vector<U32>{1000, 1001, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}
ROW_TEST(cp_async_commit, "closes a group that a wait counts") {
  copied(
      "cp.async.cg.shared.global [%r2], [%rd1], 16; cp.async.commit_group; cp.async.wait_group 0;");
}
ROW_TEST(cp_async_wait_group, "waits until at most n younger groups are open") {
  Raw raw;
  raw.block = {1, 1, 1};
  raw.body =
      R"(.shared .align 16 .b32 tile[8]; mov.u32 %r2, tile; cp.async.ca.shared.global [%r2], [%in], 4;
      cp.async.commit_group; cp.async.ca.shared.global [%r2+4], [%in+4], 4;
      cp.async.commit_group;
    cp.async.ca.shared.global [%r2+8], [%in+8], 4; cp.async.commit_group;
      cp.async.wait_group 1; ld.shared.u32 %r3, [%r2]; ld.shared.u32 %r4, [%r2+4];
      st.global.v2.u32 [%out], {%r3, %r4};
    cp.async.wait_group 0; ld.shared.u32 %r5, [%r2+8]; st.global.u32 [%out+8], %r5;)";
  CHECK(run<U32>(raw, counted(4), std::vector<U32>(3)) == std::vector<U32>{1000, 1001, 1002});
}
ROW_TEST(cp_async_wait_all, "waits for copies of no group too") {
  copied("cp.async.cg.shared.global [%r2], [%rd1], 16; cp.async.commit_group; cp.async.wait_all;");
  copied("cp.async.cg.shared.global [%r2], [%rd1], 16; cp.async.wait_all;");
}
ROW_TEST(cp_async_mbarrier, "arrives when the thread's copies are done") {
  const std::string init = "setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.init.shared.b64 [bar], ",
                    meet = "; bar.warp.sync -1; cp.async.cg.shared.global [%r2], [%rd1], 16; ";
  copied(init + "32" + meet + "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n" + kWait);
  copied(
      init + "32" + meet +
      "cp.async.mbarrier.arrive.shared::cta.b64 [bar]; mbarrier.arrive.shared.b64 %rd5, [bar];\n" +
      kWait);
}

ROW_TEST(cp_async_bulk, "copies global to shared, shared to global, and between blocks") {
  Raw load;
  load.body =
      R"(.shared .align 16 .b8 tile[256]; .shared .align 8 .b64 bar; mov.u32 %r2, tile;
      mov.u32 %r3, bar; setp.ne.u32 %p1, %t, 0; @%p1 bra ALL;
    mbarrier.init.shared.b64 [%r3], 1; fence.proxy.async;
      mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r3], 256;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%in], 256, [%r3];
      ALL: bar.sync 0;
)" + kWait +
      R"(mad.lo.u32 %r4, %t, 8, %r2; ld.shared.v2.u32 {%r5, %r6}, [%r4];
      st.global.v2.u32 [%out8], {%r5, %r6};)";
  CHECK(run<U32>(load, counted(64), std::vector<U32>(64)) == counted(64));
  Raw store;
  store.body =
      R"(.shared .align 16 .b8 tile[128]; mov.u32 %r2, tile; mad.lo.u32 %r3, %t, 4, %r2;
      ld.global.u32 %r4, [%in4]; st.shared.u32 [%r3], %r4; fence.proxy.async; bar.sync 0;
      setp.ne.u32 %p1, %t, 0; @%p1 bra END;
    cp.async.bulk.global.shared::cta.bulk_group [%out], [%r2], 128; cp.async.bulk.commit_group;
      cp.async.bulk.wait_group 0; END:)";
  CHECK(run<U32>(store, counted(32), std::vector<U32>(32)) == counted(32));
  Raw far;
  far.grid = far.cluster = {2, 1, 1};
  far.block = {1, 1, 1};
  far.body =
      R"(.shared .align 16 .b32 from[4]; .shared .align 16 .b32 to[4]; .shared .align 8 .b64 bar;
      mov.u32 %r2, %cluster_ctarank; add.u32 %r9, %r2, 70;
      st.shared.v4.u32 [from], {%r9, 2, 3, 4};
    mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 16;
      barrier.cluster.arrive; barrier.cluster.wait; xor.b32 %r3, %r2, 1; mov.u32 %r4, to;
      mapa.shared::cluster.u32 %r4, %r4, %r3;
    mov.u32 %r5, bar; mapa.shared::cluster.u32 %r5, %r5, %r3; mov.u32 %r6, from;
      cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r4], [%r6], 16, [%r5];
)" + kWait +
      "ld.shared.u32 %r7, [to]; st.global.u32 [%out4], %r7; barrier.cluster.arrive; "
      "barrier.cluster.wait;";
  CHECK(run<U32>(far, 2) == std::vector<U32>{71, 70});
  Raw cast;
  cast.grid = cast.cluster = {2, 1, 1};
  cast.block = {1, 1, 1};
  cast.body =
      R"(.shared .align 16 .b32 to[4]; .shared .align 8 .b64 bar; mov.u32 %r2, %cluster_ctarank;
      mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 16;
    barrier.cluster.arrive; barrier.cluster.wait; setp.ne.u32 %p1, %r2, 0; @%p1 bra WAIT;
      mov.u32 %r4, to; mov.u32 %r5, bar; mov.b16 %rs1, 3;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r4], [%in], 16, [%r5], %rs1;
)" + kWait +
      "ld.shared.u32 %r7, [to+4]; st.global.u32 [%out4], %r7; barrier.cluster.arrive; "
      "barrier.cluster.wait;";
  CHECK(run<U32>(cast, counted(4), std::vector<U32>(2)) == std::vector<U32>{1001, 1001});
  CHECK(error_of({".shared .align 16 .b8 tile[64]; mov.u32 %r2, tile; "
                  "cp.async.bulk.global.shared::cta.bulk_group [%out], [%r2], 20;"})
            .find("multiple of 16") != std::string::npos);
}

ROW_TEST(cp_async_bulk_commit, "closes a group of bulk copies") {
  Raw raw;
  raw.block = {1, 1, 1};
  raw.body =
      R"(.shared .align 16 .b32 tile[8]; mov.u32 %r2, tile; st.shared.v4.u32 [tile], {1, 2, 3, 4};
      st.shared.v4.u32 [tile+16], {5, 6, 7, 8}; fence.proxy.async.shared::cta;
    cp.async.bulk.global.shared::cta.bulk_group [%out], [%r2], 16; cp.async.bulk.commit_group;
      cp.async.bulk.global.shared::cta.bulk_group [%out+16], [%r2+16], 16;
      cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 1; ld.global.u32 %r3, [%out+12]; st.global.u32 [%out+32], %r3;
      cp.async.bulk.wait_group 0;)";
  CHECK(run<U32>(raw, 9) == std::vector<U32>{1, 2, 3, 4, 5, 6, 7, 8, 4});
}
ROW_TEST(cp_async_bulk_wait, "with .read lets the source be used again") {
  Raw raw;
  raw.block = {1, 1, 1};
  raw.body =
      R"(.shared .align 16 .b32 tile[4]; mov.u32 %r2, tile; st.shared.v4.u32 [tile], {1, 2, 3, 4};
      fence.proxy.async;
    cp.async.bulk.global.shared::cta.bulk_group [%out], [%r2], 16; cp.async.bulk.commit_group;
      cp.async.bulk.wait_group.read 0; st.shared.v4.u32 [tile], {9, 9, 9, 9};
      cp.async.bulk.wait_group 0;)";
  CHECK(run<U32>(raw, 4) == std::vector<U32>{1, 2, 3, 4});
}
ROW_TEST(cp_async_bulk_prefetch, "changes nothing") {
  Raw raw;
  raw.block = {1, 1, 1};
  raw.body = "cp.async.bulk.prefetch.L2.global [%in], 64; st.global.u32 [%out], 1;";
  CHECK(run<U32>(raw, 1)[0] == 1);
}

namespace {
// 16 bytes of operands in shared memory are combined with 16 bytes of the output.
template <class T>
void bulk_reduce(const std::string& op, const std::string& type, T old, T operand, T want) {
  const std::size_t n = 16 / sizeof(T);
  Raw raw;
  raw.block = {1, 1, 1};
  raw.body =
      R"(.shared .align 16 .b8 tile[16]; mov.u32 %r2, tile; ld.global.v2.u64 {%rd1, %rd2}, [%in];
      st.shared.v2.u64 [tile], {%rd1, %rd2}; fence.proxy.async;
    cp.reduce.async.bulk.global.shared::cta.bulk_group.)" +
      op + "." + type +
      " [%out], [%r2], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
  same(op + "." + type, run<T>(raw, std::vector<T>(n, operand), std::vector<T>(n, old)),
       std::vector<T>(n, want));
}
}  // namespace

ROW_TEST(cp_reduce_async_bulk,
         "combines shared memory into global memory, and into another block's shared memory") {
  bulk_reduce<U32>("and", "b32", 0xff0f, 0xf0ff, 0xf00f);
  bulk_reduce<U32>("or", "b32", 1, 6, 7);
  bulk_reduce<U64>("xor", "b64", 5, 1, 4);
  bulk_reduce<U64>("and", "b64", ~0ull, 1, 1);
  bulk_reduce<U32>("add", "u32", 5, ~0u, 4);
  bulk_reduce<U32>("add", "s32", 5, ~0u, 4);
  bulk_reduce<U32>("inc", "u32", 5, 5, 0);
  bulk_reduce<U32>("dec", "u32", 0, 9, 9);
  bulk_reduce<U32>("min", "s32", 5, ~0u, ~0u);
  bulk_reduce<U32>("max", "u32", 5, ~0u, ~0u);
  bulk_reduce<U64>("add", "u64", 5, ~0ull, 4);
  bulk_reduce<U64>("min", "s64", 5, ~0ull, ~0ull);
  bulk_reduce<U64>("max", "u64", 5, ~0ull, ~0ull);
  bulk_reduce<float>("add", "f32", 1.5f, 2.25f, 3.75f);
  bulk_reduce<double>("add", "f64", 1.5, 2.25, 3.75);
  bulk_reduce<U16>("add.noftz", "f16", 0x3c00, 0x3c00, 0x4000);
  bulk_reduce<U16>("add.noftz", "bf16", 0x3f80, 0x3f80, 0x4000);
  bulk_reduce<U16>("min", "f16", 0x3c00, 0xbc00, 0xbc00);
  bulk_reduce<U16>("max", "bf16", 0x3f80, 0xbf80, 0x3f80);
  Raw far;
  far.grid = far.cluster = {2, 1, 1};
  far.block = {1, 1, 1};
  far.body =
      R"(.shared .align 16 .b32 from[4]; .shared .align 16 .b32 to[4]; .shared .align 8 .b64 bar;
      mov.u32 %r2, %cluster_ctarank; add.u32 %r9, %r2, 70;
      st.shared.v4.u32 [from], {%r9, 2, 3, 4}; st.shared.v4.u32 [to], {100, 0, 0, 0};
    mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 16;
      barrier.cluster.arrive; barrier.cluster.wait; xor.b32 %r3, %r2, 1; mov.u32 %r4, to;
      mapa.shared::cluster.u32 %r4, %r4, %r3;
    mov.u32 %r5, bar; mapa.shared::cluster.u32 %r5, %r5, %r3; mov.u32 %r6, from;
      cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r4], [%r6], 16, [%r5];
)" + kWait +
      "ld.shared.u32 %r7, [to]; st.global.u32 [%out4], %r7; barrier.cluster.arrive; "
      "barrier.cluster.wait;";
  CHECK(run<U32>(far, 2) == std::vector<U32>{171, 170});
}

ROW_TEST(st_async, "stores into another block and completes bytes of its mbarrier") {
  struct Case {
    std::string type, reg;
    int bytes, elements;
  };
  std::vector<Case> cases;
  for (const int n : {1, 2, 4}) {
    for (const char* t : {"b32", "u32", "s32"}) cases.push_back({t, "%r", 4, n});
    cases.push_back({"f32", "%f", 4, n});
    if (n == 4) continue;
    for (const char* t : {"b64", "u64", "s64"}) cases.push_back({t, "%rd", 8, n});
    cases.push_back({"f64", "%fd", 8, n});
  }
  for (const Case& c : cases) {
    const int bytes = c.bytes * c.elements;
    std::string values = c.elements == 1 ? c.reg + "10" : "{" + c.reg + "10";
    for (int i = 1; i < c.elements; ++i) values += ", " + c.reg + std::to_string(10 + i);
    if (c.elements > 1) values += "}";
    const std::string v = c.elements == 1 ? "" : ".v" + std::to_string(c.elements),
                      size = std::to_string(bytes);
    Raw raw;
    raw.grid = raw.cluster = {2, 1, 1};
    raw.block = {1, 1, 1};
    raw.body =
        ".shared .align 16 .b8 to[16]; .shared .align 8 .b64 bar; mov.u32 %r2, %cluster_ctarank; "
        "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], " +
        size +
        "; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait; "
        "xor.b32 %r3, %r2, 1; mov.u32 %r4, to; mapa.shared::cluster.u32 %r4, %r4, %r3; mov.u32 "
        "%r5, bar; mapa.shared::cluster.u32 %r5, %r5, %r3;\n"
        "mad.wide.u32 %rd2, %i, " +
        size + ", %in; ld.global" + v + "." + c.type + " " + values +
        ", [%rd2];\nst.async.weak.shared::cluster.mbarrier::complete_tx::bytes" + v + "." + c.type +
        " [%r4], " + values + ", [%r5];\n" + kWait +
        "xor.b32 %r6, %i, 1; mad.wide.u32 %rd2, %r6, " + size + ", %out; ld.shared" + v + "." +
        c.type + " " + values + ", [to]; st.global" + v + "." + c.type + " [%rd2], " + values +
        "; barrier.cluster.arrive; barrier.cluster.wait;";
    const auto in = counted(static_cast<std::size_t>(bytes / 2));
    INFO(raw.body);
    CHECK(run<U32>(raw, in, std::vector<U32>(in.size())) == in);
  }
}

// ---- mbarriers

namespace {
// One thread works on one mbarrier at [bar]; `n` words of output.
std::vector<U32> alone(const std::string& text, std::size_t n) {
  Raw raw;
  raw.block = {1, 1, 1};
  raw.body = ".shared .align 8 .b64 bar;\n" + text;
  return run<U32>(raw, n);
}
// %r2 |= bit where the phase with parity 0, resp. 1, has completed.
const std::string kAsk =
    "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; mbarrier.test_wait.parity.shared.b64 %p2, "
    "[bar], 1; selp.u32 %r2, 1, 0, %p1; selp.u32 %r3, 2, 0, %p2; or.b32 %r2, %r2, %r3; "
    "st.global.u32 [%out], %r2; add.u64 %out, %out, 4;\n";
constexpr U32 kFirst = 2, kSecond = 1;  // what kAsk writes in the first and in the second phase
}  // namespace

ROW_TEST(mbarrier_init, "makes a barrier in its first phase; a count of 0 is refused") {
  CHECK(alone("mbarrier.init.shared.b64 [bar], 1; " + kAsk, 1) == std::vector<U32>{kFirst});
  CHECK(alone("mov.u64 %rd1, bar; cvta.shared.u64 %rd1, %rd1; mov.u32 %r4, 3; mbarrier.init.b64 "
              "[%rd1], %r4; " +
                  kAsk,
              1) == std::vector<U32>{kFirst});
  CHECK(error_of({".shared .align 8 .b64 bar; mbarrier.init.shared.b64 [bar], 0;"})
            .find("count of 0") != std::string::npos);
}
ROW_TEST(mbarrier_inval, "ends a barrier: it can be used no more") {
  CHECK(error_of({".shared .align 8 .b64 bar; mbarrier.init.shared.b64 [bar], 32; bar.warp.sync "
                  "-1; setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.inval.shared.b64 [bar]; bar.warp.sync "
                  "-1; mbarrier.arrive.shared.b64 %rd1, [bar];"})
            .find("there is no mbarrier") != std::string::npos);
}
ROW_TEST(mbarrier_arrive, "completes the phase when all have come") {
  CHECK(alone("mbarrier.init.shared.b64 [bar], 3; mbarrier.arrive.shared.b64 %rd1, [bar]; " + kAsk +
                  "mbarrier.arrive.shared::cta.b64 %rd1, [bar], 2; " + kAsk +
                  "mbarrier.arrive.release.cta.shared.b64 %rd1, [bar], 3; " + kAsk,
              3) == std::vector<U32>{kFirst, kSecond, kFirst});
  CHECK(alone("mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.noComplete.shared.b64 %rd1, "
              "[bar], 1; " +
                  kAsk + "mbarrier.arrive.shared.b64 _, [bar]; " + kAsk,
              2) == std::vector<U32>{kFirst, kSecond});
  CHECK(alone("mbarrier.init.shared.b64 [bar], 1; "
              "mbarrier.arrive.expect_tx.relaxed.cluster.shared.b64 %rd1, [bar], 8; " +
                  kAsk + "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 8; " + kAsk,
              2) == std::vector<U32>{kFirst, kSecond});
  CHECK(
      error_of(
          {".shared .align 8 .b64 bar; mov.u32 %r9, 4; setp.eq.u32 %p1, %t, 0; @%p1 "
           "mbarrier.init.shared.b64 [bar], 1; @%p1 mbarrier.arrive.shared.b64 %rd1, [bar], %r9;"})
          .find("arrive of 4") != std::string::npos);
  // All lanes of a warp arrive one after another.
  Raw raw;
  raw.body =
      ".shared .align 8 .b64 bar; setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.init.shared.b64 [bar], 32; "
      "bar.warp.sync -1; mbarrier.arrive.shared.b64 %rd1, [bar];\n" +
      kWait + "st.global.u32 [%out4], 1;";
  CHECK(run<U32>(raw, 32) == std::vector<U32>(32, 1));
}
ROW_TEST(mbarrier_arrive_drop, "arrives, and later phases expect fewer") {
  CHECK(alone("mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive_drop.shared.b64 %rd1, [bar]; "
              "mbarrier.arrive.shared.b64 %rd1, [bar]; " +
                  kAsk + "mbarrier.arrive.shared.b64 %rd1, [bar]; " + kAsk,
              2) == std::vector<U32>{kSecond, kFirst});
  CHECK(alone("mbarrier.init.shared.b64 [bar], 3; mbarrier.arrive_drop.noComplete.shared.b64 %rd1, "
              "[bar], 1; mbarrier.arrive_drop.expect_tx.shared.b64 %rd1, [bar], 4; "
              "mbarrier.complete_tx.shared.b64 [bar], 4; " +
                  kAsk + "mbarrier.arrive.shared.b64 %rd1, [bar]; " + kAsk,
              2) == std::vector<U32>{kFirst, kSecond});
}
ROW_TEST(mbarrier_expect_tx, "holds the phase open for bytes") {
  CHECK(alone("mbarrier.init.shared.b64 [bar], 1; mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], "
              "16; mbarrier.arrive.shared.b64 %rd1, [bar]; " +
                  kAsk + "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 16; " + kAsk,
              2) == std::vector<U32>{kFirst, kSecond});
}
ROW_TEST(mbarrier_complete_tx, "counts bytes that have come") {
  CHECK(alone("mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 %rd1, "
              "[bar], 24; mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [bar], 16; " +
                  kAsk + "mbarrier.complete_tx.shared.b64 [bar], 8; " + kAsk,
              2) == std::vector<U32>{kFirst, kSecond});
}
ROW_TEST(mbarrier_test_wait, "tells by state or parity whether the phase has completed") {
  CHECK(alone("mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 %rd1, [bar]; "
              "mbarrier.test_wait.shared.b64 %p1, [bar], %rd1; mbarrier.arrive.shared.b64 %rd2, "
              "[bar]; mbarrier.test_wait.acquire.cta.shared::cta.b64 %p2, [bar], %rd1; "
              "mbarrier.test_wait.parity.relaxed.cluster.shared.b64 %p3, [bar], 1; selp.u32 %r2, "
              "1, 0, %p1; selp.u32 %r3, 1, 0, %p2; selp.u32 %r4, 1, 0, %p3; st.global.u32 [%out], "
              "%r2; st.global.u32 [%out+4], %r3; st.global.u32 [%out+8], %r4;",
              3) == std::vector<U32>{0, 1, 0});
}
ROW_TEST(mbarrier_try_wait, "waits for what another warp does") {
  for (const char* wait :
       {"mbarrier.try_wait.shared.b64 %p2, [bar], %rd1;",
        "mbarrier.try_wait.acquire.cta.shared.b64 %p2, [bar], %rd1, 1000;",
        "mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;",
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [bar], 0, 1000;"}) {
    Raw raw;
    raw.block = {64, 1, 1};
    raw.body =
        R"(.shared .align 8 .b64 bar; .shared .b32 word; setp.eq.u32 %p1, %t, 0;
      @%p1 mbarrier.init.shared.b64 [bar], 64; bar.sync 0; setp.ge.u32 %p3, %t, 32;
      @%p3 bra LATE;
      mbarrier.arrive.shared.b64 %rd1, [bar]; AGAIN: )" +
        std::string(wait) +
        R"( @!%p2 bra AGAIN; ld.shared.u32 %r2, [word]; st.global.u32 [%out4], %r2; bra END;
      LATE: nanosleep.u32 10; st.shared.u32 [word], 5; mbarrier.arrive.shared.b64 %rd1, [bar];
      END:)";
    const auto out = run<U32>(raw, 64);
    for (U32 i = 0; i < 32; ++i) CHECK(out[i] == 5);
  }
}
ROW_TEST(mbarrier_pending_count, "reads the arrivals that were missing from a state") {
  CHECK(alone("mbarrier.init.shared.b64 [bar], 5; mbarrier.arrive.shared.b64 %rd1, [bar]; "
              "mbarrier.arrive.shared.b64 %rd2, [bar]; mbarrier.pending_count.b64 %r2, %rd1; "
              "mbarrier.pending_count.b64 %r3, %rd2; st.global.u32 [%out], %r2; st.global.u32 "
              "[%out+4], %r3;",
              2) == std::vector<U32>{5, 4});
}

}  // namespace emu::tests

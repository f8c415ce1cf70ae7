// SPDX-License-Identifier: MIT
// Barriers of block and cluster, fences and the order of grids.
#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using U32 = std::uint32_t;

// Each thread writes its number into shared memory, meets the others by the text, and reads another
// warp's.
void exchange(const std::string& meet) {
  Raw raw;
  raw.block = {96, 1, 1};
  raw.body =
      ".shared .b32 tile[96]; mov.u32 %r2, tile; mad.lo.u32 %r3, %t, 4, %r2; st.shared.u32 [%r3], "
      "%t;\n" +
      meet +
      "\nsub.u32 %r4, 95, %t; mad.lo.u32 %r3, %r4, 4, %r2; ld.shared.u32 %r5, [%r3]; st.global.u32 "
      "[%out4], %r5;";
  const auto out = run<U32>(raw, 96);
  std::vector<U32> want;
  for (U32 i = 0; i < 96; ++i) want.push_back(95 - i);
  same(meet, out, want);
}

// The first warp arrives and goes on; the second waits for it.
void produce(const std::string& arrive, const std::string& sync) {
  Raw raw;
  raw.block = {64, 1, 1};
  raw.body =
      ".shared .b32 tile[32]; mov.u32 %r2, tile; and.b32 %r6, %t, 31; mad.lo.u32 %r3, %r6, 4, %r2; "
      "setp.ge.u32 %p1, %t, 32; @%p1 bra CONSUME;\n"
      "add.u32 %r4, %t, 500; st.shared.u32 [%r3], %r4; " +
      arrive + "\nbra END;\nCONSUME: " + sync +
      " ld.shared.u32 %r5, [%r3]; st.global.u32 [%out4], %r5;\nEND:";
  const auto out = run<U32>(raw, 64);
  for (U32 i = 32; i < 64; ++i) CHECK(out[i] == 500 + i - 32);
}

void reduce(const std::string& name) {
  for (const U32 limit : {0u, 1u, 40u, 96u}) {
    Raw raw;
    raw.block = {96, 1, 1};
    raw.body = "setp.lt.u32 %p1, %t, " + std::to_string(limit) + ";\n" + name + ".red.popc" +
               ".u32 %r2, 1, %p1;\n" + name + ".red.and.pred %p2, 2, %p1;\n" + name +
               ".red.or.pred %p3, 3, 96, %p1;\n" + name + ".red.popc.u32 %r3, 1, 96, !%p1;\n" +
               "selp.u32 %r4, 1, 0, %p2; selp.u32 %r5, 1, 0, %p3; mad.wide.u32 %rd1, %i, 16, %out; "
               "st.global.v4.u32 [%rd1], {%r2, %r4, %r5, %r3};";
    const auto out = run<U32>(raw, 4 * 96);
    std::vector<U32> want;
    for (U32 i = 0; i < 96; ++i)
      for (U32 v : {limit, U32{limit == 96}, U32{limit != 0}, 96 - limit}) want.push_back(v);
    same(name + ".red", out, want);
  }
}

}  // namespace

ROW_TEST(bar, "waits for the block, by number and by count") {
  exchange("bar.sync 0;");
  exchange("bar.cta.sync 0;");
  exchange("bar.sync 15;");
  exchange("bar.sync 3, 96;");
  exchange("mov.u32 %r7, 5; mov.u32 %r8, 96; bar.sync %r7, %r8;");
  produce("bar.arrive 1, 64;", "bar.sync 1, 64;");
  CHECK(error_of({"bar.sync 16;"}).find("16") != std::string::npos);
}
ROW_TEST(barrier, "waits for the block, by number and by count") {
  exchange("barrier.sync 0;");
  exchange("barrier.sync.aligned 0;");
  exchange("barrier.cta.sync.aligned 7, 96;");
  exchange("barrier.cta.sync 2, 96;");
  produce("barrier.arrive 1, 64;", "barrier.sync 1, 64;");
  produce("barrier.cta.arrive.aligned 1, 64;", "barrier.cta.sync.aligned 1, 64;");
  // Without .aligned the lanes of a warp may come at different places.
  exchange(
      "setp.lt.u32 %p1, %t, 40; @%p1 bra LOW; barrier.sync 0; bra BOTH; LOW: barrier.sync 0; "
      "BOTH:");
}
ROW_TEST(bar_red, "gives all threads the count, the and, and the or of a predicate") {
  reduce("bar");
}
ROW_TEST(barrier_red, "gives all threads the count, the and, and the or of a predicate") {
  reduce("barrier");
  reduce("barrier.cta");
}

ROW_TEST(barrier_cluster, "waits for all blocks of the cluster") {
  for (const char* meet : {"barrier.cluster.arrive; barrier.cluster.wait;",
                           "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
                           "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;",
                           "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed.aligned; "
                           "barrier.cluster.wait.acquire.aligned;"}) {
    Raw raw;
    raw.grid = {4, 1, 1};
    raw.cluster = {2, 1, 1};
    raw.body =
        ".shared .b32 word; mov.u32 %r2, word; setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [word], "
        "%i;\n" +
        std::string(meet) +
        "\nmov.u32 %r3, %cluster_ctarank; xor.b32 %r3, %r3, 1; mapa.shared::cluster.u32 %r4, %r2, "
        "%r3; ld.shared::cluster.u32 %r5, [%r4]; st.global.u32 [%out4], %r5;\n" +
        meet;
    const auto out = run<U32>(raw, 128);
    for (U32 i = 0; i < 128; ++i) CHECK(out[i] == (i / 32 ^ 1) * 32);
  }
}

namespace {
// A fence changes no values: a store before it is read after it.
void passes(const std::string& fence) {
  Raw raw;
  raw.body = "st.global.u32 [%out4], %t; " + fence +
             " ld.global.u32 %r2, [%out4]; add.u32 %r2, %r2, 1; st.global.u32 [%out4], %r2;";
  const auto out = run<U32>(raw, 32);
  for (U32 i = 0; i < 32; ++i) CHECK(out[i] == i + 1);
}
}  // namespace

ROW_TEST(membar, "is accepted at each level") {
  for (const char* f : {"membar.cta;", "membar.gl;", "membar.sys;"}) passes(f);
}
ROW_TEST(fence, "is accepted in each order and scope") {
  for (const std::string order : {"sc", "acq_rel"})
    for (const std::string scope : {"cta", "cluster", "gpu", "sys"})
      passes("fence." + order + "." + scope + ";");
  passes(
      "fence.acquire.sync_restrict::shared::cluster.cluster; "
      "fence.release.sync_restrict::shared::cta.cluster;");
}
ROW_TEST(fence_proxy, "is accepted for each proxy") {
  for (const char* f : {"fence.proxy.alias;", "fence.proxy.async;", "fence.proxy.async.global;",
                        "fence.proxy.async.shared::cta;", "fence.proxy.async.shared::cluster;"})
    passes(f);
}
ROW_TEST(fence_mbarrier_init, "is accepted") { passes("fence.mbarrier_init.release.cluster;"); }
ROW_TEST(griddepcontrol, "finds the grid before it complete") {
  passes("griddepcontrol.wait; griddepcontrol.launch_dependents;");
}

}  // namespace emu::tests

// SPDX-License-Identifier: MIT
// cp.async, bulk copies and mbarriers with a warp made by hand.
#include "access/async_copy.hpp"

#include <cstring>

#include "access/buffer.test.hpp"
#include "access/mbarrier.hpp"

using namespace emu;
using namespace emu::exec;
using namespace emu::exec::fake;

TEST_CASE("cp.async copies at the wait for its group, not before") {
  Machine m;
  Buffer buffer(1024);
  for (int i = 0; i < 32; ++i) {
    buffer.as<u32>()[i] = 100 + i;
    m.r<u32>(0)[i] = 4 * i;
    m.r<u64>(1)[i] = buffer.address + 4 * i;
  }
  const Instr copy = m.bind(Row::cp_async, bind_cp_async, {"async", "ca", "shared", "global"}, {},
                            {mem(0), mem(1), imm(4)});
  const Instr later = m.bind(Row::cp_async, bind_cp_async, {"async", "ca", "shared", "global"}, {},
                             {mem(0, 128), mem(1), imm(4)});
  const Instr commit = m.bind(Row::cp_async_commit, bind_cp_async_commit, {}, {}, {});
  const Instr wait1 = m.bind(Row::cp_async_wait_group, bind_cp_async_wait_group, {}, {}, {imm(1)});
  const Instr wait_all = m.bind(Row::cp_async_wait_all, bind_cp_async_wait_all, {}, {}, {});
  m.run(copy), m.run(commit), m.run(later), m.run(commit);
  CHECK(shared_at<u32>(m, 0) == 0);
  m.run(wait1, 0xffff);
  CHECK(shared_at<u32>(m, 0) == 100);
  CHECK(shared_at<u32>(m, 64) == 0);   // lane 16 has not waited
  CHECK(shared_at<u32>(m, 128) == 0);  // the later group may be open
  m.run(wait_all);
  CHECK(shared_at<u32>(m, 64) == 116);
  CHECK(shared_at<u32>(m, 128 + 124) == 131);
}

TEST_CASE("cp.async fills with zeros past the source size and skips an ignored source") {
  Machine m;
  Buffer buffer(64);
  std::memset(buffer.allocation.bytes, 0x11, 64);
  std::memset(m.block.shared.data(), 0xff, 256);
  for (int i = 0; i < 4; ++i)
    m.r<u32>(0)[i] = 16 * i, m.r<u64>(1)[i] = i == 3 ? 0 : buffer.address,
    m.r<u32>(2)[i] = i == 3 ? 0 : 4 * i;
  const Mods mods = {"async", "cg", "shared", "global"};
  const Instr wait_all = m.bind(Row::cp_async_wait_all, bind_cp_async_wait_all, {}, {}, {});
  m.run(m.bind(Row::cp_async, bind_cp_async, mods, {}, {mem(0), mem(1), imm(16), reg(2)}), 0xf);
  m.run(wait_all, 0xf);
  CHECK(shared_at<u64>(m, 0) == 0);
  CHECK(shared_at<u64>(m, 16) == 0x11111111);
  CHECK(shared_at<u64>(m, 32) == 0x1111111111111111);
  CHECK(shared_at<u64>(m, 40) == 0);
  CHECK(shared_at<u64>(m, 48) == 0);
  m.p(3) = 1;
  m.run(m.bind(Row::cp_async, bind_cp_async, mods, {}, {mem(0), mem(1), imm(16), reg(3)}), 0x3);
  m.run(wait_all, 0x3);
  CHECK(shared_at<u64>(m, 0) == 0);
  CHECK(shared_at<u64>(m, 24) == 0x1111111111111111);
  m.r<u64>(1)[0] = buffer.address + 56;
  CHECK(fails(m, m.bind(Row::cp_async, bind_cp_async, mods, {}, {mem(0), mem(1), imm(16)}), 1,
              "runs past it"));
}

namespace {

// The mbarrier at shared offset 8 and its instructions; %0 holds its address.
struct Barrier {
  explicit Barrier(u32 count) {
    for (int i = 0; i < 32; ++i) m.r<u32>(0)[i] = 8, m.r<u32>(1)[i] = count;
    m.r<u64>(2), m.p(3), m.r<u32>(4), m.r<u32>(5);
    m.run(m.bind(Row::mbarrier_init, bind_mbarrier_init, {"init", "shared"}, {Type::B64},
                 {mem(0), reg(1)}),
          1);
  }
  void arrive(LaneMask mask = 1) {
    m.run(m.bind(Row::mbarrier_arrive, bind_mbarrier_arrive, {"arrive", "shared"}, {Type::B64},
                 {reg(2), mem(0)}),
          mask);
  }
  bool done(u32 parity) {
    m.r<u32>(5)[0] = parity;
    m.run(m.bind(Row::mbarrier_try_wait, bind_mbarrier_try_wait, {"try_wait", "parity", "shared"},
                 {Type::B64}, {reg(3), mem(0), reg(5)}),
          1);
    return m.p(3) & 1;
  }
  Mbarrier word() { return Mbarrier(m.block.shared.data() + 8, 0); }
  Machine m;
};

}  // namespace

TEST_CASE("mbarrier: a phase completes with its last arrival and the next begins") {
  Barrier b(3);
  CHECK_FALSE(b.done(0));
  CHECK(b.done(1));  // the phase before the first counts as complete
  b.arrive(0x3);
  CHECK(Mbarrier::pending_of(b.m.r<u64>(2)[0]) == 3);
  CHECK(Mbarrier::pending_of(b.m.r<u64>(2)[1]) == 2);
  CHECK_FALSE(b.done(0));
  b.arrive();
  CHECK(b.done(0));
  CHECK_FALSE(b.done(1));
  const Instr test = b.m.bind(Row::mbarrier_test_wait, bind_mbarrier_test_wait,
                              {"test_wait", "shared"}, {Type::B64}, {reg(3), mem(0), reg(2)});
  b.m.run(test, 1);
  CHECK((b.m.p(3) & 1) == 1);
  b.m.run(b.m.bind(Row::mbarrier_pending_count, bind_mbarrier_pending_count, {"pending_count"},
                   {Type::B64}, {reg(4), reg(2)}),
          1);
  CHECK(b.m.r<u32>(4)[0] == 1);
}

TEST_CASE("mbarrier: try_wait yields, test_wait does not") {
  Barrier b(1);
  CHECK(b.m.bind(Row::mbarrier_try_wait, bind_mbarrier_try_wait, {"try_wait", "parity"},
                 {Type::B64}, {reg(3), mem(0), imm(0)})
            .flow == Flow::Yield);
  CHECK(b.m.bind(Row::mbarrier_test_wait, bind_mbarrier_test_wait, {"test_wait", "parity"},
                 {Type::B64}, {reg(3), mem(0), imm(0)})
            .flow == Flow::Next);
}

TEST_CASE("mbarrier: arrive with a count, arrive_drop and inval") {
  Barrier b(4);
  b.m.run(b.m.bind(Row::mbarrier_arrive, bind_mbarrier_arrive, {"arrive"}, {Type::B64},
                   {sink(), mem(0), imm(3)}),
          0);
  for (int i = 0; i < 32; ++i) b.m.r<u64>(6)[i] = memory::kSharedWindow + 8;
  b.m.run(b.m.bind(Row::mbarrier_arrive, bind_mbarrier_arrive, {"arrive"}, {Type::B64},
                   {sink(), mem(6), imm(3)}),
          1);
  CHECK(b.word().pending() == 1);
  b.m.run(b.m.bind(Row::mbarrier_arrive_drop, bind_mbarrier_arrive_drop, {"arrive_drop", "shared"},
                   {Type::B64}, {reg(2), mem(0)}),
          1);
  CHECK(b.done(0));
  CHECK(b.word().pending() == 3);
  CHECK(fails(b.m,
              b.m.bind(Row::mbarrier_arrive, bind_mbarrier_arrive, {"arrive", "shared"},
                       {Type::B64}, {reg(2), mem(0), imm(9)}),
              1, "only 3 of 3 arrivals"));
  b.m.run(b.m.bind(Row::mbarrier_inval, bind_mbarrier_inval, {"inval", "shared"}, {Type::B64},
                   {mem(0)}),
          1);
  CHECK(fails(b.m,
              b.m.bind(Row::mbarrier_inval, bind_mbarrier_inval, {"inval", "shared"}, {Type::B64},
                       {mem(0)}),
              1, "there is no mbarrier"));
  Machine m;
  m.r<u32>(0)[0] = 4;
  CHECK(fails(m,
              m.bind(Row::mbarrier_init, bind_mbarrier_init, {"init", "shared"}, {Type::B64},
                     {mem(0), imm(1)}),
              1, "misaligned"));
}

TEST_CASE("mbarrier: expected bytes hold the phase until they are complete") {
  Barrier b(1);
  b.m.run(b.m.bind(Row::mbarrier_arrive, bind_mbarrier_arrive, {"arrive", "expect_tx", "shared"},
                   {Type::B64}, {reg(2), mem(0), imm(64)}),
          1);
  CHECK(b.word().tx() == 64);
  CHECK_FALSE(b.done(0));
  b.m.run(b.m.bind(Row::mbarrier_expect_tx, bind_mbarrier_expect_tx, {"expect_tx", "shared"},
                   {Type::B64}, {mem(0), imm(16)}),
          1);
  b.m.run(b.m.bind(Row::mbarrier_complete_tx, bind_mbarrier_complete_tx, {"complete_tx", "shared"},
                   {Type::B64}, {mem(0), imm(64)}),
          1);
  CHECK_FALSE(b.done(0));
  b.m.run(b.m.bind(Row::mbarrier_complete_tx, bind_mbarrier_complete_tx, {"complete_tx", "shared"},
                   {Type::B64}, {mem(0), imm(16)}),
          1);
  CHECK(b.done(0));
}

TEST_CASE("cp.async.mbarrier.arrive arrives when the copies are made") {
  for (const bool noinc : {false, true}) {
    Barrier b(noinc ? 2 : 1);
    Buffer buffer(64);
    buffer.as<u32>()[0] = 99;
    b.m.r<u32>(7)[0] = 256, b.m.r<u64>(8)[0] = buffer.address;
    b.m.run(b.m.bind(Row::cp_async, bind_cp_async, {"async", "ca", "shared", "global"}, {},
                     {mem(7), mem(8), imm(4)}),
            1);
    Mods mods = {"async", "mbarrier", "arrive", "shared"};
    if (noinc) mods.push_back("noinc");
    b.m.run(b.m.bind(Row::cp_async_mbarrier, bind_cp_async_mbarrier, mods, {Type::B64}, {mem(0)}),
            1);
    CHECK(shared_at<u32>(b.m, 256) == 0);
    b.arrive();
    CHECK(b.done(0));
    CHECK(shared_at<u32>(b.m, 256) == 99);
  }
}

TEST_CASE("cp.async.bulk to shared memory is made when its mbarrier is tested") {
  Barrier b(1);
  Buffer buffer(256);
  std::memset(buffer.allocation.bytes, 0x5a, 256);
  b.m.r<u32>(7)[0] = 512, b.m.r<u64>(8)[0] = buffer.address, b.m.r<u32>(9)[0] = 128;
  const Mods mods = {"async", "bulk", "shared::cluster", "global", "mbarrier::complete_tx::bytes"};
  const Instr copy =
      b.m.bind(Row::cp_async_bulk, bind_cp_async_bulk, mods, {}, {mem(7), mem(8), reg(9), mem(0)});
  b.m.run(b.m.bind(Row::mbarrier_arrive, bind_mbarrier_arrive, {"arrive", "expect_tx", "shared"},
                   {Type::B64}, {reg(2), mem(0), imm(128)}),
          1);
  b.m.run(copy, 1);
  CHECK(shared_at<u32>(b.m, 512) == 0);
  CHECK(b.done(0));
  CHECK(shared_at<u32>(b.m, 512 + 124) == 0x5a5a5a5a);
  CHECK(shared_at<u32>(b.m, 512 + 128) == 0);
  b.m.r<u32>(9)[0] = 24;
  CHECK(fails(b.m, copy, 1, "multiple of 16"));
  b.m.r<u32>(9)[0] = 128, b.m.r<u64>(8)[0] = buffer.address + 8;
  CHECK(fails(b.m, copy, 1, "must be a multiple of 16"));
  b.m.r<u64>(8)[0] = buffer.address + 144;
  CHECK(fails(b.m, copy, 1, "runs past it"));
}

TEST_CASE("cp.async.bulk to global memory is made at its wait or at the end of the block") {
  Machine m;
  Buffer buffer(256);
  std::memset(m.block.shared.data(), 0x5a, 64);
  m.r<u64>(0)[0] = buffer.address, m.r<u32>(1)[0] = 0;
  const Instr copy = m.bind(Row::cp_async_bulk, bind_cp_async_bulk,
                            {"async", "bulk", "global", "shared::cta", "bulk_group"}, {},
                            {mem(0), mem(1), imm(32)});
  const Instr commit = m.bind(Row::cp_async_bulk_commit, bind_cp_async_bulk_commit, {}, {}, {});
  const Instr read =
      m.bind(Row::cp_async_bulk_wait, bind_cp_async_bulk_wait, {"read"}, {}, {imm(0)});
  const Instr wait = m.bind(Row::cp_async_bulk_wait, bind_cp_async_bulk_wait, {}, {}, {imm(0)});
  m.run(copy, 1), m.run(commit, 1);
  CHECK(buffer.as<u32>()[0] == 0);
  m.run(read, 1);
  std::memset(m.block.shared.data(), 0x11, 64);  // allowed after .read
  CHECK(buffer.as<u32>()[0] == 0);
  m.run(wait, 1);
  CHECK(buffer.as<u32>()[7] == 0x5a5a5a5a);
  m.run(copy, 1);
  finish_async(m.block);
  CHECK(buffer.as<u32>()[7] == 0x11111111);
}

TEST_CASE("cp.reduce.async.bulk reduces element by element") {
  Machine m;
  Buffer buffer(64);
  for (int i = 0; i < 8; ++i) shared_at<u32>(m, 4 * i) = i, buffer.as<u32>()[i] = 100;
  m.r<u64>(0)[0] = buffer.address, m.r<u32>(1)[0] = 0;
  m.run(m.bind(Row::cp_reduce_async_bulk, bind_cp_reduce_async_bulk,
               {"reduce", "async", "bulk", "global", "shared::cta", "bulk_group", "add"},
               {Type::U32}, {mem(0), mem(1), imm(32)}),
        1);
  m.run(m.bind(Row::cp_async_bulk_commit, bind_cp_async_bulk_commit, {}, {}, {}), 1);
  m.run(m.bind(Row::cp_async_bulk_wait, bind_cp_async_bulk_wait, {}, {}, {imm(0)}), 1);
  CHECK(buffer.as<u32>()[7] == 107);
  CHECK(buffer.as<u32>()[8] == 0);
}

TEST_CASE(
    "multicast, st.async and red.async reach other blocks of the cluster and their mbarriers") {
  Barrier b(1);
  Machine peer;
  peer.block.rank = 1;
  b.m.block.cluster = peer.block.cluster = {&b.m.block, &peer.block};
  for (auto* m : {&b.m, &peer}) Mbarrier::init(m->block.shared.data() + 8, 1, 0);
  Buffer buffer(64);
  std::memset(buffer.allocation.bytes, 0x5a, 64);
  b.m.r<u32>(7)[0] = 512, b.m.r<u64>(8)[0] = buffer.address, b.m.r<u16>(9)[0] = 3;
  b.m.run(b.m.bind(Row::cp_async_bulk, bind_cp_async_bulk,
                   {"async", "bulk", "shared::cluster", "global", "mbarrier::complete_tx::bytes",
                    "multicast::cluster"},
                   {}, {mem(7), mem(8), imm(64), mem(0), reg(9)}),
          1);
  for (auto* m : {&b.m, &peer}) {
    Mbarrier bar(m->block.shared.data() + 8, 0);
    bar.expect_tx(64), bar.arrive(1);
    finish_counted(m->block, 8);
    CHECK(Mbarrier(m->block.shared.data() + 8, 0).phase());
    CHECK(shared_at<u32>(*m, 512 + 60) == 0x5a5a5a5a);
  }
  const u32 remote = 2u << memory::kClusterRankShift;
  b.m.r<u32>(10)[0] = remote | 1024, b.m.r<u32>(11)[0] = remote | 8, b.m.r<u32>(12)[0] = 5;
  b.m.run(b.m.bind(Row::st_async, bind_st_async,
                   {"async", "shared::cluster", "mbarrier::complete_tx::bytes"}, {Type::U32},
                   {mem(10), reg(12), mem(11)}),
          1);
  b.m.run(b.m.bind(Row::red_async, bind_red_async,
                   {"async", "shared::cluster", "mbarrier::complete_tx::bytes", "add"}, {Type::U32},
                   {mem(10), reg(12), mem(11)}),
          1);
  CHECK(shared_at<u32>(peer, 1024) == 0);
  finish_counted(peer.block, 8);
  CHECK(shared_at<u32>(peer, 1024) == 10);
  CHECK(Mbarrier(peer.block.shared.data() + 8, 0).tx() == -8);
}

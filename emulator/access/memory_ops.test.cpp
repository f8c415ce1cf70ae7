// SPDX-License-Identifier: MIT
// atom, red, address instructions, fences, cp.async, bulk copies and mbarriers with a warp made by
// hand.
#include <bit>

#include "access/access.hpp"
#include "access/async_copy.hpp"
#include "access/atomic_ops.hpp"
#include "access/fake_warp.test.hpp"
#include "access/mbarrier.hpp"
#include "support/catch.hpp"

using namespace emu;
using namespace emu::exec;
using namespace emu::exec::fake;
using memory::AddressSpace;
using ptx::Row;
using ptx::Type;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Mods = std::vector<std::string_view>;

namespace {

struct Buffer {
  explicit Buffer(std::size_t size)
      : allocation(AddressSpace::instance().allocate(size, memory::Kind::Device, 0)) {
    std::memset(allocation.bytes, 0, size);
    address = allocation.address;
  }
  ~Buffer() { AddressSpace::instance().release(address); }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(allocation.bytes);
  }
  memory::Allocation& allocation;
  memory::Address address;
};

template <class T>
T& shared_at(Machine& m, u32 offset) {
  return *reinterpret_cast<T*>(m.block.shared.data() + offset);
}

// One lane: what atom.<op> makes of `old` with b (and c), in global or shared memory. Checks the
// result register.
template <class T>
T atom_once(const char* op, Type type, T old, T b, T c = {}, bool shared = false) {
  Machine m;
  Buffer buffer(64);
  T* word = shared ? &shared_at<T>(m, 16) : buffer.as<T>();
  *word = old;
  m.r<u64>(0)[3] = shared ? 16 : buffer.address;
  m.r<T>(2)[3] = b;
  m.r<T>(3)[3] = c;
  m.r<T>(1);
  std::vector<ptx::Operand> ops = {reg(1), mem(0), reg(2)};
  if (std::string_view(op) == "cas") ops.push_back(reg(3));
  m.run(m.bind(Row::atom, bind_atom, {shared ? "shared" : "global", op}, {type}, ops), 1u << 3);
  CHECK(std::memcmp(&m.r<T>(1)[3], &old, sizeof old) == 0);
  CHECK(m.grid.memory_changes == (std::memcmp(word, &old, sizeof old) ? 1 : 0));
  return *word;
}
u32 f(float x) { return std::bit_cast<u32>(x); }
u64 d(double x) { return std::bit_cast<u64>(x); }

bool fails(Machine& m, const Instr& in, LaneMask mask, const std::string& part) {
  try {
    m.run(in, mask);
  } catch (const Fault& fault) {
    INFO(fault.message);
    CHECK(fault.message.find(part) != std::string::npos);
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("atom: integer operations on 32 and 64 bits") {
  CHECK(atom_once<u32>("and", Type::B32, 0xff00, 0x0ff0) == 0x0f00);
  CHECK(atom_once<u64>("or", Type::B64, 1, 1ull << 63) == (1ull << 63 | 1));
  CHECK(atom_once<u32>("xor", Type::B32, 5, 5) == 0);
  CHECK(atom_once<u32>("exch", Type::B32, 5, 6) == 6);
  CHECK(atom_once<u64>("exch", Type::B64, 5, 6) == 6);
  CHECK(atom_once<u32>("add", Type::U32, 0xffffffff, 2) == 1);
  CHECK(atom_once<u32>("add", Type::S32, 5, u32(-7)) == u32(-2));
  CHECK(atom_once<u64>("add", Type::U64, ~0ull, 1) == 0);
  CHECK(atom_once<u32>("inc", Type::U32, 6, 7) == 7);
  CHECK(atom_once<u32>("inc", Type::U32, 7, 7) == 0);
  CHECK(atom_once<u32>("inc", Type::U32, 9, 7) == 0);
  CHECK(atom_once<u32>("dec", Type::U32, 0, 7) == 7);
  CHECK(atom_once<u32>("dec", Type::U32, 8, 7) == 7);
  CHECK(atom_once<u32>("dec", Type::U32, 7, 7) == 6);
  CHECK(atom_once<u32>("min", Type::U32, 0x80000000, 1) == 1);
  CHECK(atom_once<u32>("min", Type::S32, 0x80000000, 1) == 0x80000000);
  CHECK(atom_once<u64>("max", Type::S64, u64(-1), 1) == 1);
  CHECK(atom_once<u64>("max", Type::U64, u64(-1), 1) == u64(-1));
}

TEST_CASE("atom.cas compares with b and writes c, in 16, 32, 64 and 128 bits") {
  CHECK(atom_once<u16>("cas", Type::B16, 5, 5, 9) == 9);
  CHECK(atom_once<u32>("cas", Type::B32, 5, 6, 9) == 5);
  CHECK(atom_once<u32>("cas", Type::B32, 5, 5, 9, true) == 9);
  CHECK(atom_once<u64>("cas", Type::B64, 5, 5, 9) == 9);
  CHECK(atom_once<Word128>("cas", Type::B128, {1, 2}, {1, 2}, {3, 4}) == Word128{3, 4});
  CHECK(atom_once<Word128>("cas", Type::B128, {1, 2}, {1, 3}, {3, 4}) == Word128{1, 2});
  CHECK(atom_once<Word128>("exch", Type::B128, {1, 2}, {7, 8}) == Word128{7, 8});
}

TEST_CASE("atom.add.f32 flushes subnormals in global memory and keeps them in shared memory") {
  CHECK(atom_once<u32>("add", Type::F32, f(1.5f), f(2.25f)) == f(3.75f));
  CHECK(atom_once<u32>("add", Type::F32, 1, 1) == 0);
  CHECK(atom_once<u32>("add", Type::F32, 0x80000001, 0x80000001) == 0x80000000);
  CHECK(atom_once<u32>("add", Type::F32, 1, 1, 0, true) == 2);
  CHECK(atom_once<u64>("add", Type::F64, d(0.1), d(0.2)) == d(0.1 + 0.2));
  CHECK(atom_once<u64>("add", Type::F64, 1, 1) == 2);
}

TEST_CASE("atom on f16 and bf16, single and packed, keeps subnormals") {
  CHECK(atom_once<u16>("add", Type::F16, 0x3c00, 0x4000) == 0x4200);
  CHECK(atom_once<u16>("add", Type::F16, 0x0001, 0x0001) == 0x0002);
  CHECK(atom_once<u16>("add", Type::BF16, 0x3f80, 0x4000) == 0x4040);
  CHECK(atom_once<u32>("add", Type::F16x2, 0x3c003c00, 0x40003c00) == 0x42004000);
  CHECK(atom_once<u32>("add", Type::BF16x2, 0x3f803f80, 0x40003f80) == 0x40404000);
  CHECK(atom_once<u16>("min", Type::F16, 0xc000, 0x3c00) == 0xc000);
  CHECK(atom_once<u16>("max", Type::F16, 0xc000, 0x3c00) == 0x3c00);
  CHECK(atom_once<u16>("max", Type::F16, 0x7e01, 0x3c00) == 0x3c00);
  CHECK(atom_once<u16>("min", Type::BF16, 0x0000, 0x8000) == 0x8000);
  CHECK(atom_once<u32>("max", Type::BF16x2, 0x3f80c000, 0x40003f80) == 0x40003f80);
}

TEST_CASE("atom serves lanes in order, on one address or many") {
  Machine m;
  Buffer buffer(256);
  for (int i = 0; i < 32; ++i) m.r<u64>(0)[i] = buffer.address + 4 * (i % 2), m.r<u32>(2)[i] = 1;
  m.r<u32>(1);
  const Instr in =
      m.bind(Row::atom, bind_atom, {"global", "add"}, {Type::U32}, {reg(1), mem(0), reg(2)});
  m.run(in);
  for (int i = 0; i < 32; ++i) CHECK(m.r<u32>(1)[i] == u32(i / 2));
  m.run(in, 0x80000001);
  CHECK(m.r<u32>(1)[31] == 16);
  CHECK(buffer.as<u32>()[0] == 17);
  CHECK(buffer.as<u32>()[1] == 17);
}

TEST_CASE(
    "red changes memory by global, shared and generic address, and vectors element by element") {
  Machine m;
  Buffer buffer(1024);
  for (int i = 0; i < 32; ++i) {
    m.r<u64>(0)[i] = i % 2 ? buffer.address : memory::kSharedWindow + 8;
    m.r<u64>(3)[i] = buffer.address + 64;
    m.r<u32>(4)[i] = 8;
    m.r<u32>(1)[i] = 1;
    m.r<u32>(2)[i] = f(0.5f);
  }
  m.run(m.bind(Row::red, bind_red, {"add"}, {Type::U32}, {mem(0), reg(1)}));
  m.run(m.bind(Row::red, bind_red, {"shared", "add"}, {Type::U32}, {mem(4), reg(1)}));
  CHECK(buffer.as<u32>()[0] == 16);
  CHECK(shared_at<u32>(m, 8) == 48);
  m.run(m.bind(Row::red, bind_red, {"global", "add", "v2"}, {Type::F32},
               {mem(3), vec({reg(2), reg(2)})}));
  CHECK(buffer.as<float>()[16] == 16.0f);
  CHECK(buffer.as<float>()[17] == 16.0f);
  const Instr max = m.bind(Row::red, bind_red, {"global", "max"}, {Type::U32}, {mem(3, 8), reg(1)});
  m.run(max);
  const auto changes = m.grid.memory_changes;
  m.run(max);
  CHECK(m.grid.memory_changes ==
        changes);  // nothing changed: a spinning warp makes no progress by it
}

TEST_CASE("atom.v4.f32 returns the old elements") {
  Machine m;
  Buffer buffer(64);
  std::vector<ptx::Operand> regs;
  for (int e = 0; e < 4; ++e)
    buffer.as<float>()[e] = float(e), m.r<u32>(1 + e)[0] = f(10.f), regs.push_back(reg(1 + e));
  m.r<u64>(0)[0] = buffer.address;
  m.run(m.bind(Row::atom, bind_atom, {"global", "add", "v4"}, {Type::F32},
               {vec(regs), mem(0), vec(regs)}),
        1);
  for (int e = 0; e < 4; ++e) {
    CHECK(buffer.as<float>()[e] == 10.f + float(e));
    CHECK(m.r<u32>(1 + e)[0] == f(float(e)));
  }
}

TEST_CASE("cvta and cvta.to move addresses between a space and the generic windows") {
  Machine m;
  m.r<u64>(0)[0] = 40, m.r<u64>(1);
  for (const auto& [space, window] : {std::pair<const char*, u64>{"shared", memory::kSharedWindow},
                                      {"local", memory::kLocalWindow},
                                      {"param", memory::kParamWindow},
                                      {"global", 0}}) {
    m.run(m.bind(Row::cvta, bind_cvta, {space}, {Type::U64}, {reg(1), reg(0)}), 1);
    CHECK(m.r<u64>(1)[0] == window + 40);
    m.run(m.bind(Row::cvta, bind_cvta, {"to", space}, {Type::U64}, {reg(1), reg(1)}), 1);
    CHECK(m.r<u64>(1)[0] == 40);
  }
}

TEST_CASE("isspacep tells the spaces apart") {
  Machine m;
  Buffer buffer(64);
  const u64 values[] = {buffer.address, memory::kSharedWindow + 4, memory::kLocalWindow,
                        memory::kParamWindow};
  for (int i = 0; i < 4; ++i) m.r<u64>(0)[i] = values[i];
  const auto ask = [&](const char* space) {
    m.p(1) = 0xf0;
    m.run(m.bind(Row::isspacep, bind_isspacep, {space}, {}, {reg(1), reg(0)}), 0xf);
    return m.p(1);
  };
  CHECK(ask("global") == 0xf1);
  CHECK(ask("shared") == 0xf2);
  CHECK(ask("shared::cluster") == 0xf2);
  CHECK(ask("local") == 0xf4);
  CHECK(ask("param") == 0xf8);
  CHECK(ask("const") == 0xf0);
}

TEST_CASE("mapa and getctarank name the blocks of a cluster; a load reads the other block") {
  Machine m;
  Block other;
  other.grid = &m.grid;
  other.rank = 1;
  other.shared.resize(4096, std::byte{0x77});
  m.block.cluster = other.cluster = {&m.block, &other};
  for (int i = 0; i < 32; ++i) m.r<u32>(0)[i] = 4 * i, m.r<u32>(1)[i] = i % 2;
  m.r<u32>(2), m.r<u32>(3), m.r<u32>(4);
  m.run(m.bind(Row::mapa, bind_mapa, {"shared::cluster"}, {Type::U32}, {reg(2), reg(0), reg(1)}));
  m.run(
      m.bind(Row::getctarank, bind_getctarank, {"shared::cluster"}, {Type::U32}, {reg(3), reg(2)}));
  const Instr load = m.bind(Row::ld, bind_ld, {"shared::cluster"}, {Type::U32}, {reg(4), mem(2)});
  m.run(load);
  for (int i = 0; i < 32; ++i) {
    CHECK(m.r<u32>(3)[i] == u32(i % 2));
    CHECK(m.r<u32>(4)[i] == (i % 2 ? 0x77777777u : 0u));
  }
  other.finished = true;
  CHECK(fails(m, load, kAllLanes, "which has ended"));
  m.r<u32>(1)[0] = 2;
  CHECK(fails(m, m.bind(Row::mapa, bind_mapa, {}, {Type::U32}, {reg(2), reg(0), reg(1)}), 1,
              "mapa to rank 2"));
}

TEST_CASE(
    "fences and hints have no effect; discard makes memory unwritten; createpolicy writes a "
    "number") {
  Machine m;
  Buffer buffer(256);
  m.r<u64>(0)[0] = buffer.address, m.r<u64>(1)[0] = 1;
  const std::pair<Row, Bind> none[] = {{Row::membar, bind_membar},
                                       {Row::fence, bind_fence},
                                       {Row::fence_proxy, bind_fence_proxy},
                                       {Row::fence_mbarrier_init, bind_fence_mbarrier_init},
                                       {Row::prefetch, bind_prefetch},
                                       {Row::prefetchu, bind_prefetchu},
                                       {Row::applypriority, bind_applypriority},
                                       {Row::cp_async_bulk_prefetch, bind_cp_async_bulk_prefetch}};
  for (const auto& [row, bind] : none) m.run(m.bind(row, bind, {}, {}, {mem(0)}));
  CHECK(buffer.as<u32>()[0] == 0);
  m.run(m.bind(Row::discard, bind_discard, {"global", "L2"}, {}, {mem(0), imm(128)}), 1);
  CHECK(buffer.as<u32>()[31] == 0xcdcdcdcd);
  CHECK(buffer.as<u32>()[32] == 0);
  m.run(m.bind(Row::createpolicy, bind_createpolicy, {"fractional"}, {Type::B64}, {reg(1)}), 1);
  CHECK(m.r<u64>(1)[0] == 0);
}

TEST_CASE("stacksave, stackrestore and alloca are refused with a sentence") {
  Machine m;
  CHECK_THROWS(m.bind(Row::stacksave, bind_stacksave, {}, {Type::U64}, {reg(0)}));
  CHECK_THROWS(m.bind(Row::stackrestore, bind_stackrestore, {}, {Type::U64}, {reg(0)}));
  CHECK_THROWS(m.bind(Row::alloca_, bind_alloca_, {}, {Type::U64}, {reg(0), imm(8)}));
}

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

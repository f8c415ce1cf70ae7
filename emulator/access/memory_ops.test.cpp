// SPDX-License-Identifier: MIT
// atom, red, address instructions, fences and hints with a warp made by hand.
#include <bit>
#include <cstring>

#include "access/access.hpp"
#include "access/atomic_ops.hpp"
#include "access/buffer.test.hpp"

using namespace emu;
using namespace emu::exec;
using namespace emu::exec::fake;

namespace {

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

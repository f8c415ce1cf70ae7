// SPDX-License-Identifier: MIT
// Registers share a place in the frame only if no path has both alive: checked against a liveness
// computed here, one register at a time and by walking paths, on random functions.
#include "analysis/slots.hpp"

#include <algorithm>
#include <random>

#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

struct Effect {
  std::vector<std::uint32_t> reads, writes;
};

// The functions here use few kinds of instructions, so that what they read and write is plain.
Effect effect_of(const ptx::Instruction& ins) {
  Effect e;
  if (ins.guard != ptx::kNoIndex) e.reads.push_back(ins.guard);
  const bool writes =
      ins.row != ptx::Row::st && ins.row != ptx::Row::bra && ins.row != ptx::Row::red;
  for (std::size_t i = 0; i < ins.operands.size(); ++i) {
    const bool result = writes && i == 0;
    const auto add = [&](const ptx::Operand& op, bool written) {
      if (op.kind == ptx::Operand::Kind::Register) (written ? e.writes : e.reads).push_back(op.reg);
      if (op.kind == ptx::Operand::Kind::Address && op.reg != ptx::kNoIndex)
        e.reads.push_back(op.reg);
    };
    add(ins.operands[i], result);
    for (const auto& part : ins.operands[i].parts) add(part, result);
  }
  return e;
}

bool holds(const std::vector<std::uint32_t>& v, std::uint32_t r) {
  return std::find(v.begin(), v.end(), r) != v.end();
}

// Whether a value in r just before instruction i may be read later: a walk over all paths.
bool alive_before(const ptx::Function& f, const FlowGraph& g, std::uint32_t r, std::uint32_t i) {
  std::vector<bool> seen(f.code.size());
  std::vector<std::uint32_t> work{i};
  while (!work.empty()) {
    const std::uint32_t at = work.back();
    work.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const Effect e = effect_of(f.code[at]);
    if (holds(e.reads, r)) return true;
    if (holds(e.writes, r) && f.code[at].guard == ptx::kNoIndex) continue;
    const auto& block = g.blocks[g.block_of[at]];
    if (at + 1 < block.end) {
      work.push_back(at + 1);
    } else {
      for (const std::uint32_t s : block.successors) work.push_back(g.blocks[s].begin);
    }
  }
  return false;
}

// A write must not change another register that is alive behind it.
void check_slots(const ptx::Function& f) {
  const auto g = analyse(f);
  const auto slots = allocate_slots(f, g, 0);
  const auto bytes = [&](std::uint32_t r) { return frame_bytes_of(f.registers[r].type); };
  const auto count = static_cast<std::uint32_t>(f.registers.size());
  for (std::uint32_t r = 0; r < count; ++r) {
    if (slots.offset[r] == ptx::kNoIndex) continue;
    CHECK(slots.offset[r] + bytes(r) <= slots.bytes);
    CHECK(slots.offset[r] % std::min(bytes(r), 64u) == 0);
    for (std::uint32_t o = 0; o < r; ++o) {  // places are equal or apart
      if (slots.offset[o] == ptx::kNoIndex) continue;
      const bool apart = slots.offset[o] + bytes(o) <= slots.offset[r] ||
                         slots.offset[r] + bytes(r) <= slots.offset[o];
      const bool same = slots.offset[o] == slots.offset[r] && bytes(o) == bytes(r);
      CHECK((apart || same));
    }
  }
  std::size_t wrong = 0;
  for (const std::uint32_t b : g.order) {
    const auto& block = g.blocks[b];
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      const Effect e = effect_of(f.code[i]);
      for (const std::uint32_t w : e.writes) {
        REQUIRE(slots.offset[w] != ptx::kNoIndex);
        for (std::uint32_t o = 0; o < count; ++o) {
          if (o == w || slots.offset[o] != slots.offset[w]) continue;
          bool alive = holds(e.reads, o) || holds(e.writes, o);
          if (i + 1 < block.end)
            alive |= alive_before(f, g, o, i + 1);
          else
            for (const std::uint32_t s : block.successors)
              alive |= alive_before(f, g, o, g.blocks[s].begin);
          wrong += alive;
        }
      }
    }
  }
  CHECK(wrong == 0);
}

std::shared_ptr<const ptx::Module> function_of(const std::string& body) {
  return parsed(kHead +
                ".entry k(.param .u64 a) {\n.reg .b32 %r<12>; .reg .b64 %rd<6>; .reg .b16 %h<4>; "
                ".reg .pred %p<4>;\n" +
                body + "\n}\n");
}

TEST_CASE("registers that are not alive together share a place") {
  const auto m = function_of(
      "mov.u32 %r0, 1; add.u32 %r1, %r0, 1; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; "
      "st.global.u32 [%rd0], %r3; ret;");
  const auto& f = *m->functions.at(0);
  const auto slots = allocate_slots(f, analyse(f), 0);
  CHECK(slots.offset[0] == slots.offset[2]);
  CHECK(slots.offset[1] == slots.offset[3]);
  CHECK(slots.offset[0] != slots.offset[1]);
  check_slots(f);
}

TEST_CASE("the first bytes of a frame can be kept free") {
  const auto m = function_of("mov.u32 %r0, 1; st.global.u32 [%rd0], %r0; ret;");
  const auto& f = *m->functions.at(0);
  const auto slots = allocate_slots(f, analyse(f), 200);
  for (const std::uint32_t offset : slots.offset) CHECK(offset >= 200);
}

TEST_CASE("a guarded write keeps what the other lanes have") {
  const auto m = function_of(
      "mov.u32 %r0, 1; mov.u32 %r1, 2; st.global.u32 [%rd0], %r1; @%p0 mov.u32 %r0, 3; "
      "st.global.u32 [%rd0], %r0; ret;");
  const auto& f = *m->functions.at(0);
  const auto slots = allocate_slots(f, analyse(f), 0);
  CHECK(slots.offset[0] != slots.offset[1]);
  check_slots(f);
  CHECK(count_definitions(f)[0] == 2);
}

TEST_CASE("what is alive around a loop keeps its place") {
  const auto m = function_of(
      "mov.u32 %r0, 5; mov.u32 %r1, 0; L: add.u32 %r1, %r1, %r0; add.u32 %r2, %r1, 1; "
      "st.global.u32 [%rd0], %r2;"
      "setp.lt.u32 %p0, %r1, 9; @%p0 bra L; mov.u32 %r3, 1; st.global.u32 [%rd0], %r3; ret;");
  const auto& f = *m->functions.at(0);
  const auto slots = allocate_slots(f, analyse(f), 0);
  CHECK(slots.offset[0] != slots.offset[2]);
  check_slots(f);
}

TEST_CASE("sizes in a frame: 32 lanes of at least two bytes, a word for a predicate") {
  CHECK(frame_bytes_of(ptx::Type::Pred) == 4);
  CHECK(frame_bytes_of(ptx::Type::B8) == 64);
  CHECK(frame_bytes_of(ptx::Type::B16) == 64);
  CHECK(frame_bytes_of(ptx::Type::F32) == 128);
  CHECK(frame_bytes_of(ptx::Type::B64) == 256);
  CHECK(frame_bytes_of(ptx::Type::B128) == 512);
}

TEST_CASE("any function: no write touches a register that is alive") {
  std::mt19937 random(11);
  const auto reg = [&](const char* name, std::uint32_t n) {
    return name + std::to_string(random() % n);
  };
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t blocks = 1 + random() % 7;
    std::string body;
    for (std::uint32_t b = 0; b < blocks; ++b) {
      body += "L" + std::to_string(b) + ":\n";
      for (std::uint32_t i = random() % 6; i-- > 0;) {
        const std::string guard = random() % 4 ? "" : "@" + reg("%p", 4) + " ";
        switch (random() % 8) {
          case 0:
            body += guard + "mov.u32 " + reg("%r", 12) + ", 1;\n";
            break;
          case 1:
            body += guard + "add.u32 " + reg("%r", 12) + ", " + reg("%r", 12) + ", " +
                    reg("%r", 12) + ";\n";
            break;
          case 2:
            body += guard + "mul.wide.u32 " + reg("%rd", 6) + ", " + reg("%r", 12) + ", 3;\n";
            break;
          case 3:
            body += guard + "cvt.u16.u32 " + reg("%h", 4) + ", " + reg("%r", 12) + ";\n";
            break;
          case 4:
            body += guard + "setp.eq.u32 " + reg("%p", 4) + "|" + reg("%p", 4) + ", " +
                    reg("%r", 12) + ", 3;\n";
            break;
          case 5:
            body += guard + "st.global.v2.u32 [" + reg("%rd", 6) + "], {" + reg("%r", 12) + ", " +
                    reg("%r", 12) + "};\n";
            break;
          case 6:
            body += guard + "ld.global.v2.u32 {" + reg("%r", 6) + ", %r1" +
                    std::to_string(random() % 2) + "}, [" + reg("%rd", 6) + "];\n";
            break;
          default:
            body += guard + "selp.u32 " + reg("%r", 12) + ", " + reg("%r", 12) + ", 4, " +
                    reg("%p", 4) + ";\n";
            break;
        }
      }
      if (random() % 4)
        body += "@" + reg("%p", 4) + " bra L" + std::to_string(random() % blocks) + ";\n";
    }
    const auto m = function_of(body + "ret;");
    INFO(body);
    check_slots(*m->functions.at(0));
  }
}

}  // namespace
}  // namespace emu::exec::testing

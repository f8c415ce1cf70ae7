// SPDX-License-Identifier: MIT
// Operands of every form, constants, calls.
#include <bit>

#include "ptx/parse_text.test.hpp"

using namespace emu::ptx;
using Kind = Operand::Kind;

namespace {

const Instruction& first(const std::unique_ptr<Module>& m) { return m->functions[0]->code.at(0); }

Operand immediate(const std::string& text) {
  const auto m = kernel_of("mov.b64 %rd1, " + text + ";");
  return first(m).operands.at(1);
}

}  // namespace

TEST_CASE("registers, guards and the text of an instruction") {
  const auto m = kernel_of("@!%p1 add.s32 %r1, %r2, -5;");
  const auto& f = *m->functions[0];
  const auto& ins = f.code.at(0);
  CHECK(ins.text == "@!%p1 add.s32 %r1, %r2, -5;");
  CHECK(ins.text_line == 6);
  CHECK(ins.guard_negated);
  CHECK(f.registers.at(ins.guard).name == "%p1");
  CHECK(f.registers.at(ins.guard).type == Type::Pred);
  REQUIRE(ins.operands.size() == 3);
  CHECK(ins.operands[0].kind == Kind::Register);
  CHECK(f.registers.at(ins.operands[0].reg).name == "%r1");
  CHECK(ins.operands[2].kind == Kind::Immediate);
  CHECK(ins.operands[2].bits == static_cast<std::uint64_t>(-5));
}

TEST_CASE("integer literals in every base") {
  CHECK(immediate("42").bits == 42);
  CHECK(immediate("42U").bits == 42);
  CHECK(immediate("0xFFFFFFFFFFFFFFFF").bits == ~0ull);
  CHECK(immediate("0x7fU").bits == 0x7f);
  CHECK(immediate("017").bits == 15);
  CHECK(immediate("0b101").bits == 5);
  CHECK(immediate("0").bits == 0);
  CHECK(immediate("-9223372036854775808").bits == 0x8000000000000000u);
  CHECK(immediate("18446744073709551615").bits == ~0ull);
  CHECK(immediate("WARP_SZ").bits == 32);
}

TEST_CASE("float literals keep their bits and their kind") {
  CHECK(immediate("0f3F800000").bits == 0x3f800000);
  CHECK(immediate("0f3F800000").literal == Operand::Literal::F32);
  CHECK(immediate("0d3FF0000000000000").bits == 0x3ff0000000000000u);
  CHECK(immediate("0d3FF0000000000000").literal == Operand::Literal::F64);
  CHECK(immediate("1.5").bits == std::bit_cast<std::uint64_t>(1.5));
  CHECK(immediate("2.5e-3").bits == std::bit_cast<std::uint64_t>(2.5e-3));
  CHECK(immediate("-0f3F800000").bits == 0xbf800000);
}

TEST_CASE("constant expressions follow the precedence of C") {
  CHECK(immediate("1+2*3").bits == 7);
  CHECK(immediate("(1+2)*3").bits == 9);
  CHECK(immediate("1<<4|1").bits == 17);
  CHECK(immediate("10-3-2").bits == 5);
  CHECK(immediate("~0").bits == ~0ull);
  CHECK(immediate("!0").bits == 1);
  CHECK(immediate("7%4").bits == 3);
  CHECK(immediate("-7/2").bits == static_cast<std::uint64_t>(-3));
  CHECK(immediate("3>2?5:6").bits == 5);
  CHECK(immediate("-9223372036854775808/-1").bits == 0x8000000000000000u);
  CHECK(says(kernel_error("mov.u32 %r1, 1/0;"), "division by zero"));
}

TEST_CASE("addresses: register, symbol or number, with offsets of both signs") {
  const auto m = module_of(
      ".global .b8 data[16];\n.entry k(.param .u64 p) { .reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
      "ld.global.u32 %r1, [%rd1+-8];\nld.global.u32 %r1, [%rd1-8];\n"
      "ld.global.u32 %r1, [data+4];\nld.shared.u32 %r1, [16];\nld.param.u64 %rd1, [p];\n"
      "mov.u64 %rd1, data+4;\n}");
  const auto& code = m->functions[0]->code;
  for (int i : {0, 1}) {
    const auto& op = code.at(i).operands.at(1);
    CHECK(op.kind == Kind::Address);
    CHECK(op.reg != kNoIndex);
    CHECK(op.offset == -8);
  }
  CHECK(code[2].operands[1].symbol == "data");
  CHECK(code[2].operands[1].offset == 4);
  CHECK(code[3].operands[1].symbol.empty());
  CHECK(code[3].operands[1].offset == 16);
  CHECK(code[4].operands[1].symbol == "p");
  CHECK(code[5].operands[1].kind == Kind::Symbol);
  CHECK(code[5].operands[1].offset == 4);
}

TEST_CASE("vectors, pairs, sinks, negated predicates and special registers") {
  const auto m = kernel_of(
      "ld.global.v4.f32 {%f1, _, %f3, %f4}, [%rd1];\nsetp.eq.and.s32 %p1|%p2, %r1, %r2, !%p3;\n"
      "mov.u32 %r1, %tid.x;\nshfl.sync.up.b32 %r1|%p1, %r2, 1, 0, -1;\nmov.u32 %r1, %envreg2;\n"
      "atom.global.add.u32 _, [%rd1], 1;");
  const auto& code = m->functions[0]->code;
  CHECK(code[0].operands[0].kind == Kind::Vector);
  REQUIRE(code[0].operands[0].parts.size() == 4);
  CHECK(code[0].operands[0].parts[1].kind == Kind::Sink);
  CHECK(code[1].operands[0].kind == Kind::Pair);
  CHECK(code[1].operands[0].parts.size() == 2);
  CHECK(code[1].operands[3].negated);
  CHECK(code[2].operands[1].kind == Kind::Special);
  CHECK(code[2].operands[1].symbol == "%tid.x");
  CHECK(code[3].operands[0].kind == Kind::Pair);
  CHECK(code[4].operands[1].symbol == "%envreg2");
  CHECK(code[5].operands[0].kind == Kind::Sink);
}

TEST_CASE("calls of every form have results, callee and arguments") {
  const auto m = module_of(
      ".extern .func plain;\n.func (.param .b32 r) f(.param .b32 a, .param .b64 b);\n"
      ".entry k() { .reg .b64 %rd<3>; .reg .b32 %r<3>; .param .b32 x; .param .b32 y; .param .b64 "
      "z;\n"
      "call plain;\ncall.uni (x),\n f,\n (\n y,\n z\n );\n"
      "proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n"
      "call (x), %rd1, (y, z), proto;\nmany: .calltargets f;\ncall (x), %rd1, (y, z), many;\n"
      "none: .callprototype _ ();\ncall %rd1, none;\ncall %rd1, (), none;\n}");
  const auto& f = *m->functions[2];
  REQUIRE(f.code.size() == 7);
  CHECK(f.code[0].operands.size() == 3);
  CHECK(f.code[0].operands[1].symbol == "plain");
  CHECK(f.code[0].operands[2].parts.empty());
  CHECK(f.code[1].operands[0].parts.at(0).symbol == "x");
  CHECK(f.code[1].operands[2].parts.at(1).symbol == "z");
  CHECK(f.code[2].operands[1].kind == Kind::Register);
  CHECK(f.code[2].operands.at(3).symbol == "proto");
  CHECK(f.prototypes.at("proto").params.at(1).offset == 8);
  CHECK(f.prototypes.at("many").params.size() == 2);
  CHECK(f.code[4].operands.at(3).symbol == "none");
  CHECK(f.code[5].operands.size() == 4);
  CHECK(f.code[6].row == Row::ret);
}

TEST_CASE("errors of operands name the line") {
  CHECK(kernel_error("add.s32 %r1, %r2, %r10;") == "line 6: register '%r10' is not declared");
  CHECK(kernel_error("add.s32 %r1, %r2, %r01;") == "line 6: register '%r01' is not declared");
  CHECK(kernel_error("\nbra nowhere;") == "line 7: label 'nowhere' is not defined");
  CHECK(kernel_error("mov.u32 %r1, nothing;") == "line 6: 'nothing' is not declared");
  CHECK(kernel_error("add.s32 %r1, %r2, 1\nret;") == "line 6: ';' expected before 'ret'");
  CHECK(kernel_error("@%r1 ret;") == "line 6: '%r1' is not a predicate");
  CHECK(says(kernel_error("mov.u32 %r1, 99999999999999999999;"), "does not fit 64 bits"));
  CHECK(says(kernel_error("mov.u32 %r1, 0f3F8;"), "is not a number"));
  CHECK(says(kernel_error("mov.u32 %r1, %tid;"), "only its .x, .y or .z"));
  CHECK(says(kernel_error("mov.u32 %r1, %tid.q;"), "is no part of"));
}

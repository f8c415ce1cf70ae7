// SPDX-License-Identifier: MIT
// Modules, variables, functions, their directives, scopes and labels.
#include "ptx/module.hpp"

#include "ptx/parse_text.test.hpp"

using namespace emu::ptx;

TEST_CASE("version, target with options and address size") {
  const auto m =
      parse("// comment\n.version 8.7 /* more */\n.target sm_90a, debug\n.address_size 64\n");
  CHECK(m->version_major == 8);
  CHECK(m->version_minor == 7);
  CHECK(m->sm == 90);
  CHECK(m->address_bits == 64);
}

TEST_CASE("variables have space, linkage, alignment and size") {
  const auto m = module_of(
      ".visible .global .align 4 .u32 a;\n.extern .shared .align 16 .b8 dyn[];\n"
      ".weak .const .align 8 .b8 c[2][3];\n.common .global .f64 d;\n"
      ".global .attribute(.managed) .align 8 .u64 e;\n.global .v4 .f32 f[2];\n.global .u16 g, "
      "h;\n");
  const auto& v = m->variables;
  REQUIRE(v.size() == 8);
  CHECK(v[0].linkage == Linkage::Visible);
  CHECK(v[0].size == 4);
  CHECK(v[1].space == Space::Shared);
  CHECK(v[1].linkage == Linkage::Extern);
  CHECK(v[1].size == 0);
  CHECK(v[1].align == 16);
  CHECK(v[2].space == Space::Const);
  CHECK(v[2].size == 6);
  CHECK(v[2].align == 8);
  CHECK(v[3].linkage == Linkage::Common);
  CHECK(v[3].align == 8);
  CHECK(v[4].managed);
  CHECK(v[5].size == 32);
  CHECK(v[5].align == 16);
  CHECK(v[7].name == "h");
}

TEST_CASE("parameters lie at multiples of their own alignment") {
  const auto m = module_of(
      ".entry k(.param .u8 a, .param .u64 .ptr .global .align 1 b, .param .align 4 .b8 c[6],\n"
      ".param .u16 d, .param .align 16 .b8 e[32]) { ret; }");
  const auto& p = m->functions[0]->params;
  REQUIRE(p.size() == 5);
  CHECK(p[0].offset == 0);
  CHECK(p[1].offset == 8);
  CHECK(p[1].align == 8);
  CHECK(p[2].offset == 16);
  CHECK(p[2].size == 6);
  CHECK(p[3].offset == 22);
  CHECK(p[4].offset == 32);
}

TEST_CASE("a loop that shall not be unrolled is known by its first instruction") {
  const auto m = module_of(
      ".entry k() { .reg .b32 %r<3>; mov.u32 %r1, 1;\n"
      "L: .pragma \"nounroll\"; .pragma \"x\"; add.u32 %r1, %r1, 1; mov.u32 %r2, %r1; ret; }");
  const auto& code = m->functions[0]->code;
  CHECK_FALSE(code[0].nounroll);
  CHECK(code[1].nounroll);
  CHECK_FALSE(code[2].nounroll);
}

TEST_CASE("directives of a kernel") {
  const auto m = module_of(
      ".visible .entry k() .maxntid 128, 2 .minnctapersm 3 .maxnreg 40 .reqnctapercluster 2\n"
      ".explicitcluster .maxclusterrank 8 .pragma \"x\"; { ret; }\n"
      ".entry q() .reqntid 8, 4, 2 .blocksareclusters { ret; }");
  const auto& f = *m->functions[0];
  CHECK(f.is_entry);
  CHECK(f.linkage == Linkage::Visible);
  CHECK(f.max_threads[0] == 128);
  CHECK(f.max_threads[1] == 2);
  CHECK(f.max_threads[2] == 1);
  CHECK(f.min_blocks == 3);
  CHECK(f.max_registers == 40);
  CHECK(f.cluster[0] == 2);
  CHECK(f.explicit_cluster);
  CHECK(f.max_cluster_rank == 8);
  CHECK(m->functions[1]->required_threads[2] == 2);
}

TEST_CASE("a declaration gives way to the body of the same name") {
  const auto m = module_of(
      ".weak .func (.param .b32 r) f(.param .b32 a);\n.extern .func g() .noreturn;\n"
      ".weak .func (.param .b32 r) f(.param .b32 a) { ret; }\n.func g();");
  REQUIRE(m->functions.size() == 2);
  CHECK(m->functions[0]->has_body);
  CHECK(m->functions[0]->linkage == Linkage::Weak);
  CHECK(m->functions[0]->returns.size() == 1);
  CHECK_FALSE(m->functions[1]->has_body);
  CHECK(m->functions[1]->noreturn);
  CHECK(module_error(".func f() { ret; }\n.func f() { ret; }") ==
        "line 5: function 'f' is defined twice");
}

TEST_CASE("register parameters are registers of the body") {
  const auto m = module_of(".func (.reg .b32 r) f(.reg .b32 x) { add.s32 r, x, 1; ret; }");
  const auto& f = *m->functions[0];
  CHECK(f.params[0].is_register);
  CHECK(f.registers.at(f.params[0].reg).name == "x");
  CHECK(f.code[0].operands[1].reg == f.params[0].reg);
}

TEST_CASE("an alias stands for its target") {
  const auto m = module_of(
      ".func f() { ret; }\n.visible .func g();\n.alias g, f;\n.global .u64 p = g;\n"
      ".entry k() { call g; ret; }");
  CHECK(m->aliases.at("g") == "f");
  CHECK(m->functions.size() == 2);
  CHECK(m->functions[1]->code[0].operands[1].symbol == "f");
  CHECK(m->variables[0].relocations.at(0).symbol == "f");
}

TEST_CASE("the same names in several blocks are different registers and labels") {
  const auto m = kernel_of(
      "{ .reg .b32 t; mov.u32 t, 1; bra L; mov.u32 t, 2; L: mov.u32 %r1, t; }\n"
      "{ .reg .b64 t; mov.u64 t, 1; bra L; mov.u64 t, 2; L: mov.u64 %rd1, t; }\n"
      "{ bra out; { bra out; } } mov.u32 %r2, 3; out: ret;");
  const auto& f = *m->functions[0];
  const auto& code = f.code;
  CHECK(f.registers[code[0].operands[0].reg].type == Type::B32);
  CHECK(f.registers[code[4].operands[0].reg].type == Type::B64);
  CHECK(code[1].operands[0].label == 3);
  CHECK(code[5].operands[0].label == 7);
  CHECK(code[8].operands[0].label == 11);
  CHECK(code[9].operands[0].label == 11);
  CHECK(code[11].row == Row::ret);
  CHECK(kernel_error("{ x: ret; } bra x;") == "line 6: label 'x' is not defined");
  CHECK(kernel_error("x: x: ret;") == "line 6: label 'x' stands twice in this block");
}

TEST_CASE("variables of one name in several blocks get names of their own") {
  const auto m = module_of(
      ".global .b32 w;\n.entry k() { .reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
      "{ .param .b32 p; st.param.b32 [p], %r1; }\n{ .param .b32 p; st.param.b32 [p], %r1; }\n"
      "{ .param .b64 p; st.param.b64 [p], %rd1; }\n"
      "{ .local .b32 w; st.local.u32 [w], 1; } st.global.u32 [w], 1; ret; }");
  const auto& f = *m->functions[0];
  REQUIRE(f.variables.size() == 3);
  CHECK(f.code[0].operands[0].symbol == "p");
  CHECK(f.code[1].operands[0].symbol == "p");
  CHECK(f.code[2].operands[0].symbol == "p@2");
  CHECK(f.variables[1].name == "p@2");
  CHECK(f.code[3].operands[0].symbol == f.variables[2].name);
  CHECK(f.code[3].operands[0].symbol != "w");
  CHECK(f.code[4].operands[0].symbol == "w");
}

TEST_CASE("branch tables hold instruction indices") {
  const auto m = kernel_of(
      "a: mov.u32 %r1, 1;\nts: .branchtargets a, b, a;\nbrx.idx %r1, ts;\nmov.u32 %r1, 2;\nb: "
      "ret;");
  const auto& f = *m->functions[0];
  CHECK(f.branch_targets.at("ts") == std::vector<std::uint32_t>{0, 3, 0});
  CHECK(f.code[1].operands[1].symbol == "ts");
}

TEST_CASE("a body that could run off its end gets a return") {
  CHECK(kernel_of("mov.u32 %r1, 1;")->functions[0]->code.back().row == Row::ret);
  CHECK(kernel_of("@%p1 ret;")->functions[0]->code.size() == 2);
  CHECK(kernel_of("ret;")->functions[0]->code.size() == 1);
  const auto m = kernel_of("bra end; ret; end:");
  CHECK(m->functions[0]->code.size() == 3);
  CHECK(m->functions[0]->code[0].operands[0].label == 2);
}

TEST_CASE("an unknown instruction is kept with its reason and leaves the rest readable") {
  const auto m = kernel_of(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2}, %rd1, %rd2, p, 1, 1;\n"
      "tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2}];\nadd.s32 %r1, %r2;\nret;");
  const auto& code = m->functions[0]->code;
  REQUIRE(code.size() == 4);
  CHECK(code[0].row == Row::unknown);
  CHECK(says(code[0].why, "tensor-core instruction wgmma"));
  CHECK(says(code[1].why, "texture and surface"));
  CHECK(code[1].text.substr(0, 3) == "tex");
  CHECK(code[2].row == Row::unknown);
  CHECK(code[2].why == "add takes 3 operands, not 2");
  CHECK(code[3].row == Row::ret);
}

TEST_CASE("errors outside instructions name the line") {
  CHECK(says(error_of(""), "line 1: .version"));
  CHECK(says(error_of("hello"), "line 1: .version"));
  CHECK(module_error("\n.frob x;") == "line 5: .frob is not known at module scope");
  CHECK(says(module_error(".entry k() { ret;"), "line 4: the body of 'k' is not closed"));
  CHECK(says(module_error(".entry k() { .reg .v2 .f32 x; }"), "vector registers"));
  CHECK(says(module_error(".entry k() { .reg .b32 a; .reg .b32 a; }"), "declared twice"));
  CHECK(says(module_error(".global .align 3 .u32 x;"), "alignment 3"));
  CHECK(says(module_error(".global .texref t;"), "not supported"));
  CHECK(says(module_error(".global .u32 x;\n.global .u32 x;"), "line 5: 'x' is defined twice"));
  CHECK(says(module_error("/* open"), "line 4: the comment is not closed"));
}

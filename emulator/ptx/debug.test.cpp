// SPDX-License-Identifier: MIT
// Source positions, and whole modules that nvcc wrote (testdata/).
#include <filesystem>
#include <fstream>
#include <iterator>

#include "ptx/parse_text.test.hpp"

using namespace emu::ptx;

namespace {

std::unique_ptr<Module> read(const std::string& name) {
  const auto path = std::filesystem::path(__FILE__).parent_path() / "testdata" / name;
  std::ifstream in(path);
  INFO(path.string());
  REQUIRE(in.good());
  return parse(std::string(std::istreambuf_iterator<char>(in), {}));
}

const Function& function(const Module& m, std::string_view name) {
  for (const auto& f : m.functions)
    if (f->name == name) return *f;
  FAIL("no function " << name);
  throw 0;
}

const Variable& variable(const Module& m, std::string_view name) {
  for (const auto& v : m.variables)
    if (v.name == name) return v;
  FAIL("no variable " << name);
  throw 0;
}

int unknown_in(const Module& m) {
  int count = 0;
  for (const auto& f : m.functions)
    for (const auto& ins : f->code) count += ins.row == Row::unknown;
  return count;
}

}  // namespace

TEST_CASE("a position holds from its .loc to the next") {
  const auto m =
      kernel_of("mov.u32 %r1, 1;\n.loc 1 20 5\nmov.u32 %r1, 2;\nmov.u32 %r1, 3;\n.loc 2 7 1\nret;");
  const auto& f = *m->functions[0];
  CHECK(f.code[0].loc == kNoIndex);
  CHECK(f.locs.at(f.code[1].loc).line == 20);
  CHECK(f.code[2].loc == f.code[1].loc);
  CHECK(f.locs.at(f.code[3].loc).file == 2);
}

TEST_CASE("function_name finds its string, with an offset too") {
  const auto m = module_of(
      ".entry k() {\n.loc 1 9 1\n.loc 1 3 1, function_name $s, inlined_at 1 9 1\nexit;\n"
      ".loc 1 4 1, function_name $s+3, inlined_at 1 9 1\nret; }\n.file 1 \"a.cu\", 12, 34\n"
      ".section .debug_str\n{\n$s:\n.b8 102,111\n.b8 0,103,0\n}\n.section .debug_info { .b8 1 l: "
      ".b32 x }");
  const auto& f = *m->functions[0];
  CHECK(m->files.at(1) == "a.cu");
  const auto& inner = f.locs.at(f.code[0].loc);
  CHECK(inner.function == "fo");
  CHECK(f.locs.at(inner.inlined_at).line == 9);
  CHECK(f.locs.at(f.code[1].loc).function == "g");
}

TEST_CASE("nvcc -lineinfo: the chain of inlined calls") {
  const auto m = read("inlined.ptx");
  CHECK(unknown_in(*m) == 0);
  CHECK(m->files.at(1) == "inlined.cu");
  const auto& f = *m->functions.at(0);
  const Instruction* load = nullptr;
  for (const auto& ins : f.code)
    if (ins.row == Row::ld && ins.has("global")) load = &ins;
  REQUIRE(load != nullptr);
  const auto& inner = f.locs.at(load->loc);
  CHECK(inner.line == 5);
  CHECK(says(std::string(inner.function), "inner"));
  const auto& outer = f.locs.at(inner.inlined_at);
  CHECK(outer.line == 8);
  CHECK(says(std::string(outer.function), "outer"));
  const auto& kernel = f.locs.at(outer.inlined_at);
  CHECK(kernel.line == 12);
  CHECK(kernel.inlined_at == kNoIndex);
}

TEST_CASE("nvcc: calls of every kind and initialised data") {
  const auto m = read("calls.ptx");
  CHECK(unknown_in(*m) == 0);
  CHECK(m->sm == 75);
  const auto& k = function(*m, "_Z5callsPi4Packs");
  CHECK(k.max_threads[0] == 128);
  CHECK(k.min_blocks == 2);
  REQUIRE(k.params.size() == 3);
  CHECK(k.params[1].offset == 8);
  CHECK(k.params[1].size == 32);
  CHECK(k.params[2].offset == 40);
  CHECK(k.prototypes.size() == 2);
  CHECK_FALSE(function(*m, "vprintf").has_body);
  CHECK(variable(*m, "words").relocations.size() == 2);
  CHECK(variable(*m, "steps").relocations.at(0).symbol == "_Z2upi");
  CHECK(variable(*m, "counter").managed);
  CHECK(variable(*m, "factors").space == Space::Const);
  CHECK(variable(*m, "table").init.at(12) == 4);
}

TEST_CASE("nvcc: inline PTX with the same names twice, a cluster, dynamic shared memory") {
  const auto m = read("scopes.ptx");
  CHECK(unknown_in(*m) == 0);
  const auto& k = *m->functions.at(0);
  CHECK(k.explicit_cluster);
  CHECK(k.cluster[0] == 2);
  CHECK(variable(*m, "dynamic").linkage == Linkage::Extern);
  std::vector<std::uint32_t> targets;
  for (const auto& ins : k.code)
    if (ins.row == Row::bra) targets.push_back(ins.operands[0].label);
  REQUIRE(targets.size() == 2);
  CHECK(targets[0] < targets[1]);
}

TEST_CASE("nvcc -G: debug sections are skipped") {
  const auto m = read("debug.ptx");
  CHECK(unknown_in(*m) == 0);
  CHECK(function(*m, "_Z5debugPi").has_body);
  CHECK(function(*m, "_Z5twicei").locs.size() > 1);
}

// SPDX-License-Identifier: MIT
// Initialisers of variables.
#include "ptx/parse_text.test.hpp"

using namespace emu::ptx;

namespace {

using Bytes = std::vector<std::uint8_t>;

// A copy of the last variable, with the module its names lie in.
struct Last : Variable {
  std::shared_ptr<const Module> module;
};

Last last_of(const std::string& text) {
  Last last;
  last.module = module_of(text);
  static_cast<Variable&>(last) = last.module->variables.back();
  return last;
}

}  // namespace

TEST_CASE("numbers become little-endian bytes") {
  CHECK(last_of(".global .u32 x = 0x01020304;").init == Bytes{4, 3, 2, 1});
  CHECK(last_of(".global .s16 x = -2;").init == Bytes{0xfe, 0xff});
  CHECK(last_of(".global .b8 x[4] = {72, 105, 0xFF};").init == Bytes{72, 105, 0xff});
  CHECK(last_of(".const .f32 x = 0f3F800000;").init == Bytes{0, 0, 0x80, 0x3f});
  CHECK(last_of(".const .f32 x = 1.0;").init == Bytes{0, 0, 0x80, 0x3f});
  CHECK(last_of(".const .f32 x = 1;").init == Bytes{0, 0, 0x80, 0x3f});
  CHECK(last_of(".const .f64 x = 0d3FF0000000000000;").init == Bytes{0, 0, 0, 0, 0, 0, 0xf0, 0x3f});
}

TEST_CASE("braces fill the rows of an array") {
  CHECK(last_of(".global .b8 x[2][3] = {{1, 2}, {4, 5, 6}};").init == Bytes{1, 2, 0, 4, 5, 6});
  CHECK(last_of(".global .b8 x[2][3] = {1, 2, 3, 4};").init == Bytes{1, 2, 3, 4});
  const auto open = last_of(".global .b8 x[][2] = {{1}, {2}, {3}};");
  CHECK(open.size == 6);
  CHECK(open.init == Bytes{1, 0, 2, 0, 3});
}

TEST_CASE("an initialiser of zeros takes no memory") {
  const auto x = last_of(".global .b8 x[4] = {0, 0, 0, 0};");
  CHECK(x.init.empty());
  CHECK(x.size == 4);
}

TEST_CASE("addresses become relocations") {
  const auto x = last_of(
      ".global .u32 a;\n.func f();\n.global .u64 x[4] = {generic(a), a+8, generic(a)+16, f};");
  REQUIRE(x.relocations.size() == 4);
  CHECK(x.relocations[0].generic);
  CHECK(x.relocations[0].symbol == "a");
  CHECK(x.relocations[1].at == 8);
  CHECK(x.relocations[1].addend == 8);
  CHECK_FALSE(x.relocations[1].generic);
  CHECK(x.relocations[2].addend == 16);
  CHECK(x.relocations[3].symbol == "f");
  CHECK(x.relocations[3].bytes == 8);
}

TEST_CASE("the masked bytes of an address make one relocation") {
  const auto x = last_of(
      ".global .u32 a;\n.global .b8 x[9] = {1, 0xFF(generic(a)), 0xFF00(generic(a)),\n"
      "0xFF0000(generic(a)), 0xFF000000(generic(a)), 0xFF00000000(generic(a)),\n"
      "0xFF0000000000(generic(a)), 0xFF000000000000(generic(a)), 0xFF00000000000000(generic(a))};");
  REQUIRE(x.relocations.size() == 1);
  CHECK(x.relocations[0].at == 1);
  CHECK(x.relocations[0].bytes == 8);
  CHECK(x.relocations[0].generic);
}

TEST_CASE("initialisers that do not fit are refused") {
  CHECK(says(module_error(".global .b8 x[2] = {1, 2, 3};"), "too many initialisers"));
  CHECK(says(module_error(".global .b8 x[2] = {{1}, 2};"), "more braces than dimensions"));
  CHECK(says(module_error(".global .u64 x = missing;"), "'missing' is not declared"));
  CHECK(says(module_error(".global .b16 x = x;"), "4 or 8 bytes"));
  CHECK(says(module_error(".shared .b32 x = 1;"), "only .global and .const"));
  CHECK(says(module_error(".global .b8 x[2][99999999999] = {{1}, {1}};"), "too large"));
}

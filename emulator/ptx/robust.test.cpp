// SPDX-License-Identifier: MIT
// Texts that are cut, nested or numbered beyond reason end in PtxError, quickly.
#include "ptx/parse_text.test.hpp"

using namespace emu::ptx;

namespace {

std::string repeat(const std::string& part, int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += part;
  return text;
}

}  // namespace

TEST_CASE("deep nesting is refused, not followed") {
  CHECK(says(module_error(".entry k() {" + repeat("{", 100000)), "nested too deeply"));
  CHECK(says(kernel_error("mov.u32 %r1, " + repeat("(", 100000)), "nested too deeply"));
  CHECK(says(kernel_error("mov.u32 %r1, " + repeat("-", 100000) + "1;"), "nested too deeply"));
  CHECK(says(kernel_error("mov.u32 %r1, " + repeat("1?", 100000) + "1;"), "nested too deeply"));
  CHECK(says(module_error(".global .b8 x[1] = " + repeat("{", 100000)), "more braces"));
  CHECK(says(module_error(".global .b8 x" + repeat("[1]", 100000)), "too many dimensions"));
}

TEST_CASE("sizes beyond reason are refused") {
  CHECK(says(module_error(".entry k() { .reg .b32 %r<1000000000>; }"), "more registers"));
  CHECK(says(module_error(".global .b8 x[99999999999999];"), "larger than memory"));
  CHECK(says(module_error(".global .b8 x[4294967296][4294967296][4294967296];"),
             "larger than memory"));
  CHECK(says(module_error(".entry k(.param .b8 x[99999999]) { ret; }"), "too large"));
  CHECK(says(module_error(".global .b8 x[" + repeat("9", 100000) + "];"), "does not fit"));
}

TEST_CASE("a text that is cut anywhere is refused or read, never more") {
  const std::string whole = kHead +
                            ".file 1 \"a.cu\"\n.global .u64 x[2][2] = {{1, 2}, {generic(x), 4}};\n"
                            ".visible .entry k(.param .u64 p) .maxntid 32 {\n.reg .b32 %r<3>;\n"
                            ".loc 1 2 3, function_name $s, inlined_at 1 4 5\n"
                            "{ .param .b32 q; st.param.b32 [q+0], %r1; }\n"
                            "L: @!%p bra L;\nld.global.v2.u32 {%r1, %r2}, [x + 8];\nret;\n}\n"
                            ".section .debug_str { $s: .b8 65, 0 }\n";
  for (std::size_t n = 0; n < whole.size(); ++n) error_of(whole.substr(0, n));
  for (std::size_t n = 0; n < whole.size(); ++n) {
    auto text = whole;
    text.erase(n, 1);
    error_of(text);
    for (const char c : {'{', '}', ';', '\0', '"', '9'}) {
      text = whole;
      text[n] = c;
      error_of(text);
    }
  }
  SUCCEED();
}

TEST_CASE("what follows a terminating zero is not read") {
  const auto m = parse(kHead + std::string("\0 garbage", 9));
  CHECK(m->functions.empty());
}

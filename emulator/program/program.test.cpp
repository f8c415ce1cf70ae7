// SPDX-License-Identifier: MIT
// Linking: names of several modules, initialisers that hold addresses, where shared memory lies.
#include <algorithm>
#include <cstring>

#include "engine/run_ptx.test.hpp"
#include "machine/demangle.hpp"
#include "machine/specials.hpp"
#include "program/image.hpp"

namespace emu::exec::testing {
namespace {

using Modules = std::vector<std::shared_ptr<const ptx::Module>>;

Modules modules(const std::vector<std::string>& texts) {
  Modules result;
  for (const auto& text : texts) result.push_back(parsed(kHead + text));
  return result;
}

std::uint64_t word_of(const GlobalVariable& v, std::uint32_t at = 0, std::uint32_t bytes = 4) {
  std::uint64_t value = 0;
  std::memcpy(&value, memory::AddressSpace::instance().host(v.address + at, bytes), bytes);
  return value;
}

std::string link_error(const std::vector<std::string>& texts) {
  try {
    const Program program(modules(texts), 0);
  } catch (const LinkError& e) {
    return e.what();
  }
  return "";
}

// Runs kernel k, which stores one word at its parameter.
std::uint32_t result_of(const Program& program, std::string_view name = "k") {
  auto& buffer = memory::AddressSpace::instance().allocate(64, memory::Kind::Device, 0);
  LaunchRequest request;
  request.kernel = program.kernel(name);
  request.profile = devices::find("h200");
  request.grid = request.block = {1, 1, 1};
  request.params.resize(8);
  std::memcpy(request.params.data(), &buffer.address, 8);
  launch(request);
  std::uint32_t value = 0;
  std::memcpy(&value, buffer.bytes, 4);
  memory::AddressSpace::instance().release(buffer.address);
  return value;
}

std::string kernel_that(const std::string& body, const std::string& name = "k") {
  return ".visible .entry " + name +
         "(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u64 %rd0, [p];\n" + body +
         "\nst.global.u32 [%rd0], %r0; ret; }\n";
}

TEST_CASE("an extern variable is the one another module defines") {
  const std::string use =
      ".extern .global .b32 counter;\n" + kernel_that("ld.global.u32 %r0, [counter];");
  const std::string definition = ".visible .global .b32 counter = 41;\n";
  CHECK(result_of(Program(modules({use, definition}), 0)) == 41);
  CHECK(result_of(Program(modules({definition, use}), 0)) == 41);
}

TEST_CASE("a variable that nobody defines stops the launch and is named") {
  const Program program(
      modules({".extern .global .b32 counter;\n" + kernel_that("ld.global.u32 %r0, [counter];")}),
      0);
  std::string report;
  try {
    result_of(program);
  } catch (const KernelError& e) {
    report = e.report;
  }
  CHECK(says(report, "does not define counter"));
  CHECK(says(report, "ld.global.u32"));
}

TEST_CASE("weak and common variables of several modules are one") {
  for (const std::string linkage : {".weak", ".common"}) {
    const std::string a = linkage + " .global .b32 shared_one;\n";
    const Program program(
        modules({a + kernel_that("mov.u32 %r1, 5; st.global.u32 [shared_one], %r1; mov.u32 %r0, 0;",
                                 "set"),
                 a + kernel_that("ld.global.u32 %r0, [shared_one];")}),
        0);
    result_of(program, "set");
    CHECK(result_of(program) == 5);
  }
}

TEST_CASE("a strong definition wins over a weak one, in either order") {
  const std::string weak = ".weak .global .b32 v = 1;\n", strong = ".visible .global .b32 v = 2;\n";
  const std::string use = kernel_that("ld.global.u32 %r0, [v];");
  CHECK(result_of(Program(modules({weak + use, strong}), 0)) == 2);
  CHECK(result_of(Program(modules({strong, weak + use}), 0)) == 2);
  const std::string weak_f = ".weak .func (.param .b32 r) f() { st.param.b32 [r], 1; ret; }\n";
  const std::string strong_f = ".visible .func (.param .b32 r) f() { st.param.b32 [r], 2; ret; }\n";
  const std::string call =
      kernel_that("{ .param .b32 back; call (back), f, (); ld.param.b32 %r0, [back]; }");
  CHECK(result_of(Program(modules({weak_f + call, strong_f}), 0)) == 2);
  CHECK(result_of(Program(modules({strong_f, weak_f + call}), 0)) == 2);
}

TEST_CASE("two strong definitions are an error that names them") {
  CHECK(says(link_error({".visible .global .b32 v;\n", ".visible .global .b32 v;\n"}),
             "v is defined twice"));
  CHECK(says(link_error({".visible .func f() { ret; }\n", ".visible .func f() { ret; }\n"}),
             "f is defined twice"));
  CHECK(says(link_error({kernel_that(""), kernel_that("")}), "k is defined twice"));
}

TEST_CASE("internal names of two modules are two things") {
  const auto text = [](int n) {
    return ".global .b32 mine = " + std::to_string(n) +
           ";\n.func (.param .b32 r) f() { st.param.b32 [r], " + std::to_string(10 * n) +
           "; ret; }\n" +
           kernel_that(
               "{ .param .b32 back; call (back), f, (); ld.param.b32 %r0, [back]; } ld.global.u32 "
               "%r1, [mine]; add.u32 %r0, %r0, %r1;",
               "k" + std::to_string(n));
  };
  const Program program(modules({text(1), text(2)}), 0);
  CHECK(result_of(program, "k1") == 11);
  CHECK(result_of(program, "k2") == 22);
  CHECK(program.kernel_names() == std::vector<std::string>{"k1", "k2"});
  CHECK(program.kernel("k3") == nullptr);
}

TEST_CASE("a function of another module is called") {
  const Program program(
      modules({".extern .func (.param .b32 r) f(.param .b32 x);\n" +
                   kernel_that("{ .param .b32 in; .param .b32 back; st.param.b32 [in], 20; call "
                               "(back), f, (in); ld.param.b32 %r0, [back]; }"),
               ".visible .global .b32 more = 3;\n.visible .func (.param .b32 r) f(.param .b32 x) { "
               ".reg .b32 %a, %b; ld.param.b32 %a, [x];"
               " ld.global.u32 %b, [more]; add.u32 %a, %a, %b; st.param.b32 [r], %a; ret; }\n"}),
      0);
  CHECK(result_of(program) == 23);
}

TEST_CASE("initialisers hold the addresses of variables and functions, with offsets") {
  const Program program(
      modules({".func f() { ret; }\n.visible .global .b32 table[4] = {1, 2, 3, 4};\n"
               ".visible .global .align 8 .u64 links[3] = {table, generic(table)+8, f};\n"
               ".visible .const .align 8 .u64 fixed = generic(table);\n"}),
      0);
  const auto& table = *program.variable("table");
  const auto& links = *program.variable("links");
  CHECK(word_of(links, 0, 8) == table.address);
  CHECK(word_of(links, 8, 8) == table.address + 8);
  CHECK(program.impl().function_at(word_of(links, 16, 8)) != nullptr);
  CHECK(program.impl().function_at(word_of(links, 16, 8) + 1) == nullptr);
  CHECK(word_of(*program.variable("fixed"), 0, 8) == table.address);
  CHECK(program.variable("fixed")->constant);
  CHECK(word_of(table, 12) == 4);
  CHECK(table.size == 16);
  CHECK(says(link_error({".extern .global .b32 far;\n.visible .global .u64 p = far;\n"}), "far"));
}

TEST_CASE("variables of a program end with it") {
  memory::Address address = 0;
  {
    const Program program(modules({".visible .global .b32 v = 9;\n"}), 0);
    address = program.variable("v")->address;
    CHECK(program.variable("w") == nullptr);
    CHECK(memory::AddressSpace::instance().find(address) != nullptr);
  }
  CHECK(memory::AddressSpace::instance().find(address) == nullptr);
}

TEST_CASE("managed variables of a second device are those of the first") {
  const auto m = modules(
      {".visible .global .attribute(.managed) .b32 both = 4;\n.visible .global .b32 own = 5;\n"});
  const Program first(m, 0);
  {
    const Program second(m, 1, &first);
    CHECK(second.variable("both")->address == first.variable("both")->address);
    CHECK(second.variable("own")->address != first.variable("own")->address);
  }
  CHECK(word_of(*first.variable("both")) == 4);
}

// ---- shared memory

const Kernel& kernel_in(const Program& program, std::string_view name = "k") {
  return *program.kernel(name);
}

TEST_CASE("shared memory: static variables by alignment, then the dynamic part") {
  const Program program(
      modules(
          {".extern .shared .align 16 .b8 dynamic[];\n.shared .align 8 .b8 a[12];\n.shared .align "
           "4 .b8 unused[4000];\n" +
           kernel_that(
               ".shared .align 32 .b8 b[4]; mov.u32 %r1, a; mov.u32 %r2, b; mov.u32 %r3, dynamic;"
               "shl.b32 %r1, %r1, 20; shl.b32 %r2, %r2, 10; or.b32 %r0, %r1, %r2; or.b32 %r0, %r0, "
               "%r3;")}),
      0);
  const auto& k = kernel_in(program);
  CHECK(k.reserved_shared == 0);
  CHECK(k.static_shared == 48);  // 12, then b at 32, then the dynamic part at a multiple of 16
  CHECK(result_of(program) == (0u << 20 | 32u << 10 | 48u));
}

TEST_CASE("shared memory: a kernel has what the functions it calls use, and no other kernel's") {
  const Program program(
      modules({".func f() { .shared .b32 mine[10]; .reg .b32 %r; mov.u32 %r, mine; st.shared.u32 "
               "[%r], 1; ret; }\n"
               ".func other() { .shared .b32 big[100]; .reg .b32 %r; mov.u32 %r, big; "
               "st.shared.u32 [%r], 1; ret; }\n" +
               kernel_that("call f, ();") + kernel_that("call other, ();", "k2") +
               kernel_that("", "none") +
               kernel_that("mov.u64 %rd1, f; P: .callprototype _ (); call %rd1, (), P;",
                           "through_pointer") +
               kernel_that(".shared .b8 lots[20000]; mov.u32 %r1, lots;", "greedy")}),
      0);
  CHECK(kernel_in(program).static_shared == 40);
  CHECK(kernel_in(program, "k2").static_shared == 400);
  CHECK(kernel_in(program, "none").static_shared == 0);
  CHECK(kernel_in(program, "through_pointer").static_shared == 440);
  CHECK(kernel_in(program, "greedy").static_shared == 20000);
}

TEST_CASE("shared memory: the reserved part is there for kernels that ask for it") {
  const Program program(
      modules(
          {kernel_that(".shared .b32 x; mov.u32 %r1, %reserved_smem_offset_1; mov.u32 %r0, x;")}),
      0);
  CHECK(kernel_in(program).reserved_shared == kReservedShared);
  CHECK(kernel_in(program).static_shared == 4);
  CHECK(result_of(program) == kReservedShared);
}

TEST_CASE("registers: as many blocks fit as the kernel's bounds promise") {
  // A hundred values that live at the same time, wanted again at the end.
  std::string body;
  for (int i = 0; i < 100; ++i)
    body += "ld.global.u32 %x" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "]; ";
  for (int i = 0; i < 100; ++i)
    body +=
        "st.global.u32 [%rd1+" + std::to_string(400 + 4 * i) + "], %x" + std::to_string(i) + "; ";
  const auto entry = [&](const char* name, const char* bounds) {
    return std::string(".visible .entry ") + name + "(.param .u64 p) " + bounds +
           " { .reg .b32 %x<100>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; " + body + "ret; }\n";
  };
  const Program program(
      modules({entry("free", ".maxntid 256") + entry("four", ".maxntid 256 .minnctapersm 4") +
               entry("two", ".maxntid 1000 .minnctapersm 2") +
               entry("many", ".maxntid 32 .minnctapersm 4000")}),
      0);
  CHECK(kernel_in(program, "free").registers > 64);
  CHECK(kernel_in(program, "four").registers == 64);
  CHECK(kernel_in(program, "two").registers == 32);
  CHECK(kernel_in(program, "many").registers == 16);
}

TEST_CASE("a kernel knows its sizes and limits") {
  const Program program(modules({".const .b8 c[100];\n.visible .entry k(.param .u32 a, .param .u64 "
                                 "b, .param .align 16 .b8 s[20])\n.maxntid 8, 4, 2\n"
                                 "{ .local .align 8 .b8 l[24]; .reg .b32 %r<4>; ret; }\n.visible "
                                 ".entry _Z3addi(.param .u32 a) .reqntid 96 { ret; }\n"}),
                        0);
  const auto& k = kernel_in(program);
  CHECK(k.param_bytes == 36);
  CHECK(k.local_bytes == 24);
  CHECK(k.constant_bytes == 100);
  CHECK(k.max_threads == 64);
  CHECK(k.registers >= 16);
  CHECK(k.registers % 8 == 0);
  CHECK(k.ptx_version == 90);
  CHECK(kernel_in(program, "_Z3addi").max_threads == 96);
  CHECK(kernel_in(program, "_Z3addi").pretty == "add(int)");
}

TEST_CASE("names that are not mangled stay as they are") {
  CHECK(demangle("f") == "f");
  CHECK(demangle("i") == "i");
  CHECK(demangle("_Z1fv") == "f()");
  CHECK(demangle("_Znonsense") == "_Znonsense");
  CHECK(demangle("_ZN36_INTERNAL_66cef0d8_6_sym_cu_1307ec3638_GLOBAL__N__66cef0d8_6_sym_cu_"
                 "1307ec366hiddenE") == "(anonymous namespace)::hidden");
}

}  // namespace
}  // namespace emu::exec::testing

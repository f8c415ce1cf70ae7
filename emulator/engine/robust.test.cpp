// SPDX-License-Identifier: MIT
// Device code that is wrong in every way we could think of: reading, linking and decoding it ends
// in one of their errors, and what they accept runs within its own memory (the sanitizers watch).
#include <cctype>
#include <cfenv>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run_ptx.test.hpp"

using namespace emu::exec;
using namespace emu::exec::testing;

namespace {

// How far a text gets, and why it stopped.
struct Outcome {
  enum class Stage { Read, Linked, Decoded, Ran } stage = Stage::Read;
  std::string why;
};

void launch_small(const Kernel& kernel) {
  LaunchRequest request;
  request.kernel = &kernel;
  request.block = {32, 1, 1};
  request.profile = emu::devices::find("h200");
  request.instruction_limit = 20'000;
  request.params.resize(kernel.param_bytes);
  launch(request);
}

// Launches the kernel of this name, all of them if it is empty.
Outcome attempt(const std::string& text, std::string_view only = {}) {
  Outcome out;
  try {
    const Program program({parsed(text)}, 0);
    out.stage = Outcome::Stage::Linked;
    for (const auto& name : program.kernel_names()) {
      if (!only.empty() && name != only) continue;
      try {
        launch_small(*program.kernel(name));
        out.stage = Outcome::Stage::Ran;
      } catch (const KernelError& e) {
        out.why = e.report;
        if (e.kind != FaultKind::UnknownInstruction) out.stage = Outcome::Stage::Ran;
      }
    }
  } catch (const emu::ptx::PtxError& e) {
    out.why = e.what();
  } catch (const LinkError& e) {
    out.why = e.what();
  }
  return out;
}

// The error of a kernel with this body.
std::string refusal(const std::string& body, const std::string& module = {}) {
  const Outcome out = attempt(kernel_text(body, module), "k");
  CHECK(out.stage != Outcome::Stage::Ran);
  return out.why;
}

const std::string kRegisters =
    ".reg .b16 %h<4>; .reg .b128 %q<4>; .reg .f32 %f<4>; .reg .f64 %fd<4>;\n";

// Something of everything nvcc emits: what the mutations start from.
const std::string kSeed =
    kHead +
    ".global .align 8 .u64 table[4] = {1, generic(table), f, 4};\n"
    ".const .f32 c[2] = {0f3F800000, 2.0};\n"
    ".extern .shared .align 16 .b8 dynamic[];\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
    ".func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 s[16]) {\n"
    ".reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
    "ld.param.u32 %r1, [a]; ld.param.v2.u32 {%r2, %r3}, [s+8]; ld.param.u64 %rd1, [s];\n"
    "add.s32 %r1, %r1, %r2; st.param.b32 [r+0], %r1; ret; }\n"
    ".visible .entry k(.param .u64 p0, .param .align 4 .b8 p1[12]) .maxntid 128 {\n"
    ".local .align 16 .b8 stack[64]; .shared .align 4 .b8 tile[128];\n"
    ".reg .pred %p<5>; .reg .b16 %h<5>; .reg .b32 %r<12>; .reg .f32 %f<6>; .reg .b64 %rd<12>;\n"
    ".reg .f64 %fd<4>; .reg .b128 %q<2>;\n"
    "mov.u64 %rd1, stack; cvta.local.u64 %rd2, %rd1; mov.u32 %r1, %tid.x; ld.param.u32 %r2, "
    "[p1+8];\n"
    "mov.u32 %r3, tile; shl.b32 %r4, %r1, 2; add.s32 %r3, %r3, %r4; st.shared.u32 [%r3], %r1;\n"
    "bar.sync 0; ld.shared.u32 %r5, [%r3]; mul.wide.u32 %rd3, %r5, 4; and.b32 %r10, %r1, 7;\n"
    "setp.lt.u32 %p1, %r1, 16; @%p1 bra L1; mov.b64 {%r6, %r7}, %rd3; cvt.rn.f32.s32 %f1, %r6;\n"
    "fma.rn.f32 %f2, %f1, 0f40000000, %f1; cvt.f64.f32 %fd1, %f2; mul.rn.f64 %fd2, %fd1, %fd1;\n"
    "L1: shfl.sync.bfly.b32 %r8|%p2, %r1, 1, 31, -1; vote.sync.ballot.b32 %r9, %p2, -1;\n"
    "popc.b32 %r9, %r9; selp.b32 %r8, %r8, %r9, %p1; st.v2.u32 [%rd2+8], {%r8, %r9};\n"
    "ld.const.v2.f32 {%f3, %f4}, [c]; add.ftz.f32 %f3, %f3, %f4; cvt.u16.u32 %h1, %r1;\n"
    "mad.lo.u16 %h2, %h1, %h1, %h1; prmt.b32 %r8, %r8, %r9, 0x5410; lop3.b32 %r8, %r8, %r9, %r1, "
    "0xE8;\n"
    "T: .branchtargets A, B, A, B, A, B, A, B; brx.idx %r10, T;\n"
    "A: atom.global.add.u32 %r11, [table], 1; bra.uni C;\n"
    "B: red.shared.add.u32 [tile+4], 2; div.u32 %r11, %r8, %r9;\n"
    "C: { .param .b32 a0; .param .align 8 .b8 a1[16]; .param .b32 r0;\n"
    "st.param.b32 [a0+0], %r11; st.param.b64 [a1+8], %rd3; call.uni (r0), f, (a0, a1);\n"
    "ld.param.b32 %r11, [r0+0]; }\n"
    "ld.global.u64 %rd4, [table+16];\n"
    "{ .param .b32 a0; .param .align 8 .b8 a1[16]; .param .b32 r0;\n"
    "P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]);\n"
    "call (r0), %rd4, (a0, a1), P; }\n"
    "mov.b128 %q1, {%rd3, %rd4}; activemask.b32 %r11; bar.warp.sync -1; membar.gl;\n"
    "ld.local.u32 %r1, [stack+4]; ret; }\n";

// Words a mutation puts where another stood.
const std::vector<std::string> kWords = {
    "%r1",        "%rd1",      "%f1",        "%fd1",   "%p1",   "%h1",   "%q1",     "%tid.x",
    "%clock64",   "0",         "-1",         "4",      "65535", "1e300", "table",   "tile",
    "stack",      "f",         "k",          "p1",     ".u64",  ".u8",   ".b128",   ".f16",
    ".pred",      ".v4",       ".v2",        ".wide",  ".b32",  "L1",    "T",       "C",
    "{%r1}",      "[%p1]",     "[%h1]",      "_",      "!%p1",  "@%p1",  "%r1|%p1", ";",
    "ret;",       "}",         "{",          ",",      "[0]",   "(a0)",  ".local",  "call",
    "0x7fffffff", "%r<65000>", ".s64",       "bra",    "cvt",   "ld",    "setp",    "mov",
    "c",          "[c+4]",     "4294967295", "%laneid"};

const std::vector<std::string> kNumbers = {
    "0", "1", "3", "8", "12", "33", "63", "64", "255", "4096", "-1", "0x80000000", "4294967295"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '.' ||
         c == '$';
}

// Begin and end of every word and mark.
std::vector<std::pair<std::size_t, std::size_t>> tokens(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end]) && text[end] != '.') ++end;
    }
    if (!std::isspace(static_cast<unsigned char>(text[i]))) found.emplace_back(i, end);
    i = end;
  }
  return found;
}

std::string mutated(const std::string& text, std::mt19937& random) {
  const auto parts = tokens(text);
  const auto pick = [&] { return parts[random() % parts.size()]; };
  const auto [begin, end] = pick();
  std::string out = text;
  const std::string_view old(text.data() + begin, end - begin);
  switch (random() % 12) {
    case 0:
      out.erase(begin, end - begin);
      break;
    case 1:
      out.replace(begin, end - begin, " " + kWords[random() % kWords.size()] + " ");
      break;
    case 2:
      out.insert(end, " " + kWords[random() % kWords.size()] + " ");
      break;
    case 3: {  // another word of the same text
      const auto [from, to] = pick();
      out.replace(begin, end - begin, text.substr(from, to - from));
      break;
    }
    case 4:
      out[begin] = static_cast<char>(random() % 256);
      break;
    case 5:
      out.resize(begin);
      break;
    default:  // a register for another of its kind, a number for another: what is often accepted
      if (old.front() == '%' && std::isdigit(static_cast<unsigned char>(old.back()))) {
        out.replace(end - 1, 1, std::to_string(random() % 5));
      } else if (std::isdigit(static_cast<unsigned char>(old.front())) && old.size() < 4) {
        out.replace(begin, old.size(), kNumbers[random() % kNumbers.size()]);
      }
      break;
  }
  return out;
}

}  // namespace

TEST_CASE("the text the mutations start from runs") {
  const Outcome out = attempt(kSeed);
  INFO(out.why);
  CHECK(out.stage == Outcome::Stage::Ran);
  CHECK(out.why.empty());
}

TEST_CASE("mutated device code ends in an error or runs in its bounds") {
  std::mt19937 random(20260801);  // its sequence is the same everywhere
  int ran = 0, refused = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string text = mutated(kSeed, random);
    for (auto more = random() % 2; more > 0; --more) text = mutated(text, random);
    const Outcome out = attempt(text);
    ran += out.stage == Outcome::Stage::Ran;
    refused += out.stage != Outcome::Stage::Ran;
    if (out.stage != Outcome::Stage::Ran)
      CHECK_FALSE((out.why.empty() && out.stage == Outcome::Stage::Read));
  }
  CHECK(ran > 100);
  CHECK(refused > 100);
}

TEST_CASE("a result register of another width is refused") {
  for (const std::string line : {"add.u64 %r1, %rd1, %rd2;",
                                 "mov.u32 %p1, 5;",
                                 "ld.global.u32 %p1, [%out];",
                                 "ld.global.u64 %r1, [%out];",
                                 "mul.wide.u32 %r1, %r2, %r3;",
                                 "add.u32 %rd1, %r1, %r2;",
                                 "popc.b64 %rd1, %rd2;",
                                 "cvt.u64.u32 %r1, %r2;",
                                 "setp.eq.u32 %r1, %r2, %r3;",
                                 "mov.b64 {%rd1, %r2}, %rd3;",
                                 "ld.global.v2.u32 {%r1, %rd2}, [%out];",
                                 "shfl.sync.idx.b32 %rd1, %r1, 0, 31, -1;",
                                 "shfl.sync.idx.b32 %r1|%r2, %r1, 0, 31, -1;",
                                 "vote.sync.all.pred %r1, %p1, -1;",
                                 "vote.sync.ballot.b32 %p2, %p1, -1;",
                                 "atom.global.add.u64 %r1, [%out], %rd1;",
                                 "activemask.b32 %rd1;",
                                 "mov.b128 %rd1, %q1;",
                                 "fma.rn.f64 %f1, %fd1, %fd1, %fd1;",
                                 "cvt.f64.f32 %f1, %f2;",
                                 "bfe.u64 %r1, %rd1, 1, 2;",
                                 "isspacep.shared %r1, %rd1;",
                                 "elect.sync %r1, -1;",
                                 "bar.red.popc.u32 %p1, 0, %p2;",
                                 "lop3.b32 %h1, %r1, %r2, %r3, 1;",
                                 "selp.b64 %r1, %rd1, %rd2, %p1;"}) {
    INFO(line);
    CHECK(says(refusal(kRegisters + line), "cannot run k"));
  }
}

TEST_CASE("operands that cannot stand where they stand are refused") {
  for (const std::string line : {"add.u32 %r1, %r2, %rd3;",
                                 "ld.global.u32 %r1, [%p1];",
                                 "ld.global.u32 %r1, [%h1];",
                                 "ld.global.u32 %r1, [%q1];",
                                 "st.global.u32 [%out], %p1;",
                                 "add.u32 5, %r1, %r2;",
                                 "add.u32 %r1, %r2, [%out];",
                                 "add.u32 {%r1, %r2}, %r1, %r2;",
                                 "mov.u32 %r1, nowhere;",
                                 "mov.b16 %h1, k;",
                                 "st.global.v2.u32 [%out], {%r1};",
                                 "st.global.v4.u32 [%out], {%r1, %r2};",
                                 "mov.b64 %rd1, {%r1};",
                                 "mov.b64 %rd1, {%r1, %r2, %r3};",
                                 "cp.async.wait_group %r1;",
                                 "prmt.b32 %r1, %r2;",
                                 "lop3.b32 %r1, %r2, %r3, %r4, %r5;",
                                 "bar.sync %p1;",
                                 "shl.b32 %r1, %r2, %rd3;",
                                 "setp.lt.u32 %p1, %r1, %p2;",
                                 "mov.u32 %r1, %clock64;",
                                 "mov.b128 %q1, %tid.x;",
                                 "brx.idx %r1, L;",
                                 "mad.lo.u32 %r1, %r2, %r3, 0f3F800000, 7;"}) {
    INFO(line);
    const std::string why = refusal(kRegisters + line + "\nL:");
    CHECK_FALSE(why.empty());
  }
  CHECK(
      says(refusal(".local .b8 buffer[8]; .reg .b128 %q; mov.b128 %q, buffer;"), "32 or 64 bits"));
}

TEST_CASE("calls that do not fit their function are refused") {
  const std::string f =
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<2>; ld.param.b32 %r1, [a];\n"
      "st.param.b32 [r], %r1; ret; }\n.func g(.reg .b32 x) { ret; }\n"
      ".visible .entry other() { ret; }\n";
  const std::string params =
      ".param .b32 a0; .param .b64 a1; .param .align 8 .b8 a2[64]; .param .b32 r0;\n";
  const auto why = [&](const std::string& call) {
    INFO(call);
    return refusal(params + call, f);
  };
  CHECK(says(why("call (r0), f;"), "passes 0 arguments"));
  CHECK(says(why("call (r0), f, (a0, a0);"), "passes 2 arguments"));
  CHECK(says(why("call f, (a0);"), "passes 0 results"));
  CHECK(says(why("call other;"), "calls a kernel"));
  CHECK(says(why("call g, (a0);"), ".reg parameters"));
  CHECK(says(why("call (r0), f, (%r1);"), ".param variables only"));
  CHECK(says(why("call (r0), vprintf, (a1);"), "other parameters"));
  CHECK(says(why("call (r0), vprintf, (a1, a0);"), "other parameters"));
  // An argument larger than the parameter: only the parameter's bytes are passed.
  Run large(params +
                "mov.u32 %r9, 7; st.param.b32 [a2], %r9; call (r0), f, (a2);\n"
                "ld.param.b32 %r8, [r0]; st.global.u32 [%out4], %r8;",
            f);
  CHECK(large.words() == filled(32, 7));
}

TEST_CASE("recursion without an end overflows the stack of the thread, not ours") {
  const std::string f =
      ".func f() { .local .b8 x[64]; .reg .b64 %rd<2>; mov.u64 %rd1, x; st.local.u64 [%rd1], "
      "%rd1;\n"
      "call f; ret; }\n";
  CHECK(says(Run("call f;", f).error(FaultKind::StackOverflow), "call stack overflows"));
  const std::string two = ".func g();\n.func f() { call g; ret; }\n.func g() { call f; ret; }\n";
  CHECK(says(Run("call f;", two).error(FaultKind::StackOverflow), "call stack overflows"));
}

TEST_CASE("sizes beyond reason are refused before memory is taken for them") {
  CHECK(says(refusal(".local .b8 x[1099511627776]; st.local.u8 [x], %r1;"), "local variables"));
  CHECK(says(refusal(".local .b8 x[4294967304]; st.local.u8 [x], %r1;"), "local variables"));
  CHECK(says(refusal(".param .b8 x[4294967304]; st.param.b8 [x], %r1;"), "parameters take"));
  CHECK(says(refusal(".shared .b8 x[4294967304]; st.shared.u8 [x], %r1;"), "shared memory"));
  CHECK(says(refusal(".shared .align 1048576 .b8 x[99999999]; st.shared.u8 [x], %r1;"),
             "shared memory"));
}

// [vast]: takes more addresses than qemu can keep track of (cmake/cross.cmake).
TEST_CASE("pages are taken when they are touched: a large variable costs nothing by itself",
          "[vast]") {
  Run("st.global.u32 [%out4], 1;", ".global .b8 x[1099511627776];").words();
  CHECK(says(attempt(kHead + ".global .b8 x[1099511627776];\n.global .b8 y[1099511627776];\n"
                             ".global .b8 z[1099511627776];\n.global .b8 w[1099511627776];\n")
                 .why,
             "no memory for the variable"));
}

TEST_CASE("empty arrays and odd alignments do no harm") {
  const std::string body =
      ".shared .align 1 .b8 a[1]; .shared .b8 none[0]; .local .align 64 .b8 b[3]; .local .b8 "
      "c[0];\n"
      "mov.u32 %r2, a; mov.u32 %r3, none; mov.u64 %rd2, b; mov.u64 %rd3, c; mov.u64 %rd4, empty;\n"
      "and.b64 %rd2, %rd2, 63; cvt.u32.u64 %r4, %rd2; st.global.u32 [%out4], %r4;";
  CHECK(Run(body, ".global .b8 empty[0]; .global .align 1024 .b8 big[8];").words() ==
        filled(32, 0));
  CHECK(says(attempt(kHead + ".global .align 0 .b8 x[8];").why, "power of two"));
  CHECK(says(attempt(kHead + ".global .align 12 .b8 x[8];").why, "power of two"));
}

TEST_CASE("the rounding mode of the host does not reach kernels, and is kept") {
  REQUIRE(std::fesetround(FE_UPWARD) == 0);
  Run run(
      ".reg .f32 %f<3>; mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f00000001;\n"
      "add.rn.f32 %f1, %f1, %f2; mul.rn.f32 %f2, %f2, 0f3F800000; mov.b32 %r8, %f1;\n"
      "mov.b32 %r9, %f2; add.u32 %r8, %r8, %r9; st.global.u32 [%out4], %r8;");
  const Words words = run.words();
  CHECK(std::fegetround() == FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  CHECK(words == filled(32, 0x3f800001));
}

TEST_CASE("many registers, blocks and functions take memory and time in proportion") {
  std::string body = ".reg .b32 %many<65000>; .reg .b64 %wide<65000>;\n";
  for (int i = 0; i < 1000; ++i) {
    const std::string n = std::to_string(i);
    body += "mov.u32 %many" + n + ", " + n + "; setp.eq.u32 %p1, %t, " + n + "; @%p1 bra L" + n +
            ";\nadd.u32 %r9, %r9, %many" + n + ";\nL" + n + ":\n";
  }
  Run(body + "st.global.u32 [%out4], %r9;").words();
  std::string chain;
  for (int i = 0; i < 5000; ++i) chain += ".func f" + std::to_string(i) + "();\n";
  for (int i = 0; i < 5000; ++i) {
    const std::string next = i + 1 < 5000 ? "call f" + std::to_string(i + 1) + "; " : "";
    chain += ".func f" + std::to_string(i) + "() { " + next + "ret; }\n";
  }
  Run("call f0; st.global.u32 [%out4], 1;", chain).words();
}

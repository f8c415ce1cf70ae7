// SPDX-License-Identifier: MIT
// Texts for people: places in the source with what was inlined, lists of lanes, errors before a
// kernel starts.
#include "engine/report.hpp"

#include "engine/run_ptx.test.hpp"
#include "machine/source_place.hpp"

namespace emu::exec::testing {
namespace {

TEST_CASE("lists of lanes are short") {
  CHECK(lane_list(0) == "none");
  CHECK(lane_list(1) == "0");
  CHECK(lane_list(0xffffffffu) == "0-31");
  CHECK(lane_list(0x80000000u) == "31");
  CHECK(lane_list(0x0010ffffu) == "0-15, 20");
  CHECK(lane_list(0xa0000003u) == "0-1, 29, 31");
}

// Place of the last instruction but the return, of a function with these files and positions.
SourcePlace place(const std::string& body, const std::string& files) {
  const auto m = parsed(kHead + ".entry k() {\n.reg .b32 %r1;\n" + body +
                        "\nmov.u32 %r1, 1;\nret;\n}\n" + files);
  Code code;
  code.function = m->functions.at(0).get();
  code.module = m.get();
  return place_of(code, code.function->code.at(code.function->code.size() - 2));
}

const std::string kFiles =
    ".file 1 \"/home/me/sum.cu\"\n.file 2 \"/home/me/util.cuh\"\n.file 3 "
    "\"/usr/local/cuda/include/cooperative_groups.h\"\n";

TEST_CASE("where there are several devices, a report says which one it was") {
  Run run("mov.u64 %rd1, 64; st.global.u32 [%rd1], 1;"), waits("barrier.sync 1, 64;");
  CHECK_FALSE(says(run.error(FaultKind::OutOfBounds), "on device"));
  for (Run* const r : {&run, &waits}) {
    r->request.several_devices = true;
    r->request.device = 3;
  }
  CHECK(says(run.error(FaultKind::OutOfBounds), "  kernel  k on device 3\n"));
  CHECK(says(waits.error(FaultKind::Deadlock), "  kernel  k on device 3\n"));
}

TEST_CASE("without line information there is no place") {
  const auto p = place("", "");
  CHECK(p.where.empty());
  CHECK(p.inlined.empty());
}

TEST_CASE("a place is the file's name and the line") {
  const auto p = place(".loc 1 12 5", kFiles);
  CHECK(p.where == "sum.cu:12");
  CHECK(p.inlined.empty());
}

TEST_CASE("inlined code names the line that inlined it, innermost first") {
  const auto p = place(
      ".loc 1 40 1\n.loc 2 7 3, function_name $s, inlined_at 1 40 1\n.loc 2 3 1, function_name $s, "
      "inlined_at 2 7 3",
      kFiles + ".section .debug_str { $s: .b8 102, 0 }\n");
  CHECK(p.where == "util.cuh:3");
  CHECK(p.inlined == std::vector<std::string>{"inlined at util.cuh:7", "inlined at sum.cu:40"});
}

TEST_CASE("code of the toolkit's headers is named by the user's line") {
  const auto p = place(".loc 1 40 1\n.loc 3 900 3, function_name $s, inlined_at 1 40 1",
                       kFiles + ".section .debug_str { $s: .b8 102, 0 }\n");
  CHECK(p.where == "sum.cu:40");
  CHECK(p.inlined == std::vector<std::string>{"which inlines cooperative_groups.h:900"});
}

TEST_CASE("a fault names kernel, block, thread and instruction") {
  Run run(
      "mov.u32 %r2, %tid.y; setp.eq.u32 %p1, %r2, 3; mov.u32 %r3, %ctaid.y; setp.eq.u32 %p2, %r3, "
      "2; and.pred %p1, %p1, %p2; @%p1 trap;");
  run.request.block = {8, 4, 2};
  run.request.grid = {2, 3, 1};
  const auto report = run.error(FaultKind::Trap);
  CHECK(says(report, "trap in k"));
  CHECK(says(report, "block (0,2,0), thread (0,3,0) (warp 0, lane 24)"));
  CHECK(says(report, "@%p1 trap;"));
  CHECK(says(report, "-lineinfo"));
}

// ---- what stops a launch before it starts (decode.cpp)

std::string refusal(const std::string& body, const std::string& module = {}) {
  Run run(body, module);
  return run.error(FaultKind::UnknownInstruction);
}

TEST_CASE("what the decoder does not know stops the launch with a sentence") {
  CHECK(says(refusal("mov.u64 %rd2, %current_graph_exec;"), "%current_graph_exec is not known"));
  CHECK(says(refusal("wmma.mma.sync.aligned %r2;"), "cannot run k"));
  CHECK(says(refusal("call nobody, ();", ".extern .func nobody();"), "nobody"));
  CHECK(says(refusal("{ .param .b32 a; call f, (a); }", ".func f() { ret; }"),
             "passes 1 arguments to a function of 0"));
  CHECK(says(refusal("ld.global.u32 %r2, [absent];", ".extern .global .b32 absent;"),
             "does not define absent"));
  CHECK(says(refusal("mov.u64 %rd2, %tid.x;"), "%tid.x has 32 bits"));
  CHECK(says(refusal("add.u32 %r2, %rd1, 1;"), "has 64 bits where 32 are needed"));
}

TEST_CASE("a refusal inside a function that is called names the function too") {
  const auto report =
      refusal("call f, ();", ".func f() { .reg .b64 %r; mov.u64 %r, %current_graph_exec; ret; }");
  CHECK(says(report, "cannot run k"));
  CHECK(says(report, "in      f"));
  CHECK(says(report, "mov.u64 %r, %current_graph_exec;"));
}

}  // namespace
}  // namespace emu::exec::testing

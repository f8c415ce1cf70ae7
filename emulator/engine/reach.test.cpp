// SPDX-License-Identifier: MIT
// What a kernel can reach is decoded before it starts; what nobody could know leaves the truth behind.
#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

const std::string kFunctions = R"(
    .func (.param .b32 r) good(.param .b32 x) { .reg .b32 %a; ld.param.u32 %a, [x]; add.u32 %a, %a, 100; st.param.b32 [r], %a; ret; }
    .func (.param .b32 r) bad(.param .b32 x) { .reg .b32 %a; nonsense.u32 %a, 1; st.param.b32 [r], %a; ret; }
    .func (.param .b32 r) leads(.param .b32 x) { .reg .b32 %a; .param .b32 i; .param .b32 o; st.param.b32 [i], 1;
      call (o), bad, (i); ld.param.b32 %a, [o]; st.param.b32 [r], %a; ret; }
    .global .align 8 .u64 table[3] = {good, bad, leads};)";

// Stores 7, then calls the n-th function of the table with the thread's number.
std::string through(int n) {
  return "st.global.u32 [%out4], 7; mov.u64 %rd2, table; ld.global.u64 %rd3, [%rd2+" +
         std::to_string(8 * n) + R"(];
    { .param .b32 in; .param .b32 back; st.param.b32 [in], %t;
      proto: .callprototype (.param .b32 _) _ (.param .b32 _);
      call (back), %rd3, (in), proto; ld.param.b32 %r2, [back]; } st.global.u32 [%out4], %r2;)";
}

TEST_CASE("a function behind a pointer that cannot run disturbs nobody who does not call it") {
  const Words got = Run(through(0), kFunctions).words();
  for (std::uint32_t t = 0; t < 32; ++t) CHECK(got[t] == 100 + t);
}

TEST_CASE("a call through a pointer to what cannot run says that memory was changed") {
  // Not UnknownInstruction: that stands for a launch that has done nothing.
  const std::string report = Run(through(1), kFunctions).error(FaultKind::BadOperand);
  CHECK(says(report, "leads to bad, which cannot run here"));
  CHECK(says(report, "what it wrote before stays written"));
  CHECK(says(Run(through(2), kFunctions).error(FaultKind::BadOperand), "leads to bad"));
}

TEST_CASE(
    "what is called by name stops the launch before it starts, and is told with its callers") {
  const std::string module = R"(.file 1 "lib.cu"
    .file 2 "user.cu"
    .func inner() { .reg .b32 %a; .loc 1 70 1
      nonsense.u32 %a, 1; ret; }
    .func outer() { .loc 1 40 1
      call inner, (); ret; })";
  const std::string report = Run(".loc 2 12 1\n st.global.u32 [%out4], 7; call outer, ();", module)
                                 .error(FaultKind::UnknownInstruction);
  CHECK(says(report, "lib.cu:70"));
  CHECK(says(report, "called  by outer"));
  CHECK(says(report, "lib.cu:40"));
  CHECK(says(report, "called  by k"));
  CHECK(says(report, "user.cu:12"));
}

TEST_CASE("a launch from a kernel names the line of the kernel") {
  const std::string module = R"(.file 2 "user.cu"
    .extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 x);
    .func cudaGetParameterBuffer() { { .param .b64 x; .param .b64 r;
      call (r), __cudaCDP2GetParameterBufferV2, (x); } ret; })";
  const std::string report = Run(".loc 2 12 1\n call cudaGetParameterBuffer, ();", module)
                                 .error(FaultKind::UnknownInstruction);
  CHECK(says(report, "dynamic parallelism"));
  CHECK(says(report, "user.cu:12"));
}

}  // namespace
}  // namespace emu::exec::testing

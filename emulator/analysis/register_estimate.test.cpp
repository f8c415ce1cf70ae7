// SPDX-License-Identifier: MIT
// What counts as a register that the machine must keep, and what does not.
#include "analysis/register_estimate.hpp"

#include "ptx/module.hpp"
#include "support/catch.hpp"

namespace {

std::uint32_t live_words(const std::string& body) {
  const auto module = emu::ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 p, .param .u32 n) {\n"
      ".reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.reg .f32 %f<20>;\n.reg .pred %p<4>;\n" +
      body + "ret;\n}\n");
  const emu::ptx::Function& function = *module->functions.front();
  return emu::exec::estimate_live_words(function, emu::exec::analyse(function));
}

}  // namespace

TEST_CASE("registers: what is alive at once counts, in words") {
  CHECK(live_words("mov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd1, %r1;\n"
                   "st.global.u32 [%rd1], %r1;\n") == 1 + 2);
  CHECK(live_words("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %laneid;\nadd.u32 %r3, %r1, %r2;\n"
                   "st.shared.u32 [0], %r3;\n") == 2);
}

TEST_CASE("registers: parameters, constants and what is the same for the block are free") {
  CHECK(live_words("ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n"
                   "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmul.lo.u32 %r3, %r1, %r2;\n"
                   "mul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
                   "mov.u32 %r5, %tid.x;\nst.global.u32 [%rd4], %r5;\n") == 1);
}

TEST_CASE("registers: what a thread computes from its own number is not") {
  CHECK(live_words("ld.param.u64 %rd1, [p];\nmov.u32 %r5, %tid.x;\nmul.wide.u32 %rd3, %r5, 4;\n"
                   "add.s64 %rd4, %rd1, %rd3;\nst.global.u32 [%rd4], %r5;\n") == 3);
}

TEST_CASE("registers: an address that differs by a constant is no register") {
  CHECK(live_words("mov.u32 %r5, %tid.x;\nmul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd3, 1024;\n"
                   "st.global.u32 [%rd4], 1;\nst.global.u32 [%rd3], 1;\n") == 2);
}

TEST_CASE("registers: a counter that all threads share is free, a sum is not") {
  const std::string loop =
      "mov.u32 %r1, 0;\nmov.f32 %f1, 0f00000000;\nmov.u32 %r2, %tid.x;\nmul.wide.u32 %rd1, %r2, "
      "4;\n"
      "again:\nld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\nadd.u32 %r1, %r1, 1;\n"
      "setp.lt.u32 %p1, %r1, 10;\n@%p1 bra again;\nst.global.f32 [%rd1], %f1;\n";
  CHECK(live_words(loop) == 4);  // the address, the sum, what is loaded
}

// SPDX-License-Identifier: MIT
// What one launch has from those before it: its number, and the time.
#include "engine/launch.hpp"

#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {
namespace {

std::uint64_t word64(const Words& words, std::size_t i) {
  return words[2 * i] | std::uint64_t{words[2 * i + 1]} << 32;
}

TEST_CASE("%gridid counts the launches, as 64 bits and as 32") {
  Run run(R"(mov.u64 %rd2, %gridid; st.global.u64 [%out], %rd2;
             mov.u32 %r2, %gridid; st.global.u32 [%out+8], %r2;)");
  const Words first = run.words(4), second = run.words(4);
  CHECK(word64(first, 0) > 0);
  CHECK(word64(second, 0) == word64(first, 0) + 1);
  CHECK(second[2] == second[0]);
}

TEST_CASE("%globaltimer goes on over launches, %clock starts again") {
  Run run(R"(mov.u64 %rd2, %globaltimer; mov.u64 %rd3, %clock64; mov.u64 %rd4, %globaltimer;
             st.global.u64 [%out], %rd2; st.global.u64 [%out+8], %rd3; st.global.u64 [%out+16], %rd4;
             mov.u32 %r2, %globaltimer_lo; st.global.u32 [%out+24], %r2;)");
  const Words first = run.words(8), second = run.words(8);
  CHECK(word64(first, 0) < word64(first, 2));
  CHECK(word64(second, 0) > word64(first, 2));
  CHECK(word64(second, 1) == word64(first, 1));
  CHECK(second[6] > second[4]);
}

TEST_CASE("%globaltimer goes on after a kernel that failed") {
  Run fails("L: add.u32 %r2, %r2, 1; bra L;");
  fails.request.instruction_limit = 100'000;
  Run run("mov.u64 %rd2, %globaltimer; st.global.u64 [%out], %rd2;");
  const std::uint64_t before = word64(run.words(2), 0);
  fails.error(FaultKind::InstructionLimit);
  CHECK(word64(run.words(2), 0) > before + 90'000);
}

}  // namespace
}  // namespace emu::exec::testing

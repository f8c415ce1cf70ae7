// SPDX-License-Identifier: MIT
// Litmus tests of the weak memory mode: what must be seen for some seed, and what for none.
#include <functional>
#include <set>

#include "exec/run_ptx.test.hpp"

using namespace emu::exec;
using namespace emu::exec::testing;

namespace {

constexpr int kSeeds = 2000;

// What thread 0 of each block leaves in its word: {of block 0, of block 1, ...}.
using Outcomes = std::set<std::vector<std::uint32_t>>;

// x is the word at 0, y at 128, z at 256; results of block b go to 1024 + 4 b. One body per block.
std::string litmus(const std::vector<std::string>& bodies) {
  std::string text = "mov.u32 %r9, %ctaid.x; shl.b32 %r9, %r9, 2; cvt.u64.u32 %rd1, %r9; "
                     "add.u64 %rd2, %out, %rd1; mov.u32 %r10, 0; mov.u32 %r11, 0;\n";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string n = std::to_string(i);
    text += "setp.ne.u32 %p1, %r0, " + n + "; @%p1 bra NOT" + n + ";\n" + bodies[i] +
            "\nbra DONE;\nNOT" + n + ":\n";
  }
  // %r10 and %r11: what was read first and second.
  return text + "DONE: mad.lo.u32 %r12, %r10, 10, %r11; st.global.u32 [%rd2+1024], %r12;";
}

Outcomes run_seeds(Run& run, std::size_t blocks, int seeds = kSeeds) {
  Outcomes seen;
  for (int seed = 1; seed <= seeds; ++seed) {
    run.request.weak_memory = true;
    run.request.weak_seed = seed;
    const Words words = run.words(512);
    seen.insert(std::vector<std::uint32_t>(words.begin() + 256, words.begin() + 256 + blocks));
  }
  return seen;
}

Outcomes between_blocks(const std::vector<std::string>& bodies) {
  Run run(litmus(bodies));
  run.grid(static_cast<std::uint32_t>(bodies.size())).block(1);
  return run_seeds(run, bodies.size());
}

// Message passing: the writer stores x and then the flag y; the reader reads y and then x. 10: it saw
// the flag and not the message.
bool loses_message(const std::string& writer, const std::string& reader) {
  const Outcomes seen = between_blocks({writer, reader});
  CHECK(seen.count({0, 11}));  // the flag is seen by some seed, or nothing is shown
  return seen.count({0, 10}) != 0;
}

}  // namespace

TEST_CASE("weak memory: a message between blocks needs release and acquire") {
  const std::string x = "st.global.u32 [%out], 1;", read_x = "ld.global.u32 %r11, [%out];";
  CHECK(loses_message(x + "st.global.u32 [%out+128], 1;", "ld.global.u32 %r10, [%out+128];" + read_x));
  CHECK(loses_message(x + "st.relaxed.gpu.global.u32 [%out+128], 1;",
                      "ld.relaxed.gpu.global.u32 %r10, [%out+128];" + read_x));
  CHECK(loses_message(x + "st.volatile.global.u32 [%out+128], 1;",
                      "ld.volatile.global.u32 %r10, [%out+128];" + read_x));
  CHECK(loses_message(x + "fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%out+128], 1;",
                      "ld.relaxed.gpu.global.u32 %r10, [%out+128];" + read_x));
  CHECK(loses_message(x + "st.relaxed.gpu.global.u32 [%out+128], 1;",
                      "ld.relaxed.gpu.global.u32 %r10, [%out+128]; fence.acq_rel.gpu;" + read_x));
  CHECK_FALSE(loses_message(x + "st.release.gpu.global.u32 [%out+128], 1;",
                            "ld.acquire.gpu.global.u32 %r10, [%out+128];" + read_x));
  CHECK_FALSE(
      loses_message(x + "fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%out+128], 1;",
                    "ld.relaxed.gpu.global.u32 %r10, [%out+128]; fence.acq_rel.gpu;" + read_x));
}

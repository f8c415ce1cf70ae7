// SPDX-License-Identifier: MIT
// Litmus tests of the weak memory mode: small programs for a few threads, run under many seeds, and
// the set of all that they read.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/run_ptx.test.hpp"

namespace emu::exec::testing {

// Where the threads are that run the bodies: thread 0 of a block each, lane 0 of a warp each, or
// lanes of one warp.
enum class Apart { Blocks, Warps, Lanes };

// What each body leaves: ten times what it read into %r10 plus what it read into %r11.
using Result = std::vector<std::uint32_t>;
using Results = std::set<Result>;

inline constexpr int kSeeds = 2000;

// The words of a test, far from each other, all zero at the start: x = [%out], y = [%out+128],
// z = [%out+256]. Shared memory: s, 64 bytes.
inline std::string litmus_text(const std::vector<std::string>& bodies, Apart apart) {
  std::string text = ".shared .align 16 .b8 s[64];\nmov.u32 %r8, %ctaid.x;\n";
  if (apart == Apart::Warps) {
    text += "shr.u32 %r8, %t, 5; and.b32 %r9, %t, 31; setp.ne.u32 %p1, %r9, 0; @%p1 ret;\n";
  }
  if (apart == Apart::Lanes) text += "mov.u32 %r8, %t;\n";
  text += "mad.wide.u32 %rd2, %r8, 4, %out; mov.u32 %r10, 0; mov.u32 %r11, 0;\n";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string n = std::to_string(i);
    text += "setp.ne.u32 %p1, %r8, " + n + "; @%p1 bra NOT" + n + ";\n" + bodies[i] +
            "\nbra DONE;\nNOT" + n + ":\n";
  }
  return text + "DONE: mad.lo.u32 %r12, %r10, 10, %r11; st.global.u32 [%rd2+1024], %r12;";
}

inline void make_weak(LaunchRequest& request, int seed) {
  request.weak_memory = true;
  request.schedule = Schedule{};
  request.schedule->policy = seed % 4 ? Schedule::Policy::Random : Schedule::Policy::Pct;
  request.schedule->seed = static_cast<std::uint64_t>(seed);
}

inline Results litmus(const std::vector<std::string>& bodies, Apart apart = Apart::Blocks,
                      int seeds = kSeeds) {
  Run run(litmus_text(bodies, apart));
  const auto n = static_cast<std::uint32_t>(bodies.size());
  run.grid(apart == Apart::Blocks ? n : 1);
  run.block(apart == Apart::Blocks ? 1 : apart == Apart::Warps ? 32 * n : n);
  Results seen;
  for (int seed = 1; seed <= seeds; ++seed) {
    make_weak(run.request, seed);
    const Words words = run.words(512);
    seen.emplace(words.begin() + 256, words.begin() + 256 + n);
  }
  return seen;
}

// A loop until the word at an address has a value.
inline std::string spin(const std::string& load, const std::string& value,
                        const std::string& name) {
  return name + ": " + load + " setp.ne.u32 %p2, %r13, " + value + "; @%p2 bra " + name + ";\n";
}

}  // namespace emu::exec::testing

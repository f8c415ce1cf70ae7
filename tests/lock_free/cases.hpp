// SPDX-License-Identifier: MIT
// The one table of what the search runs: every structure of lessons 06, 11 and 12, those that are wrong on
// purpose, and each correct structure with one memory order weakened.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lock_free/plan.hpp"
#include "lock_free/trace.hpp"

namespace lock_free {

// How the kernel under test is run; on a GPU only `trace` and the rest are without meaning.
struct Setting {
  std::string schedule;  // WARPLADDER_SCHEDULE, as "random:7"
  bool weak = false;     // WARPLADDER_MEMORY=weak
  std::string trace;     // WARPLADDER_TRACE: "", "1" or a file
};

// Runs plans on one structure; keeps its memory from one run to the next.
class Runner {
 public:
  virtual ~Runner() = default;
  virtual History run(const Plan& plan, const Setting& setting) = 0;
};

enum class Expect {
  Right,   // no seed may fail
  Wrong,   // some seed must fail
  Unseen,  // weakened, and no run here can show it: `reason` says why
};

struct Case {
  std::string id;  // a weakened one: structure.order=what it was weakened to
  Shape shape;
  Expect expect = Expect::Right;
  bool weak_only = false;  // wrong in weak memory alone
  bool pool = false;       // see Rules::pool
  std::string reason;      // Wrong: what is wrong with it; Unseen: why it cannot be seen
  std::function<std::unique_ptr<Runner>()> make;
  std::string lesson = "06_lock_free";
  NameOf name_of = {};      // the words of its memory
  std::uint32_t width = 1;  // lanes that are one thread
};

std::vector<Case> all_cases();

}  // namespace lock_free

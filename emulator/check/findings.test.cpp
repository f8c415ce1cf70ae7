// SPDX-License-Identifier: MIT
// What was found is told once, for the widest reach that a launch has shown.
#include "check/findings.hpp"

#include "support/catch.hpp"

using namespace emu::check;

namespace {

Finding race(Reach reach, const std::string& cure) {
  Finding f;
  f.id = "race-shared";
  f.title = "race in shared memory,";
  f.kernel = "k()";
  f.cure = cure;
  f.reach = reach;
  f.parties = {{"thread 1", "writes 1", "a.cu:3", "a.cu", 3, {}},
               {"thread 0", "reads 1", "a.cu:3", "a.cu", 3, {}}};
  return f;
}

}  // namespace

TEST_CASE("a race of lanes is told as one of the block if it is that too") {
  std::vector<std::string> said;
  Findings findings([&](const std::string& text) { said.push_back(text); });
  const auto number = findings.add(race(Reach::Warp, "__syncwarp()"), Findings::Tell::Later);
  CHECK(said.empty());
  CHECK(findings.add(race(Reach::Block, "__syncthreads()")) == number);
  CHECK(findings.add(race(Reach::Warp, "__syncwarp()"), Findings::Tell::Later) == number);
  findings.say_waiting();
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("__syncthreads()") != std::string::npos);
  CHECK(findings.all()[number].count == 3);
  CHECK(findings.errors() == 1);

  findings.add(race(Reach::Warp, "__syncwarp()"), Findings::Tell::Later);  // in the next launch
  findings.say_waiting();
  CHECK(said.size() == 1);
}

TEST_CASE("what can have no wider reach is told at once") {
  std::vector<std::string> said;
  Findings findings([&](const std::string& text) { said.push_back(text); });
  findings.add(race(Reach::Block, "__syncthreads()"));
  CHECK(said.size() == 1);
  findings.say_waiting();
  CHECK(said.size() == 1);
}

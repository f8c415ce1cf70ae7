// SPDX-License-Identifier: MIT
// Sealed settings are those of the start, whatever a program does to its environment.
#include "cudart/environment/settings.hpp"

#include <cstdlib>

#include "support/catch.hpp"

namespace emu::cudart {
namespace {

Settings from(std::initializer_list<const char*> entries) {
  std::vector<char*> list;
  for (const char* entry : entries) list.push_back(const_cast<char*>(entry));
  list.push_back(nullptr);
  return Settings(list.data());
}

TEST_CASE("with a record, settings are those the program was started with") {
  const Settings sealed =
      from({"PATH=/bin", "WARPLADDER_RECORD=r", "WARPLADDER_MEMORY=weak", "WARPLADDER_TRACE="});
  setenv("WARPLADDER_MEMORY", "strong", 1);
  setenv("WARPLADDER_SCHEDULE", "random:7", 1);
  CHECK(sealed.sealed());
  CHECK(sealed.value("WARPLADDER_MEMORY") == "weak");
  CHECK_FALSE(sealed.value("WARPLADDER_SCHEDULE"));
  CHECK(sealed.value("WARPLADDER_TRACE") == "");
  unsetenv("WARPLADDER_MEMORY");
  unsetenv("WARPLADDER_SCHEDULE");
  CHECK(sealed.value("WARPLADDER_MEMORY") == "weak");
}

TEST_CASE("without one a program may change them between two launches") {
  const Settings open = from({"WARPLADDER_MEMORY=weak"});
  CHECK_FALSE(open.sealed());
  CHECK_FALSE(open.value("WARPLADDER_MEMORY"));
  setenv("WARPLADDER_MEMORY", "strong", 1);
  CHECK(open.value("WARPLADDER_MEMORY") == "strong");
  unsetenv("WARPLADDER_MEMORY");
}

TEST_CASE("an environment that is damaged or not there is none") {
  CHECK_FALSE(Settings(nullptr).sealed());
  CHECK_FALSE(from({"WARPLADDER_RECORD", "WARPLADDER_", "=", ""}).sealed());
}

}  // namespace
}  // namespace emu::cudart

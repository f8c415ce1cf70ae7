// SPDX-License-Identifier: MIT
// Fails for a row of the instruction table without a unit test, and for a type of a row that no
// test executes.
#include <map>
#include <string>

#include "tests/ptx_lanes.hpp"

namespace emu::tests {
namespace {

using ptx::Row;
using ptx::Type;

// Rows whose instructions are known and refused with a clear sentence. Their tests read it.
const std::map<Row, const char*> kRefused = {
    {Row::unknown, "stands for all that no row accepts"},
    {Row::stacksave, "alloca() in device code is not supported"},
    {Row::stackrestore, "alloca() in device code is not supported"},
    {Row::alloca_, "alloca() in device code is not supported"},
};
// Types that a row lists, so that the message can be about the address size, and then refuses.
const std::map<std::pair<Row, Type>, const char*> kRefusedTypes = {
    {{Row::cvta, Type::U32}, "the modules nvcc 13 makes have 64-bit addresses"},
};

// Those that did not run in this process yet: none, unless this file is run alone.
void run_all_row_tests() {
  for (const RowTest* test : RowTest::all())
    if (!test->ran()) test->run();
}

}  // namespace

TEST_CASE("every row of the instruction table has a unit test") {
  std::string missing;
  for (std::size_t i = 0; i < ptx::kRowCount; ++i) {
    bool found = false;
    for (const RowTest* test : RowTest::all()) found = found || test->row() == static_cast<Row>(i);
    if (!found) missing += " " + std::string(ptx::info(static_cast<Row>(i)).id);
  }
  CHECK(missing == "");
}

TEST_CASE("every row of the instruction table is executed in each of its types") {
  run_all_row_tests();
  std::string missing;
  for (std::size_t i = 0; i < ptx::kRowCount; ++i) {
    const auto row = static_cast<Row>(i);
    const auto& info = ptx::info(row);
    const bool refused_row = kRefused.contains(row);
    const auto covered = [&](Type type) {
      const bool refused = refused_row || kRefusedTypes.contains({row, type});
      return (refused ? seen().refused : seen().executed).contains({row, type});
    };
    if (!covered(Type::None)) missing += " " + std::string(info.id);
    for (int t = 1; ptx::name_of(static_cast<Type>(t)) != ""; ++t) {
      const auto type = static_cast<Type>(t);
      if (ptx::lists(info.types, ptx::name_of(type)) && !covered(type))
        missing += " " + std::string(info.id) + "." + std::string(ptx::name_of(type));
    }
  }
  CHECK(missing == "");
}

}  // namespace emu::tests

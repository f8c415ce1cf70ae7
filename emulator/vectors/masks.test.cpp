// SPDX-License-Identifier: MIT
#include "vectors/masks.hpp"

#include <iostream>

#include "support/catch.hpp"

using namespace emu;
using namespace emu::vectors;

TEST_CASE("masks: a lane gets the same, whichever other lanes are on with it") {
  const MaskReport report = compare_masks(4);
  std::string wrong, missing;
  for (const std::string& line : report.wrong) wrong += "\n  " + line;
  CHECK(wrong == "");
  // Nothing that has such a loop is left out.
  for (std::size_t i = 0; i < ptx::kRowCount; ++i) {
    const auto row = static_cast<ptx::Row>(i);
    if (is_lanewise(row) && !report.rows.contains(row))
      missing += " " + std::string(ptx::info(row).id);
  }
  CHECK(missing == "");
  std::cout << report.rows.size() << " rows, " << report.instructions << " instructions, "
            << report.compared << " times compared\n";
}

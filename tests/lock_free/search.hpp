// SPDX-License-Identifier: MIT
// The search: rows of the table, seeds, verdicts, and the report.
#pragma once

#include <cstdint>
#include <vector>

#include "lock_free/cases.hpp"

namespace lock_free {

struct Options {
  std::uint64_t seeds = 1000, first = 0;
  bool random = true, pct = true;   // policies; both: even seeds random, odd ones pct
  bool strong = true, weak = true;  // memory; both: each seed twice
  bool emulated = true;
  bool trace = false, quiet = false;
};

// Runs all rows and prints one line each; false if one is not as expected.
bool search(const std::vector<Case>& rows, const Options& options);

}  // namespace lock_free

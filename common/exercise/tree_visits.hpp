// SPDX-License-Identifier: MIT
// Exercises that run every node of a tree once: the trees, and whether they did.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/exercise/judge.hpp"

namespace course::exercise {

// A random tree in the order of its levels: the children of a node lie side by side.
inline Arrays random_tree(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<unsigned> first(n), kids(n);
  std::size_t made = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t left = n - made,
                      open = made - i;  // nodes that have no parent yet; nodes without children yet
    const auto wanted = static_cast<std::size_t>(random.between(0, 3));
    const std::size_t least =
        open == 1 && left > 0 ? 1 : 0;  // somebody must be the parent of the rest
    kids[i] = static_cast<unsigned>(std::min(left, std::max(wanted, least)));
    first[i] = static_cast<unsigned>(made);
    made += kids[i];
  }
  Arrays in;
  in.set("first", first);
  in.set("kids", kids);
  return in;
}

// Whether every node was visited once; else the verdict says how many were not.
inline bool each_once(const Arrays& out, Judgement& verdict) {
  if (!out.has<unsigned>("visits")) {
    verdict.fail("missing", "no result");
    return false;
  }
  const auto visits = out.get<unsigned>("visits");
  std::size_t lost = 0, twice = 0;
  for (const unsigned v : visits) lost += v == 0, twice += v > 1;
  if (lost + twice == 0) return true;
  verdict.fail("wrong_value", std::to_string(lost) + " of " + std::to_string(visits.size()) +
                                  " tasks were lost, " + std::to_string(twice) +
                                  " were run more than once");
  return false;
}

}  // namespace course::exercise

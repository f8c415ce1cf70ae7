// SPDX-License-Identifier: MIT
// Races of volatile stores. A flag is read and written with nothing to order that, and it is right so; data is not. Which
// of them a place is shows when somebody waits for it, perhaps later: so these races are told at the end of a launch.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_set>
#include <vector>

#include "check/findings.hpp"
#include "check/words.hpp"

namespace emu::check {

class Doubts {
 public:
  void wait(const Place& place) { waited_.insert(key(place)); }
  bool waited(const Place& place) const { return !waited_.empty() && waited_.contains(key(place)); }
  // A race of two sites at a place; `describe` is called if it is new, or of a wider reach than known.
  void add(std::uint64_t pair, const Place& place, Reach reach,
           const std::function<Finding()>& describe);
  // The launch has ended: those of which not all places are waited for.
  void tell(Findings& findings);

 private:
  struct Doubt {
    Finding finding;
    std::vector<std::uint64_t> places;  // not all of them, if they are many
  };
  static std::uint64_t key(const Place& place);

  std::unordered_set<std::uint64_t> waited_;
  std::map<std::uint64_t, Doubt> doubts_;
};

}  // namespace emu::check

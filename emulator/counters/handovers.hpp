// SPDX-License-Identifier: MIT
// How often a word of global memory was handed on from one thread to the next: a compare-and-swap or
// exchange that changed it, or a store with release. Whoever is next needs what the last one left, so
// these come one after the other, a way to the L2 cache and back each: no lock and no list with one
// head is faster than that, however many threads there are.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace emu::observe {

class Handovers {
 public:
  enum class How : std::uint8_t { Exchange, Release };
  struct Counts {
    std::uint64_t exchanges = 0, releases = 0;
    std::uint64_t all() const { return exchanges + releases; }
  };

  // `thread`: its number in the launch. A word that only one thread ever touches is handed on to
  // nobody.
  void add(std::uint64_t address, std::uint64_t thread, How how);
  void clear() { words_.clear(); }
  // Of the word that had most.
  Counts most() const;

 private:
  struct Word {
    std::uint64_t first_thread = 0;
    bool shared = false;
    Counts counts;
  };
  std::unordered_map<std::uint64_t, Word> words_;
};

}  // namespace emu::observe

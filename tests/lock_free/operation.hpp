// SPDX-License-Identifier: MIT
// One operation of a recorded history: who asked what of a structure, what came back, and when. The
// device writes these (history.cuh), the checker reads them (linearizable.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lock_free {

// None: no operation (a thread with fewer to do than another).
// Add: a table's insert_or_add.
enum class Kind : std::uint32_t { None, Push, Pop, Insert, Find, Erase, Increment, Add };

// What Insert or Add came to; the numbers are those of lesson06::Insert and lesson11::Outcome.
enum InsertResult : std::uint32_t { kInserted, kPresent, kFull, kRefused };

// A history has three parts that lie strictly one after another, with a kernel's end between them.
enum class Phase : std::uint32_t { Before, During, After };

struct Operation {
  std::uint32_t thread = 0;
  Kind kind = Kind::Push;
  Phase phase = Phase::During;
  std::uint32_t key = 0;     // of a map's operations
  std::uint32_t value = 0;   // what goes in
  std::uint32_t ok = 0;      // push, pop, find, erase: true or false; insert: an InsertResult
  std::uint32_t result = 0;  // what came out: pop, find; of a lock the counter as it was found
  std::uint32_t begin = 0;   // one clock for all threads: the call lies between begin and end
  std::uint32_t end = 0;
};

using History = std::vector<Operation>;

std::string text(const Operation& operation);

}  // namespace lock_free

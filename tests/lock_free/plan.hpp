// SPDX-License-Identifier: MIT
// A small scenario for a structure, drawn from a seed: how many threads and where, what each calls,
// what is inside before. Small on purpose: most bugs need two or three threads and a few calls, and
// then the schedule has to get only those right.
#pragma once

#include <cstdint>
#include <vector>

#include "lock_free/operation.hpp"
#include "lock_free/verdict.hpp"

namespace lock_free {

struct Plan {
  std::uint32_t blocks = 1, warps = 1, lanes = 1;  // threads: the product
  std::uint32_t capacity = 1;
  std::uint32_t version = 0;   // where the structure's version counter starts
  History before;              // calls of one thread before the others start
  std::vector<History> calls;  // of each thread
  History after;               // calls of one thread when all have ended

  std::uint32_t threads() const { return blocks * warps * lanes; }
  std::uint32_t longest() const;
  std::uint32_t size() const;  // calls of all threads
};

// The same seed makes the same plan on every machine.
Plan make_plan(Shape shape, std::uint64_t seed);

}  // namespace lock_free

// SPDX-License-Identifier: MIT
// What is wrong with a history, in words: first what can be seen from the elements alone (lost, twice,
// invented, out of order), then whether any order of the operations explains the answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lock_free/linearizable.hpp"
#include "lock_free/operation.hpp"

namespace lock_free {

// Table and Reusing are those of lesson 11: keys for good, and keys that can be erased. Tasks is lesson 12's scheduler:
// a push is a task that must be run, a pop one that was; its key is 1 if it did not find what its parent had written.
enum class Shape { Stack, Queue, Map, Lock, Message, Table, Reusing, Tasks };

struct Rules {
  Shape shape = Shape::Stack;
  std::uint32_t capacity = 1;
  Order order = Order::RealTime;
  bool pool =
      false;  // a push may be refused while others hold nodes (specifications.hpp, Full::Pool)
};

// Empty when nothing is wrong. Under Order::ProgramOrder each key of a map is judged alone: threads that
// change two words need not agree on which change came first, and no operation of a map has two keys.
std::string what_is_wrong(const History& history, const Rules& rules);

// The history as lines, in the order in which the operations began. `names`: of the threads.
std::string text(const History& history, const std::vector<std::string>& names = {});

}  // namespace lock_free

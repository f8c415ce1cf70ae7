// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/06_lock_free/stack.cuh"
#include "lock_free/weaken.cuh"

namespace lock_free::stacks {

using lesson06::StackOrders;
LOCK_FREE_WEAKENED(Publish, StackOrders, publish, kRelaxed);
LOCK_FREE_WEAKENED(Observe, StackOrders, observe, kRelaxed);
LOCK_FREE_WEAKENED(FreePublish, StackOrders, free_publish, kRelaxed);
LOCK_FREE_WEAKENED(FreeObserve, StackOrders, free_observe, kRelaxed);
LOCK_FREE_WEAKENED(Scope, StackOrders, scope, kBlock);

template <template <class> class S>
void add(std::vector<Case>& cases, const std::string& id) {
  const auto weak = [&]<class Orders>(const char* change, Orders*) {
    cases.push_back(weakened<ContainerSubject<S<Orders>>>(id + "." + change, Shape::Stack, true));
  };
  cases.push_back(right<ContainerSubject<S<StackOrders>>>(id, Shape::Stack, true));
  weak("publish=relaxed", static_cast<Publish*>(nullptr));
  weak("observe=relaxed", static_cast<Observe*>(nullptr));
  weak("free_publish=relaxed", static_cast<FreePublish*>(nullptr));
  weak("free_observe=relaxed", static_cast<FreeObserve*>(nullptr));
  weak("scope=block", static_cast<Scope*>(nullptr));
}

// The layout of lesson06::StackMemory.
inline std::string name_of(std::size_t offset) {
  constexpr std::size_t kLine = lesson06::StackMemory::kLine;
  if (offset == 0) return "head";
  if (offset == kLine) return "free list";
  if (offset < 2 * kLine) return "";
  const std::size_t inside = offset - 2 * kLine;
  return "node " + std::to_string(inside / sizeof(lesson06::Node)) +
         (inside % sizeof(lesson06::Node) == 0 ? " next" : " value");
}

inline void add_all(std::vector<Case>& cases) {
  Case naive = right<ContainerSubject<lesson06::NaiveStack>>("stack_naive", Shape::Stack, true);
  naive.expect = Expect::Wrong;
  naive.reason = "its head has no version (ABA)";
  cases.push_back(std::move(naive));
  add<lesson06::Stack>(cases, "stack_versioned");
  add<lesson06::WarpStack>(cases, "stack_warp");
  for (Case& row : cases) {
    if (row.shape == Shape::Stack) row.name_of = name_of;
  }
}

}  // namespace lock_free::stacks

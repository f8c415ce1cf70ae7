// SPDX-License-Identifier: MIT
// The checker is checked: right histories pass, each kind of wrong one does not, and on random small
// histories it agrees with trying every order.
#include "lock_free/linearizable.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "lock_free/map_specifications.hpp"
#include "lock_free/specifications.hpp"
#include "lock_free/verdict.hpp"
#include "support/catch.hpp"

using namespace lock_free;

namespace {

// Operations as a table: (thread, begin, end) and what was asked and answered.
struct At {
  std::uint32_t thread, begin, end;
};

Operation make(At at, Kind kind) {
  Operation operation;
  operation.thread = at.thread;
  operation.begin = at.begin;
  operation.end = at.end;
  operation.kind = kind;
  return operation;
}
Operation push(At at, std::uint32_t value, bool ok = true) {
  Operation operation = make(at, Kind::Push);
  operation.value = value;
  operation.ok = ok;
  return operation;
}
Operation pop(At at, std::uint32_t result) {
  Operation operation = make(at, Kind::Pop);
  operation.ok = 1;
  operation.result = result;
  return operation;
}
Operation empty(At at) { return make(at, Kind::Pop); }
Operation insert(At at, std::uint32_t key, std::uint32_t value, InsertResult result) {
  Operation operation = make(at, Kind::Insert);
  operation.key = key;
  operation.value = value;
  operation.ok = result;
  return operation;
}
Operation find(At at, std::uint32_t key, std::uint32_t result) {
  Operation operation = make(at, Kind::Find);
  operation.key = key;
  operation.ok = result != 0;
  operation.result = result;
  return operation;
}
Operation erase(At at, std::uint32_t key, bool ok) {
  Operation operation = make(at, Kind::Erase);
  operation.key = key;
  operation.ok = ok;
  return operation;
}
Operation increment(At at, std::uint32_t found, bool alone = true) {
  Operation operation = make(at, Kind::Increment);
  operation.result = found;
  operation.ok = alone;
  return operation;
}
Operation after(Operation operation) {
  operation.phase = Phase::After;
  return operation;
}

bool stack(const History& history, std::size_t capacity = 4) {
  return linearizable(history, BoundedStack(capacity));
}
bool queue(const History& history, std::size_t capacity = 4) {
  return linearizable(history, BoundedQueue(capacity));
}
bool map(const History& history, std::size_t capacity = 4) {
  return linearizable(history, BoundedMap(capacity));
}
bool lock(const History& history) { return linearizable(history, LockedCounter()); }

// Whether any of all orders explains the history: slow, and simple enough to be believed.
template <class S>
bool by_trying_all(const History& history, const S& initial, Order order) {
  std::vector<std::size_t> turn(history.size());
  std::iota(turn.begin(), turn.end(), 0u);
  do {
    bool right = true;
    S state = initial;
    for (std::size_t i = 0; i < turn.size() && right; ++i) {
      for (std::size_t k = i + 1; k < turn.size(); ++k) {
        right = right && !precedes(history[turn[k]], history[turn[i]], order);
      }
      std::size_t pending = 0;
      for (const Operation& other : history) {
        const Operation& mine = history[turn[i]];
        if (&other == &mine) continue;
        pending += !precedes(other, mine, order) && !precedes(mine, other, order);
      }
      right = right && state.apply(history[turn[i]], pending);
    }
    if (right) return true;
  } while (std::next_permutation(turn.begin(), turn.end()));
  return false;
}

// Random calls with random answers, few enough values that about half of the histories are right.
template <class Answer>
History random_history(std::mt19937& random, Answer answer) {
  const std::uint32_t count = 2 + random() % 5;
  History history;
  std::vector<std::uint32_t> clock(3, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t thread = random() % 3;
    const std::uint32_t begin = clock[thread] + 1 + random() % 4, end = begin + random() % 6;
    clock[thread] = end;
    history.push_back(answer(At{thread, begin, end}, random));
  }
  return history;
}

template <class S, class Answer>
void agree(const S& initial, Answer answer) {
  std::mt19937 random(1);
  std::size_t right = 0;
  constexpr std::size_t kCount = 3000;
  for (std::size_t i = 0; i < kCount; ++i) {
    const History history = random_history(random, answer);
    const Order order = i % 2 == 0 ? Order::RealTime : Order::ProgramOrder;
    const bool found = linearizable(history, initial, order);
    INFO(text(history));
    REQUIRE(found == by_trying_all(history, initial, order));
    right += found;
  }
  CHECK(right > kCount / 50);
  CHECK(right < kCount - kCount / 50);
}

Operation any_container_call(At at, std::mt19937& random) {
  if (random() % 2 == 0) return push(at, 1 + random() % 3, random() % 6 != 0);
  const std::uint32_t value = random() % 4;
  return value == 0 ? empty(at) : pop(at, value);
}

}  // namespace

TEST_CASE("a stack: one thread, right and wrong") {
  CHECK(stack({}));
  CHECK(stack({push({0, 1, 2}, 7), push({0, 3, 4}, 8), pop({0, 5, 6}, 8), pop({0, 7, 8}, 7),
               empty({0, 9, 10})}));
  CHECK_FALSE(stack({push({0, 1, 2}, 7), push({0, 3, 4}, 8), pop({0, 5, 6}, 7)}));  // order
  CHECK_FALSE(stack({push({0, 1, 2}, 7), empty({0, 3, 4})}));                       // lost
  CHECK_FALSE(stack({push({0, 1, 2}, 7), pop({0, 3, 4}, 7), pop({1, 5, 6}, 7)}));   // twice
  CHECK_FALSE(stack({push({0, 1, 2}, 7), pop({0, 3, 4}, 9)}));                      // invented
  CHECK_FALSE(stack({push({0, 1, 2}, 7, false)}));                                  // not full
  CHECK(stack({push({0, 1, 2}, 7), push({0, 3, 4}, 8, false)}, 1));
  CHECK_FALSE(stack({push({0, 1, 2}, 7), push({0, 3, 4}, 8)}, 1));  // more than it holds
}

TEST_CASE("a queue: one thread, right and wrong") {
  CHECK(queue({push({0, 1, 2}, 7), push({0, 3, 4}, 8), pop({0, 5, 6}, 7), pop({0, 7, 8}, 8),
               empty({0, 9, 10})}));
  CHECK_FALSE(queue({push({0, 1, 2}, 7), push({0, 3, 4}, 8), pop({0, 5, 6}, 8)}));
  CHECK_FALSE(queue({push({0, 1, 2}, 7), empty({0, 3, 4})}));
  CHECK_FALSE(queue({push({0, 1, 2}, 7), pop({0, 3, 4}, 7), pop({1, 5, 6}, 7)}));
  CHECK_FALSE(queue({push({0, 1, 2}, 7), pop({0, 3, 4}, 9)}));
  CHECK_FALSE(queue({push({0, 1, 2}, 7, false)}));
  CHECK(queue({push({0, 1, 2}, 7), push({0, 3, 4}, 8, false)}, 1));
  CHECK_FALSE(queue({push({0, 1, 2}, 7), push({0, 3, 4}, 8)}, 1));
}

TEST_CASE("overlapping calls may take effect in either order, others may not") {
  // The pushes overlap: the pops may see either order.
  const Operation a = push({0, 1, 5}, 7), b = push({1, 2, 6}, 8);
  CHECK(queue({a, b, pop({2, 7, 8}, 7), pop({2, 9, 10}, 8)}));
  CHECK(queue({a, b, pop({2, 7, 8}, 8), pop({2, 9, 10}, 7)}));
  CHECK(stack({a, b, pop({2, 7, 8}, 7), pop({2, 9, 10}, 8)}));
  // The second push begins after the first has returned.
  const Operation late = push({1, 6, 9}, 8);
  CHECK(queue({a, late, pop({2, 10, 11}, 7)}));
  CHECK_FALSE(queue({a, late, pop({2, 10, 11}, 8)}));
  CHECK(linearizable({a, late, pop({2, 10, 11}, 8)}, BoundedQueue(4), Order::ProgramOrder));
  // A pop that overlaps the push may find it or not; one that begins later must.
  CHECK(stack({a, empty({1, 2, 3})}));
  CHECK(stack({a, pop({1, 2, 3}, 7)}));
  CHECK_FALSE(stack({a, empty({1, 6, 7})}));
  CHECK(linearizable({a, empty({1, 6, 7})}, BoundedStack(4), Order::ProgramOrder));
  CHECK_FALSE(linearizable({a, after(empty({1, 6, 7}))}, BoundedStack(4), Order::ProgramOrder));
  // Nothing comes out before its push was called.
  CHECK_FALSE(stack({pop({1, 1, 2}, 7), push({0, 3, 4}, 7)}));
}

TEST_CASE("the nodes that others hold count where a pool says so, and only there") {
  // Thread 1 has the element but not yet given its node back when thread 0's push is refused.
  const History history = {push({0, 1, 2}, 7), pop({1, 3, 9}, 7), empty({2, 4, 5}),
                           push({0, 6, 7}, 8, false)};
  CHECK_FALSE(linearizable(history, BoundedStack(1, Full::Exact)));
  CHECK(linearizable(history, BoundedStack(1, Full::Pool)));
  CHECK_FALSE(linearizable(history, BoundedStack(3, Full::Pool)));
}

TEST_CASE("a map: right and wrong") {
  CHECK(map({insert({0, 1, 2}, 5, 50, kInserted), find({0, 3, 4}, 5, 50),
             insert({1, 5, 6}, 5, 51, kPresent), find({0, 7, 8}, 5, 50), erase({0, 9, 10}, 5, true),
             find({0, 11, 12}, 5, 0), erase({0, 13, 14}, 5, false),
             insert({0, 15, 16}, 5, 52, kInserted), find({1, 17, 18}, 5, 52)}));
  CHECK_FALSE(map({insert({0, 1, 2}, 5, 50, kInserted), find({0, 3, 4}, 5, 0)}));   // lost
  CHECK_FALSE(map({insert({0, 1, 2}, 5, 50, kInserted), find({0, 3, 4}, 5, 51)}));  // invented
  CHECK_FALSE(map({find({0, 3, 4}, 5, 50)}));
  CHECK_FALSE(map({insert({0, 1, 2}, 5, 50, kInserted), insert({1, 3, 4}, 5, 51, kInserted)}));
  CHECK_FALSE(map({insert({0, 1, 2}, 5, 50, kPresent)}));
  CHECK_FALSE(map({erase({0, 1, 2}, 5, true)}));
  CHECK_FALSE(map({insert({0, 1, 2}, 5, 50, kInserted), erase({0, 3, 4}, 5, true),
                   erase({1, 5, 6}, 5, true)}));  // erased twice
  CHECK_FALSE(map({insert({0, 1, 2}, 5, 50, kFull)}));
  const History full = {insert({0, 1, 2}, 5, 50, kInserted), insert({0, 3, 4}, 6, 60, kFull)};
  CHECK(map(full, 1));
  CHECK_FALSE(map(full, 2));
  // A slot stays its key's: erased, it takes that key again and no other.
  CHECK(map({insert({0, 1, 2}, 5, 50, kInserted), erase({0, 3, 4}, 5, true),
             insert({0, 5, 6}, 6, 60, kFull), insert({0, 7, 8}, 5, 51, kInserted)},
            1));
  // Overlapping inserts of one key: exactly one of them wins.
  CHECK(map({insert({0, 1, 5}, 5, 50, kPresent), insert({1, 2, 6}, 5, 51, kInserted)}));
  CHECK_FALSE(map({insert({0, 1, 5}, 5, 50, kPresent), insert({1, 2, 6}, 5, 51, kPresent)}));
  CHECK_FALSE(map({insert({0, 1, 5}, 5, 50, kInserted), insert({1, 2, 6}, 5, 51, kInserted)}));
  CHECK(linearizable({insert({0, 1, 2}, 9, 1, kRefused)}, BoundedMap(4, {9})));
  CHECK_FALSE(linearizable({insert({0, 1, 2}, 9, 1, kInserted)}, BoundedMap(4, {9})));
  CHECK_FALSE(map({insert({0, 1, 2}, 9, 1, kRefused)}));
}

TEST_CASE("a lock: right and wrong") {
  CHECK(lock({increment({0, 1, 2}, 0), increment({1, 3, 4}, 1)}));
  CHECK(lock({increment({0, 1, 4}, 1), increment({1, 2, 3}, 0)}));
  CHECK_FALSE(lock({increment({0, 1, 2}, 1), increment({1, 3, 4}, 0)}));
  CHECK_FALSE(lock({increment({0, 1, 4}, 0), increment({1, 2, 3}, 0)}));  // an update is lost
  CHECK_FALSE(lock({increment({0, 1, 2}, 0), increment({1, 3, 4}, 2)}));
  CHECK_FALSE(lock({increment({0, 1, 4}, 0, false), increment({1, 2, 3}, 1)}));
}

TEST_CASE("the verdict names what happened to an element") {
  const Rules rules{Shape::Queue, 4, Order::RealTime, false};
  const auto says = [&](const History& history, const char* word) {
    const std::string reason = what_is_wrong(history, rules);
    INFO(reason);
    return reason.rfind(word, 0) == 0;
  };
  const Operation a = push({0, 1, 2}, 7), b = push({0, 3, 4}, 8);
  CHECK(what_is_wrong({a, b, pop({1, 5, 6}, 7), after(pop({9, 0, 0}, 8)), after(empty({9, 1, 1}))},
                      rules) == "");
  CHECK(says({a, b, pop({1, 5, 6}, 7)}, "lost: 8"));
  CHECK(says({a, pop({1, 5, 6}, 7), pop({2, 5, 6}, 7)}, "twice: 7"));
  CHECK(says({a, pop({1, 5, 6}, 9)}, "invented: 9"));
  CHECK(says({a, b, pop({1, 5, 6}, 8), pop({1, 7, 8}, 7)}, "out of order: 8"));
  CHECK(says({a, empty({1, 5, 6}), pop({1, 7, 8}, 7)}, "no order"));
  CHECK(what_is_wrong({a, empty({1, 5, 6}), pop({1, 7, 8}, 7)},
                      {Shape::Queue, 4, Order::ProgramOrder, false}) == "");
}

TEST_CASE("full and empty must agree, unless a pool says when it is full") {
  // Thread 0 pushes and finds the queue full, thread 1 pops and finds it empty.
  Operation inside = push({9, 0, 0}, 1);
  inside.phase = Phase::Before;
  History both = {
      inside,           push({0, 1, 2}, 2),       push({0, 3, 4}, 3, false), pop({1, 1, 2}, 1),
      empty({1, 3, 4}), after(pop({9, 0, 0}, 2)), after(empty({9, 1, 1}))};
  CHECK(what_is_wrong(both, {Shape::Queue, 2, Order::RealTime, false}) != "");
  CHECK(what_is_wrong(both, {Shape::Queue, 2, Order::ProgramOrder, false}) != "");
  CHECK(what_is_wrong(both, {Shape::Queue, 2, Order::ProgramOrder, true}) == "");
  // Either answer alone is fine.
  History full = both, none = both;
  full.erase(full.begin() + 4);
  none.erase(none.begin() + 2);
  CHECK(what_is_wrong(full, {Shape::Queue, 2, Order::ProgramOrder, false}) == "");
  CHECK(what_is_wrong(none, {Shape::Queue, 2, Order::ProgramOrder, false}) == "");
  // Not full when no other thread has done anything, pool or not.
  const History alone = {push({0, 1, 2}, 2), push({0, 3, 4}, 3, false), after(pop({9, 0, 0}, 2))};
  CHECK(what_is_wrong(alone, {Shape::Queue, 2, Order::ProgramOrder, true}) != "");
}

TEST_CASE("in weak memory a map is judged key by key") {
  // Neither thread sees the other's insert: no single order explains it, and weak memory allows it.
  const History both = {insert({0, 1, 2}, 1, 10, kInserted), find({0, 3, 4}, 2, 0),
                        insert({1, 1, 2}, 2, 20, kInserted), find({1, 3, 4}, 1, 0)};
  CHECK(what_is_wrong(both, {Shape::Map, 4, Order::RealTime, false}) != "");
  CHECK(what_is_wrong(both, {Shape::Map, 4, Order::ProgramOrder, false}) == "");
  // What a thread has put in it must find.
  const History own = {insert({0, 1, 2}, 1, 10, kInserted), find({0, 3, 4}, 1, 0)};
  CHECK(what_is_wrong(own, {Shape::Map, 4, Order::ProgramOrder, false}) != "");
}

TEST_CASE("a flag that was seen without its message is reported") {
  Operation seen = pop({1, 3, 4}, 5);
  seen.value = 5;
  CHECK(what_is_wrong({seen}, {Shape::Message}) == "");
  seen.result = 0;
  CHECK(what_is_wrong({seen}, {Shape::Message}) != "");
}

TEST_CASE("on random histories the search agrees with trying every order") {
  agree(BoundedStack(2), any_container_call);
  agree(BoundedStack(2, Full::Pool), any_container_call);
  agree(BoundedQueue(2), any_container_call);
  agree(BoundedMap(1), [](At at, std::mt19937& random) {
    const std::uint32_t key = 1 + random() % 2;
    switch (random() % 3) {
      case 0:
        return insert(at, key, 1 + random() % 2, static_cast<InsertResult>(random() % 3));
      case 1:
        return find(at, key, random() % 3);
      default:
        return erase(at, key, random() % 2 == 0);
    }
  });
  agree(LockedCounter(), [](At at, std::mt19937& random) { return increment(at, random() % 4); });
}

TEST_CASE("a history that is too long is refused") { CHECK_THROWS(stack(History(65))); }

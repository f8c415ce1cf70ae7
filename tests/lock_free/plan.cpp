// SPDX-License-Identifier: MIT
#include "lock_free/plan.hpp"

#include <algorithm>
#include <random>

namespace lock_free {

namespace {

struct Layout {
  std::uint32_t blocks, warps, lanes;
};

// Two to six threads: in two blocks, in two warps of one block, in one warp, and mixed.
constexpr Layout kLayouts[] = {{2, 1, 1}, {2, 1, 2}, {1, 1, 3}, {1, 2, 1}, {3, 1, 1},
                               {2, 2, 1}, {1, 1, 2}, {2, 1, 3}, {1, 2, 2}, {4, 1, 1}};

class Maker {
 public:
  Maker(Shape shape, std::uint64_t seed)
      : shape_(shape), random_(static_cast<std::uint32_t>(seed ^ seed >> 32)) {
    random_.discard(8);  // neighbouring seeds begin alike
  }

  Plan make() {
    const Layout& layout = kLayouts[below(std::size(kLayouts))];
    plan_.blocks = layout.blocks;
    plan_.warps = layout.warps;
    plan_.lanes = layout.lanes;
    plan_.capacity = 1 + below(5);
    // Half of the plans make the version counter run over its end.
    if (shape_ == Shape::Message) plan_.capacity = 4;  // messages
    plan_.version = below(2) == 0 ? 0 : 0u - (1 + below(4));
    plan_.calls.resize(plan_.threads());
    if (shape_ == Shape::Table) keys_ = below(2) == 0 ? 1 : 3;
    if (shape_ == Shape::Reusing && below(2) == 0) keys_ = below(4) == 0 ? 1 : 2;
    fill();
    // At most 12 calls: one thread's turn after another.
    const std::uint32_t calls = std::max(1u, std::min(1 + below(4), 12 / plan_.threads()));
    pushes_in_8_ = 2 + below(5);
    for (std::uint32_t k = 0; k < calls; ++k) {
      for (std::uint32_t i = 0; i < plan_.threads(); ++i) {
        if (k > 0 && below(4) == 0) continue;
        Operation operation = shape_ == Shape::Message ? message(i, k) : call();
        operation.thread = i;
        plan_.calls[i].push_back(operation);
      }
    }
    drain();
    return plan_;
  }

 private:
  std::uint32_t below(std::uint32_t n) { return random_() % n; }

  Operation container(bool push) {
    Operation operation;
    operation.kind = push ? Kind::Push : Kind::Pop;
    if (push) operation.value = ++last_value_;
    return operation;
  }

  // Three keys, so that threads meet; values that differ.
  Operation map() {
    static constexpr Kind kKinds[] = {Kind::Insert, Kind::Insert, Kind::Find, Kind::Erase};
    Operation operation;
    operation.kind = kKinds[below(std::size(kKinds))];
    operation.key = 1 + below(3);
    if (operation.kind == Kind::Insert) operation.value = ++last_value_;
    return operation;
  }

  // The same of a table of lesson 11. Half of the plans for one that gives slots back have two keys that
  // come and go: one leaves its slot to the other while a third thread still sees it there.
  Operation table() {
    static constexpr Kind kKinds[] = {Kind::Insert, Kind::Erase, Kind::Insert,
                                      Kind::Add,    Kind::Find,  Kind::Erase};
    static constexpr Kind kKept[] = {Kind::Insert, Kind::Insert, Kind::Add, Kind::Find};
    Operation operation;
    operation.kind = shape_ == Shape::Table ? kKept[below(4)] : kKinds[below(keys_ == 2 ? 2 : 6)];
    operation.key = 1 + below(keys_);
    if (operation.kind == Kind::Insert || operation.kind == Kind::Add)
      operation.value = 1u << last_value_++ % 16;
    return operation;
  }
  bool is_table() const { return shape_ == Shape::Table || shape_ == Shape::Reusing; }
  Operation filling() {
    return shape_ == Shape::Map ? map() : is_table() ? table() : container(true);
  }

  // Thread 0 sends, one number after another; the others look.
  Operation message(std::uint32_t thread, std::uint32_t k) {
    Operation operation;
    operation.kind = thread == 0 ? Kind::Push : Kind::Pop;
    operation.key = thread == 0 ? k : below(4);
    operation.value = operation.key + 1;
    return operation;
  }

  Operation call() {
    switch (shape_) {
      case Shape::Map:
        return map();
      case Shape::Table:
      case Shape::Reusing:
        return table();
      case Shape::Lock: {
        Operation operation;
        operation.kind = Kind::Increment;
        return operation;
      }
      default:
        return container(below(8) < pushes_in_8_);
    }
  }

  void add(History& history, Operation operation, Phase phase) {
    operation.phase = phase;
    operation.thread = ~0u;
    history.push_back(operation);
  }

  void fill() {
    if (shape_ == Shape::Lock || shape_ == Shape::Message) return;
    for (std::uint32_t i = below(plan_.capacity + 1); i > 0; --i) {
      add(plan_.before, filling(), Phase::Before);
    }
  }

  // All that is inside comes out, and then nothing.
  void drain() {
    if (shape_ == Shape::Stack || shape_ == Shape::Queue) {
      for (std::uint32_t i = 0; i <= plan_.capacity; ++i) {
        add(plan_.after, container(false), Phase::After);
      }
    }
    for (std::uint32_t key = 1; (shape_ == Shape::Map || is_table()) && key <= 3; ++key) {
      Operation operation;
      operation.kind = Kind::Find;
      operation.key = key;
      add(plan_.after, operation, Phase::After);
    }
    if (shape_ == Shape::Lock) add(plan_.after, call(), Phase::After);
  }

  Shape shape_;
  std::mt19937 random_;
  std::uint32_t last_value_ = 0, pushes_in_8_ = 4, keys_ = 3;
  Plan plan_;
};

}  // namespace

std::uint32_t Plan::longest() const {
  std::size_t longest = 0;
  for (const History& history : calls) longest = std::max(longest, history.size());
  return static_cast<std::uint32_t>(longest);
}

std::uint32_t Plan::size() const {
  std::size_t size = 0;
  for (const History& history : calls) size += history.size();
  return static_cast<std::uint32_t>(size);
}

Plan make_plan(Shape shape, std::uint64_t seed) { return Maker(shape, seed).make(); }

}  // namespace lock_free

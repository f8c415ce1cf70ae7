// SPDX-License-Identifier: MIT
// What a thread knows of memory in the weak mode, and what it passes on.
//
// A view says, for every word written in this launch, which of its stores is the oldest that may
// still be read. Views are copied at every release and barrier and differ little from each other: a
// copy shares its numbers, in parts, until one of the two is written to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace emu::exec {

// Position of a store in the modification order of its place.
using Time = std::uint32_t;

// A value that copies of the pointer share until one of them writes to it. For one host thread.
template <class T>
class Shared {
 public:
  Shared() = default;
  Shared(const Shared& other) : box_(other.box_) {
    if (box_) ++box_->users;
  }
  Shared(Shared&& other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(box_, other.box_);
    return *this;
  }
  ~Shared() {
    if (box_ && --box_->users == 0) delete box_;
  }
  explicit operator bool() const { return box_ != nullptr; }
  bool operator==(const Shared& other) const = default;
  const T& operator*() const { return box_->value; }
  const T* operator->() const { return &box_->value; }
  T& own() {
    if (!box_) {
      box_ = new Box{};
    } else if (box_->users > 1) {
      *this = Shared(new Box{box_->value});
    }
    return box_->value;
  }

 private:
  struct Box {
    T value{};
    std::size_t users = 1;
  };
  explicit Shared(Box* box) : box_(box) {}
  Box* box_ = nullptr;
};

class View {
 public:
  bool same(const View& other) const { return table_ == other.table_; }  // without looking
  bool empty() const { return !table_; }
  Time at(std::size_t slot) const;
  void raise(std::size_t slot, Time time);
  void join(const View& other);

 private:
  // Numbers in parts, parts in chapters: of what is long past a view often holds nothing, and that shall take no room.
  static constexpr std::size_t kPart = 32, kChapter = 32;
  using Part = std::array<Time, kPart>;
  using Chapter = std::array<Shared<Part>, kChapter>;
  using Table = std::vector<Shared<Chapter>>;
  struct Order {  // whether the first of two is ahead, or behind, anywhere
    bool ahead = false, behind = false;
  };
  static Order compare(const Chapter& a, const Chapter& b);
  static void join(Chapter& to, const Chapter& from);
  Shared<Table> table_;
};

// Threads for which a scope is the same: those of a block, of a cluster, of a GPU, or all.
using Domain = std::uint64_t;
inline constexpr Domain kEverywhere = ~Domain{0};

// What a store carries to those who synchronise with it, through a chain of atomics too. A release at
// a narrow scope reaches the releaser's own block, cluster or GPU only.
struct Message {
  View wide;                                  // released to all there are
  std::vector<std::pair<Domain, View>> near;  // released in a domain at its scope or a wider one

  void add(Domain domain, const View& view);
  const View* of(Domain domain) const;  // null: nothing
  void join(const Message& other);
};

}  // namespace emu::exec

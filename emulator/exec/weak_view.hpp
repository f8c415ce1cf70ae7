// SPDX-License-Identifier: MIT
// What a thread knows of memory in the weak mode, and what it passes on.
//
// A view says, for every word written in this launch, which of its stores is the oldest that may
// still be read. Views are copied at every release and barrier and seldom change between, so a copy
// shares its numbers until one of the two is written to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace emu::exec {

// Position of a store in the modification order of its place.
using Time = std::uint32_t;

class View {
 public:
  Time at(std::size_t slot) const { return times_ && slot < times_->size() ? (*times_)[slot] : 0; }
  bool empty() const { return !times_; }
  void raise(std::size_t slot, Time time);
  void join(const View& other);

 private:
  std::vector<Time>& own();
  std::shared_ptr<std::vector<Time>> times_;
};

// What a store carries to those who synchronise with it, through a chain of atomics too. Releases at
// the scope of the block reach the releaser's block only.
struct Message {
  View wide;                                         // released at the scope of the GPU or wider
  std::vector<std::pair<std::uint64_t, View>> near;  // block: released by its threads at any scope

  void add_near(std::uint64_t block, const View& view);
  const View* near_of(std::uint64_t block) const;
  void join(const Message& other);
};

}  // namespace emu::exec

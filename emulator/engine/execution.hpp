// SPDX-License-Identifier: MIT
// A launch under way. Launches of several devices run at the same time by taking turns.
#pragma once

#include <memory>
#include <optional>

#include "engine/engine.hpp"
#include "explore/weak_memory.hpp"

namespace emu::exec {

class Execution {
 public:
  // `shared`: the weak memory of all launches that are under way together, which must outlive them; without it the
  // launch has its own, if it asks for one. Throws KernelError where the kernel cannot begin.
  explicit Execution(LaunchRequest request, WeakMemory* shared = nullptr);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // Goes on for at most so many turns; true: the grid has finished. Throws KernelError.
  bool turn(std::uint64_t turns);
  // The last turn has proved that it will never go on unless somebody else changes memory.
  bool stuck() const { return stuck_; }
  // Turns in a row that changed nothing, here or elsewhere.
  std::uint64_t idle() const { return woken_ ? 0 : engine_->idle_passes(); }
  // Nobody will change anything: throws the KernelError that says who waits where.
  [[noreturn]] void give_up();
  // Somebody else has changed memory: threads that wait have reason to look again.
  void others_changed() {
    ++grid_.memory_changes;
    woken_ = true;
    stuck_ = false;
  }
  const Grid& grid() const { return grid_; }

 private:
  class CooperativeWorkspace;
  void tell_failure(KernelError& error);

  LaunchRequest request_;
  const KernelImage& image_;
  std::string schedule_;
  Grid grid_;
  std::optional<WeakMemory> own_weak_;
  std::unique_ptr<CooperativeWorkspace> workspace_;
  std::unique_ptr<Engine> engine_;
  bool over_ = false, stuck_ = false, woken_ = false;
  bool failed_ = false;  // and those who watch were told
};

}  // namespace emu::exec

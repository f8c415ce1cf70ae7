// SPDX-License-Identifier: MIT
// Schedules from a seed: every lane is a thread of its own, and at every operation that other
// threads can see a seeded choice says who goes next.
//
// Between two such operations a thread touches only what is its own, so that it does not matter when
// it does so: it runs on at once, together with lanes that stand where it stands. Only the order of
// the operations is chosen. The generator is our own, so that a seed means the same everywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/schedule.hpp"
#include "machine/grid.hpp"
#include "semantics/splitmix.hpp"

namespace emu::exec {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return splitmix64(state_); }
  std::uint64_t below(std::uint64_t n);  // 0 to n - 1

 private:
  std::uint64_t state_;
};

// Who waits to go on, and who is next.
class Interleaver {
 public:
  // `sink` gets the turns that were taken, when all is over.
  using Sink = std::function<void(const Turns&)>;
  Interleaver(const Schedule& schedule, const Grid& grid, Sink sink = {});
  ~Interleaver();
  Interleaver(const Interleaver&) = delete;
  Interleaver& operator=(const Interleaver&) = delete;

  void start(Warp& warp);  // for a new block
  // Lanes have come to an operation; `mask`: to one that reads which lanes run together.
  void wait(const Warp& warp, LaneMask lanes, bool mask);
  // The next thread, which stops waiting. nullptr: nobody waits.
  std::pair<Warp*, int> choose();
  // Of the lanes that stand with the chosen one at a read of the active mask, those that go with it.
  LaneMask companions(const Warp& warp, LaneMask there, int lane);

  // The chosen lane acts at this place in its function on this address.
  void act(const Warp& warp, int lane, std::uint64_t pc, std::uint64_t address);
  void spin(const Warp& warp, LaneMask lanes);   // they close a loop that waits for others
  void sleep(const Warp& warp, LaneMask lanes);  // nanosleep
  bool livelocked() const;                       // all spin and nothing changes

 private:
  static constexpr std::uint32_t kNowhere = ~0u;
  struct Thread {
    std::uint64_t priority = 0;               // Pct: the highest goes first
    std::uint64_t seen = ~0ull;               // changes() when it last closed a loop
    std::uint64_t trail = 0, last_trail = 0;  // where it acted in this round, in the one before
    std::uint32_t passes = 0;                 // equal rounds of such a loop since anything changed
    std::uint32_t place = kNowhere;           // Random: in waiting_; Pct: 0 while it waits
    bool queued = false;                      // Pct: it is in heap_ with this priority
  };
  struct Entry {
    std::uint64_t priority;
    std::uint32_t thread;
    bool operator<(const Entry& o) const {
      return priority != o.priority ? priority < o.priority : thread > o.thread;
    }
  };

  std::uint64_t changes() const { return grid_.memory_changes + grid_.clock_reads; }
  void stop_waiting(std::uint32_t thread);
  void give_way(std::uint32_t thread);
  std::uint32_t choose_random();
  std::uint32_t choose_highest();
  std::uint32_t pop_highest();
  std::uint32_t choose_by_turns();
  std::uint32_t next_in_order() const;
  std::uint64_t number_of(std::uint32_t thread) const;  // blocks in their order, threads in theirs
  void note_turn(std::uint32_t thread);

  const Schedule schedule_;
  const Grid& grid_;
  Dice dice_;
  std::vector<Warp*> warps_;     // by seat
  std::vector<Thread> threads_;  // 32 per seat
  std::uint32_t waiting_count_ = 0;
  std::uint32_t last_ = kNowhere;  // who went last; kNowhere: it shall not simply go on

  Sink sink_;
  Turns taken_;

  // Replay
  std::unordered_map<std::uint64_t, std::uint32_t> by_number_;  // threads that have begun
  std::size_t turn_ = 0;
  std::uint64_t steps_of_turn_ = 0;
  std::uint64_t went_last_ = ~0ull;  // its number; the first comes after the last of all

  // Random and Replay
  std::vector<std::uint32_t> waiting_;
  std::uint32_t stay_ = 0;  // in 64 of 64: how likely a thread goes on

  // Pct
  std::vector<Entry> heap_;
  std::vector<std::uint64_t> change_at_;  // steps, the next one last
  std::uint64_t steps_ = 0, run_ = 0;     // run_: of the same thread without a break
  std::uint64_t lowest_ = 0;              // priority that was given to who gave way last

  std::uint64_t quiet_since_ = ~0ull;  // changes() for which saturated_ counts
  std::uint32_t saturated_ = 0;        // threads with so many passes that they seem stuck
};

}  // namespace emu::exec

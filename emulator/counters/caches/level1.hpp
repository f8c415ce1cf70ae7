// SPDX-License-Identifier: MIT
// What loads find in the first-level cache. The blocks of a few multiprocessors are watched: every request that their warps make
// is written down, and when the launch has ended each such multiprocessor is played again, with as many blocks at a time as it
// holds, whose warps make a few requests each in turn, since no GPU keeps them in step. So blocks that run side by side compete
// for the cache, although the emulator runs them one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "counters/access_rules.hpp"
#include "counters/caches/block_order.hpp"
#include "counters/caches/level1_local.hpp"
#include "machine/grid.hpp"

namespace emu::observe {

class Level1 {
 public:
  // What a request does to the cache. Acquire: what others wrote must be seen from here on, so all of it goes. Placed: a store
  // to where an atomic said; who has what lies beside it is anywhere, so only the warp itself finds it, until its next atomic.
  enum class How : std::uint8_t { Load, Past, NoAllocate, Store, Placed, Atomic, Acquire };
  static How how(const ptx::Instruction& ins, AccessKind kind);

  struct Found {                            // of the requests of one instruction that were watched
    std::uint64_t requests = 0, whole = 0;  // whole: all of its sectors were there
    std::uint64_t sectors = 0, hits = 0;
    std::uint64_t late = 0;      // of `whole`: another warp had just asked for some
    std::uint64_t again = 0;     // sectors of a store that others of the warp had just stored to
    std::uint64_t guarded = 0;   // of those: the one before has another predicate
    std::uint64_t in_place = 0;  // sectors of a store that had been read
    std::uint64_t beside = 0;    // sectors that another warp of the block has just stored to
  };

  // The first block counts: it is watched in any case.
  void begin(const exec::Grid& grid, bool first_counts = false);
  // The instructions of a function get their numbers, one behind the other.
  void number(const exec::Code& code);
  bool watches(const exec::Block& block);
  // Where the local memory of a warp begins that has so many words of it.
  Level1Local::Place local_place(const exec::Warp& warp, std::uint64_t words);
  // `instruction`: a number for it, the same one each time. `access`: which words of the sectors; none: all of them.
  void add(std::uint32_t warp, std::uint32_t instruction, How how, const Sectors& sectors,
           const MemoryAccess* access = nullptr);
  void fence(std::uint32_t warp, std::uint32_t instruction);
  // Plays the multiprocessors; an entry per instruction.
  std::vector<Found> play(std::size_t instructions);
  // Of L2, that a multiprocessor had to do with when it was played last.
  double slices() const { return slices_; }
  std::uint64_t bytes() const { return bytes_; }
  void forget_local() { local_.forget(); }

 private:
  // The sectors of a line that some words are in.
  static std::uint8_t sectors_of(std::uint32_t words) {
    words |= words >> 4;
    words |= words >> 2;
    words = (words | words >> 1) & 0x01010101;  // a bit for each byte that is not zero
    return static_cast<std::uint8_t>((words | words >> 7 | words >> 14 | words >> 21) & 15);
  }
  static constexpr std::size_t kAtFirst = 16;      // multiprocessors that are watched at most
  static constexpr std::size_t kMost = 1u << 20;   // touches that are written down at most
  static constexpr std::size_t kSpare = 1u << 17;  // touches for which memory is kept
  static constexpr std::size_t kTurn = 12;         // requests that a warp makes on end
  struct Touch {                                   // there are many of them
    std::uint64_t line : 59;
    How how : 3;
    bool begins : 1;  // a request
    bool waits : 1;   // put_in_order(): here the warp waits for what it has asked for
    std::uint32_t instruction : 28, sector_bits : 4;
    std::uint32_t words;  // of the line, a bit each; of a store those that it writes whole
    std::uint8_t sectors() const { return sector_bits; }
    bool loads() const { return how == How::Load || how == How::Past || how == How::NoAllocate; }
  };
  static_assert(sizeof(Touch) == 16);
  struct OfWarp {
    std::vector<Touch> touches;
    std::size_t in_order = 0;  // so many of them are already
    std::uint64_t placed = 0;  // where its last atomic said; 0: nothing was stored there yet
  };
  struct Trace {
    std::uint64_t linear = 0;
    bool only_at_first = false;
    std::vector<OfWarp> warps;
  };
  using Traces = std::vector<std::unique_ptr<Trace>>;
  // Of an instruction: where it stands, one that takes long counting for many, in which part, and behind how many predicates; how
  // many loads its address waits for, and whether for one of the round before; and how many rounds of the part are one.
  struct Place {
    std::uint32_t number = 0, part = 0, guard = 0;
    std::uint8_t depth = 0, rounds = 1;
    bool carried = false, passes = false;
  };
  struct
      Missed {  // shares of a store's lines that it does not find: stored to by its warp, by another one, or read before
    double stored = 0, stored_by_others = 0, read = 0;
  };
  struct Runner {  // a warp
    const std::vector<Touch>* touches;
    std::size_t at;  // the next one
    std::size_t block;
    std::uint16_t by;  // a number of its own
    double order;      // in which warps have their turns; less than 0: it has just begun
    bool at_first;     // its block began with the launch, so it is in step with others
    bool done() const { return at == touches->size(); }
  };
  class Cache;
  using Touches = std::vector<Touch>;
  bool right_before(const Touches& touches, std::size_t k, std::uint32_t instruction) const;
  void stored_again(const Touches& all, std::size_t first, std::size_t end, Found& found) const;
  void clear_traces(std::size_t from = 0);
  void count_little(std::size_t touches);
  void name_words(std::span<Touch>, std::uint64_t others, const MemoryAccess&, const Sectors&);
  void drop_parts(std::span<Touch> touches, std::uint64_t others, const MemoryAccess& access);
  Missed missed(const std::vector<Touch>& touches, std::size_t first, std::size_t end) const;
  bool request(const Touches& touches, std::size_t& i, std::uint16_t by, Cache& cache,
               std::vector<Found>& found) const;
  std::size_t end_of_loads(const std::vector<Touch>& touches, std::size_t first) const;
  void let_pass(OfWarp& warp) const;
  void put_in_order(OfWarp& warp) const;
  void take_turn(Runner& runner, Cache& cache, std::vector<Found>& found) const;
  static void next_round(std::vector<Runner>& runners, std::uint64_t& drawn);
  Place place_of(std::uint32_t instruction) const {
    return instruction < places_.size() ? places_[instruction] : Place{instruction, 0};
  }
  std::uint32_t apart(std::uint32_t from, std::uint32_t to) const;  // instructions of the machine
  std::uint64_t play_one(std::size_t at, bool local, Cache& cache, std::vector<Found>& found);

  std::uint64_t multiprocessors_ = 1, all_bytes_ = 0, bytes_ = 0;
  BlockOrder order_;
  std::size_t together_ = 1;         // blocks on one multiprocessor
  std::vector<std::uint8_t> place_;  // of each multiprocessor in traces_, plus one; 0: not watched
  std::array<Traces, kAtFirst> traces_;
  std::size_t watched_ = 0, little_ = 0;   // to the end; what the others may still ask for
  std::vector<std::vector<Touch>> spare_;  // their memory, for the next launch
  Trace* now_ = nullptr;
  // More blocks than find room, by far; so many warps that stores wait for each other; warps of a multiprocessor.
  bool in_waves_ = false, crowded_ = false;
  std::size_t warps_ = 1, left_ = 0;          // the second: touches that may still be written down
  std::vector<Place> places_;                 // of each instruction
  std::vector<std::uint32_t> named_;          // name_words()
  std::uint64_t placed_ = 0;                  // atomics so far that said where to store
  double slices_ = 0, at_the_same_time_ = 0;  // of lines that others store to: not found yet
  Level1Local local_;
};

}  // namespace emu::observe

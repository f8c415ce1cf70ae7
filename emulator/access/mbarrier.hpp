// SPDX-License-Identifier: MIT
// The 64-bit word of an mbarrier in shared memory. PTX leaves its content open; ours is
//   bits  0..19  pending arrivals of the current phase
//   bits 20..39  expected arrivals of each phase
//   bits 40..61  tx-count, two's complement: bytes announced and not yet arrived
//   bit  62      always 1: tells an mbarrier from memory that is none
//   bit  63      parity of the current phase
// A state (the result of an arrive) is the word as it was before the arrive: all a wait needs of it
// is the parity.
#pragma once

#include <cstdint>

#include "machine/warp.hpp"

namespace emu::exec {

inline constexpr std::uint32_t kMbarrierMaxCount = (1u << 20) - 1;

class Mbarrier {
 public:
  // `at`: its place in shared memory. Faults if no mbarrier is there.
  Mbarrier(std::byte* at, int lane);

  static void init(std::byte* at, std::uint32_t count, int lane);
  static void invalidate(std::byte* at, int lane);

  std::uint64_t state() const { return word_; }
  bool phase() const { return word_ >> 63; }
  std::uint32_t pending() const { return word_ & kMbarrierMaxCount; }
  std::uint32_t expected() const { return (word_ >> 20) & kMbarrierMaxCount; }
  std::int32_t tx() const {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(word_ << 2) >> 42);
  }

  // Each stores the word; the phase completes when neither arrivals nor bytes are missing any more.
  void arrive(std::uint32_t count);
  void drop(std::uint32_t count);  // as arrive, and later phases expect that many fewer
  void expect_tx(std::uint32_t bytes);
  void complete_tx(std::uint32_t bytes);
  void add_pending();  // one more arrival in this phase: cp.async.mbarrier.arrive without .noinc

  static bool phase_of(std::uint64_t state) { return state >> 63; }
  static std::uint32_t pending_of(std::uint64_t state) { return state & kMbarrierMaxCount; }

 private:
  void set(bool phase, std::uint32_t pending, std::uint32_t expected, std::int32_t tx);
  void change_tx(std::int64_t tx);

  std::byte* at_;
  std::uint64_t word_;
  int lane_;
};

}  // namespace emu::exec

// SPDX-License-Identifier: MIT
// What lanes, warps and blocks do where they meet: the operands of barriers and of the instructions by
// which the lanes of a warp talk. The engine makes them wait.
#pragma once

#include <cstdint>

#include "machine/warp.hpp"

namespace emu::exec {

// Operation of a barrier instruction (Instr::extra with Flow::Barrier). src[0] = number, src[1] =
// threads, src[2] = predicate (flip in imm).
struct BarrierOp {
  enum class Reduce : std::uint8_t { None, Popc, And, Or } reduce = Reduce::None;
  bool waits = true;
  bool aligned = false;
  bool counted = false;     // src[1] is there
  bool one_number = false;  // src[0] is an immediate: no lane can name another barrier
};

inline constexpr std::uint8_t kClusterArrive = 1, kClusterWait = 2;

// What lanes exchange in a warp-level instruction.
struct Exchange {
  std::uint32_t a[kLanes], b[kLanes], c[kLanes], d[kLanes];
  std::uint64_t wide[kLanes];
  LaneMask predicate = 0;     // in: of the voting lanes
  LaneMask result = 0;        // out: predicate per lane
  std::uint8_t from[kLanes];  // out, of a shuffle: whose value each lane gets
};
// A warp-level instruction (Instr::extra with Flow::Sync). src[3] is the member mask.
struct SyncOp {
  void (*compute)(const Instr& in, LaneMask lanes, Exchange& x) = nullptr;  // null: only waits
  std::uint8_t inputs = 0;        // 32-bit sources that are read: src[0..inputs)
  bool wide_input = false;        // src[0] is 64-bit
  bool predicate_input = false;   // src[0] is a predicate, flip in imm
  bool value_result = false;      // d goes to dst
  bool predicate_result = false;  // result goes to dst2
  bool shuffles = false;          // compute sets Exchange::from
  bool matches = false;           // compute sets Exchange::d to who holds the same value
  bool whole_warp = false;        // the member mask is known to name all lanes
  // Where each lane's value comes from, if that is known when the instruction is decoded (a shuffle
  // by constants).
  struct Permutation {
    std::uint8_t from[kLanes];
    LaneMask inside;
  };
  const Permutation* permutation = nullptr;
};

}  // namespace emu::exec

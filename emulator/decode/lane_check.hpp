// SPDX-License-Identifier: MIT
// Whether a handler gives every lane the same result, whichever other lanes are on with it.
//
// A single lane is computed by scalar code, many lanes by the vector code that the compiler made of
// a loop. Compilers have made wrong code of such loops (docs/emulator.md, "Compilers"), so the two
// are compared: by the library itself when it starts (self_check.hpp), and for every instruction of
// the recorded vectors (vectors/masks.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "machine/warp.hpp"

namespace emu::exec {

class LaneCheck {
 public:
  // Registers of so many bytes, and constants that live longer than this.
  LaneCheck(std::size_t frame_bytes, std::span<const std::byte> constants);

  // Gives the registers values that depend on their place and the seed: any bits, and in between
  // the edges of the integer and floating-point types.
  void fill(std::uint64_t seed);
  // Runs the instruction lane by lane and with many lanes at a time. "", or with which lanes it
  // gave something else: "with all lanes on", "with some lanes off". Briefly: with fewer choices of
  // lanes, but each lane is on in one of them and off in one.
  std::string_view compare(const Instr& in, bool briefly = false);
  // The registers as the lanes one by one have left them.
  std::span<const std::byte> alone() const { return {base(alone_), bytes_}; }

 private:
  static constexpr std::size_t kAlign = 64;
  using Room = std::vector<std::byte>;

  static std::byte* base(Room& room);
  static const std::byte* base(const Room& room);
  // Runs it for these lanes, or for each of them alone; the carries it leaves.
  LaneMask run(const Instr& in, LaneMask mask, bool one_by_one, Room& room);

  std::size_t bytes_;
  Room initial_, alone_, together_;
  Warp warp_;
};

}  // namespace emu::exec

// SPDX-License-Identifier: MIT
#include "decode/lane_check.hpp"

#include <cstring>
#include <iterator>

#include "semantics/splitmix.hpp"

namespace emu::exec {
namespace {

// As 16-bit pieces: zero, small numbers, the ends of the signed and unsigned ranges, and the upper
// ends of subnormal, infinite and not-a-number floats of all widths.
constexpr std::uint16_t kEdges[] = {0,      1,      3,      31,     0x7fff, 0x8000, 0xffff, 0x3c00,
                                    0x7c00, 0xfc01, 0x3f80, 0x7f80, 0xff81, 0x3ff0, 0x7ff0, 0x0080};

// Many lanes in different halves and quarters of the vector registers; the second has those that
// the first leaves out. The last has so few that they are computed one by one.
constexpr LaneMask kMasks[] = {0x7f3c9a51, 0x80c365ae, 0x0000ffff, 0xfffffffe, 0x20000108};
constexpr LaneMask kCarries = 0x5a0ff0c3;

}  // namespace

LaneCheck::LaneCheck(std::size_t frame_bytes, std::span<const std::byte> constants)
    : bytes_(frame_bytes),
      initial_(frame_bytes + kAlign),
      alone_(frame_bytes + kAlign),
      together_(frame_bytes + kAlign) {
  // Handlers only read constants.
  warp_.areas[static_cast<std::size_t>(Area::Constant)] = const_cast<std::byte*>(constants.data());
  warp_.live = warp_.active = kAllLanes;
}

std::byte* LaneCheck::base(Room& room) {
  const auto at = reinterpret_cast<std::uintptr_t>(room.data());
  return room.data() + (kAlign - at % kAlign) % kAlign;
}
const std::byte* LaneCheck::base(const Room& room) { return base(const_cast<Room&>(room)); }

void LaneCheck::fill(std::uint64_t seed) {
  std::byte* const to = base(initial_);
  for (std::size_t i = 0; i + 8 <= bytes_; i += 8) {
    const std::uint64_t random = splitmix64(seed);
    std::uint16_t pieces[4];
    std::memcpy(pieces, &random, 8);
    const std::uint64_t choice = splitmix64(seed);
    for (int k = 0; k < 4; ++k)
      if (choice >> k & 1) pieces[k] = kEdges[choice >> (8 + 4 * k) & 15];
    // The same number on every machine: all that we know are little-endian.
    std::memcpy(to + i, pieces, 8);
  }
}

LaneMask LaneCheck::run(const Instr& in, LaneMask mask, bool one_by_one, Room& room) {
  std::memcpy(base(room), base(initial_), bytes_);
  warp_.areas[static_cast<std::size_t>(Area::Frame)] = base(room);
  warp_.carry = kCarries;
  if (one_by_one) {
    for (LaneMask m = mask; m; m &= m - 1) in.fn(warp_, in, m & (0 - m));
  } else {
    in.fn(warp_, in, mask);
  }
  return warp_.carry;
}

std::string_view LaneCheck::compare(const Instr& in, bool briefly) {
  const auto agree = [&](LaneMask mask) {
    const LaneMask carries = run(in, mask, true, alone_);
    return run(in, mask, false, together_) == carries &&
           std::memcmp(base(alone_), base(together_), bytes_) == 0;
  };
  for (const LaneMask mask : std::span(kMasks).first(briefly ? 2 : std::size(kMasks)))
    if (!agree(mask)) return "with some lanes off";
  return agree(kAllLanes) ? "" : "with all lanes on";
}

}  // namespace emu::exec

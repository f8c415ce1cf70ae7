// SPDX-License-Identifier: MIT
// splitmix64 (Steele, Lea, Flood 2014): the emulator's own generator, so that a seed means the same on
// every machine.
#pragma once

#include <cstdint>

namespace emu {

inline std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

}  // namespace emu

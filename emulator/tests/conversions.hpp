// SPDX-License-Identifier: MIT
// What the references of the conversions share: the roundings by name, and clamping.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "tests/numbers.hpp"

namespace emu::tests {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
__extension__ using Wide = __int128;

template <class T>
T clamp(Wide x) {
  constexpr Wide kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  return static_cast<T>(x < kLow ? kLow : x > kHigh ? kHigh : x);
}

inline const std::pair<const char*, Mode> kToWhole[] = {
    {".rni", Mode::Nearest}, {".rzi", Mode::Zero}, {".rmi", Mode::Down}, {".rpi", Mode::Up}};
inline const std::pair<const char*, Mode> kRound[] = {
    {".rn", Mode::Nearest}, {".rz", Mode::Zero}, {".rm", Mode::Down}, {".rp", Mode::Up}};

inline double whole(double x, Mode mode) {
  switch (mode) {
    case Mode::Zero:
      return std::trunc(x);
    case Mode::Down:
      return std::floor(x);
    case Mode::Up:
      return std::ceil(x);
    case Mode::Nearest:
      break;
  }
  return std::nearbyint(x);
}
// Clamped at once: 2^127 is more than any target.
inline Wide to_wide(double x) {
  return std::fabs(x) < 0x1p100 ? static_cast<Wide>(x) : x > 0 ? Wide{1} << 100 : -(Wide{1} << 100);
}

}  // namespace emu::tests

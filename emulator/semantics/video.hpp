// SPDX-License-Identifier: MIT
// The video instructions of PTX that nvcc emits for the __vabsdiff and __vsad intrinsics: absolute
// differences of the parts of a word, without the selectors of parts, which it never writes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace emu::exec::semantics {

struct AbsDiffRule {
  bool signed_d = false, signed_a = false, signed_b = false;
  bool saturate = false;    // each part to the range of its type; else its low bits are taken
  bool accumulate = false;  // c + the sum of the differences, instead of the parts
};

// kBits: width of a part, 8 or 16.
template <int kBits>
constexpr std::uint32_t absdiff_parts(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                      const AbsDiffRule& rule) {
  constexpr std::int32_t kWhole = std::int32_t{1} << kBits;
  const auto part = [](std::uint32_t word, int at, bool is_signed) {
    const auto bits = static_cast<std::int32_t>(word >> at & (kWhole - 1));
    return is_signed && bits >= kWhole / 2 ? bits - kWhole : bits;
  };
  const std::int32_t largest = rule.signed_d ? kWhole / 2 - 1 : kWhole - 1;
  std::uint32_t parts = 0, sum = c;
  for (int at = 0; at < 32; at += kBits) {
    const std::int32_t difference = part(a, at, rule.signed_a) - part(b, at, rule.signed_b);
    std::int32_t size = difference < 0 ? -difference : difference;
    sum += static_cast<std::uint32_t>(size);
    if (rule.saturate) size = std::min(size, largest);
    parts |= (static_cast<std::uint32_t>(size) & (kWhole - 1)) << at;
  }
  return rule.accumulate ? sum : parts;
}

}  // namespace emu::exec::semantics

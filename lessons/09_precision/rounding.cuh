// SPDX-License-Identifier: MIT
// The last step of an exact sum: an integer of many bits becomes the nearest float.
#pragma once

#include <cuda/std/bit>
#include <cuda/std/cstdint>

namespace lesson09 {

// What is no ordinary number, in three bits; they are collected by "or".
enum Special : unsigned { kNaN = 1, kAbove = 2, kBelow = 4 };

__device__ inline unsigned special_of(unsigned bits) {
  if ((bits & 0x7fffffffu) > 0x7f800000u) return kNaN;
  return bits >> 31 ? kBelow : kAbove;
}
// The bits of the sum, where there is at least one of them.
__device__ inline unsigned special_sum(unsigned special) {
  if (special == kAbove) return 0x7f800000u;
  return special == kBelow ? 0xff800000u : 0x7fffffffu;
}

// The nearest float, ties to even, to (top + rest) 2^unit. rest: a little more than top, less than one.
// The top bit of `top` is set if there is a rest; so 24 bits and one for rounding are among the 64.
__device__ inline unsigned nearest_float(cuda::std::uint64_t top, bool rest, int unit) {
  if (top == 0) return 0;
  const int highest = 63 - cuda::std::countl_zero(top);
  // The place of the float's last bit: 23 below the highest, but never below 2^-149.
  const int last = unit + highest - 23 > -149 ? unit + highest - 23 : -149;
  const int drop = last - unit;
  cuda::std::uint64_t kept = drop > 63 ? 0 : drop >= 0 ? top >> drop : top << -drop;
  if (drop > 0 && drop < 64) {
    const cuda::std::uint64_t half = cuda::std::uint64_t{1} << (drop - 1);
    const cuda::std::uint64_t lost = top & (2 * half - 1);
    if (lost > half || (lost == half && (rest || (kept & 1)))) ++kept;
  }
  if (last + 150 > 254) return 0x7f800000u;
  // Exponent and fraction are one number: a fraction that has become too large raises the exponent.
  const auto bits = (static_cast<unsigned>(last + 149) << 23) + static_cast<unsigned>(kept);
  return bits < 0x7f800000u ? bits : 0x7f800000u;
}

}  // namespace lesson09

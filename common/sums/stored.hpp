// SPDX-License-Identifier: MIT
// Numbers of 16 and 32 bits, on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace course {

enum class Stored { kF32, kF16, kBf16 };

// "f32", "f16" or "bf16".
Stored stored_as(const std::string& name);
constexpr std::size_t bytes_of(Stored stored) { return stored == Stored::kF32 ? 4 : 2; }
// Half the distance from 1 to the next larger number: what one rounding can change.
constexpr double unit_of(Stored stored) {
  return stored == Stored::kF32 ? 0x1p-24 : stored == Stored::kF16 ? 0x1p-11 : 0x1p-8;
}
// The same where numbers are so small that they have no exponent left to give.
constexpr double least_step_of(Stored stored) {
  return stored == Stored::kF32 ? 0x1p-150 : stored == Stored::kF16 ? 0x1p-25 : 0x1p-134;
}

// The nearest number that can be stored so.
float nearest(Stored stored, float x);

// As they lie in memory, and back.
std::vector<unsigned char> pack(Stored stored, std::span<const float> x);
std::vector<float> unpack(Stored stored, std::span<const unsigned char> bytes);

}  // namespace course

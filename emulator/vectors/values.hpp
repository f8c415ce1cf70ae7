// SPDX-License-Identifier: MIT
// Operands of the recorded vectors: for each family of values its edges and a seeded random source.
// Nothing here may change without recording again: inputs are made anew, never stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emu::vectors {

// What a register holds. The family decides the width of the register and which values are tried.
enum class Family {
  Pred,
  I16,
  I32,
  I64,
  I128,
  F16,
  BF16,
  F16x2,
  BF16x2,
  F32,
  F64,
  Shift,     // 32 bits: shift amounts and positions, sometimes far too large
  Selector,  // 32 bits: of prmt
  Offset,    // 32 bits: -40 to 40, for fns
  Angle,     // f32 for sin and cos, mostly -2 pi to 2 pi
  Exponent,  // f32 for ex2 and tanh, mostly where the result is finite
  Positive,  // f32 for lg2, rcp, rsqrt and sqrt: any exponent, and many near 1
  Mask,      // 32 bits: a member mask, the same in the whole warp, never 0
  WarpWord,  // 32 bits: few different values in a warp, for match
  Lane,      // 32 bits: 0 to 31, and larger
  Clamp,     // 32 bits: the c of shfl, the same in the whole warp
  Lane1,     // as Lane, the same in the whole warp
};

struct Wide {
  std::uint64_t lo = 0, hi = 0;
};

std::size_t bytes_of(Family family);          // of one element in memory
std::string_view register_of(Family family);  // "pred", "b16", "b32", "b64", "b128"
const std::vector<std::uint64_t>& edges_of(Family family);

// A small generator with a fixed definition (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) % n); }

 private:
  std::uint64_t state_;
};

std::uint64_t hash_of(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325u);

// n elements for each operand; the seed is taken from the text of the variant.
std::vector<std::vector<Wide>> operands_of(std::string_view text,
                                           const std::vector<Family>& families, std::size_t n);
std::vector<std::byte> packed(Family family, const std::vector<Wide>& values);

}  // namespace emu::vectors

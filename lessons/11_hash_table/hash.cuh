// SPDX-License-Identifier: MIT
// From a key to a number that looks like chance, and from there to a place. Nothing but this file is
// needed.
//
// Every step of a mixer can be undone (an exclusive or with a shifted self, a product with an odd
// number), so two different keys never get the same number: they meet only where the number is scaled
// down to the places of a table.
#pragma once

#include <cstdint>

namespace lesson11 {

// The finish of MurmurHash3: a change of one bit of the key changes each bit of the result about half
// of the time.
__host__ __device__ constexpr std::uint32_t mix(std::uint32_t key) {
  std::uint32_t h = key;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}
// Another mixer, for a second place or a fingerprint: keys that agree in one number must not agree in
// the other.
__host__ __device__ constexpr std::uint32_t mix_again(std::uint32_t key) {
  std::uint32_t h = key;
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return h ^ h >> 16;
}
// For keys of 64 bits (the finish of SplitMix64).
__host__ __device__ constexpr std::uint64_t mix(std::uint64_t key) {
  std::uint64_t h = key;
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ h >> 27) * 0x94d049bb133111ebull;
  return h ^ h >> 31;
}

// A number below 2^32, scaled to 0 ... n-1 by a multiplication: no division, and n may be any number.
// It keeps the order: the highest bits of a hash say in which part of the table its place is.
__host__ __device__ constexpr std::uint32_t scaled(std::uint32_t hash, std::uint32_t n) {
  return static_cast<std::uint32_t>(std::uint64_t{hash} * n >> 32);
}

}  // namespace lesson11

// SPDX-License-Identifier: MIT
// What was read off of the halves of L2.
#include "counters/l2_page.hpp"

#include <algorithm>
#include <bit>

namespace emu::observe {

std::uint64_t half_of(std::uint64_t nth, std::uint64_t multiprocessors) {
  constexpr std::uint64_t kAll = 132, kEnds[] = {16, 64, 114};
  const std::uint64_t at = nth * kAll / multiprocessors;
  return static_cast<std::uint64_t>(
             std::ranges::count_if(kEnds, [=](auto end) { return at >= end; })) %
         2;
}

// It changes every 4 KiB, with these bits of the address; from 4 MiB on with where the memory really is: as good as drawn.
std::uint64_t homes_of(std::uint64_t page) {
  constexpr std::uint64_t kPageBytes = L2Page::kSectors * kSectorBytes,
                          kWordBytes = 64 * kSectorBytes;
  constexpr std::uint64_t kBits = 1u << 12 | 1u << 13 | 1u << 15 | 1u << 17 | 1u << 19 | 1u << 21;
  const std::uint64_t far = (page * kPageBytes >> 22) * 0x9e3779b97f4a7c15u >> 63;
  std::uint64_t homes = 0;
  for (std::uint64_t word = 0; word < L2Page::kWords; ++word) {
    const auto ones = std::popcount((page * kPageBytes + word * kWordBytes) & kBits);
    homes |= ((static_cast<std::uint64_t>(ones) ^ far) & 1) << word;
  }
  return homes;
}

}  // namespace emu::observe

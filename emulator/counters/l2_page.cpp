// SPDX-License-Identifier: MIT
// What was read off of the halves of L2.
#include "counters/l2_page.hpp"

#include <algorithm>
#include <bit>

namespace emu::observe {

L2Near near_of(std::uint64_t nth, std::uint64_t blocks, std::uint64_t multiprocessors) {
  // Where the multiprocessors of each cluster end, of 132, and which half is near.
  constexpr std::uint64_t kFirst = 8, kAll = 132, kEnds[] = {16, 32, 48, 64, 80, 96, 114};
  constexpr std::uint32_t kHalves[] = {0, 1, 1, 1, 0, 0, 0, 1};
  const std::uint64_t first = kFirst * multiprocessors / kAll;
  if (nth < first || blocks <= first) return {kHalves[0], 0};
  const std::uint64_t at = kFirst + (nth - first) * (kAll - kFirst) / (blocks - first);
  const auto cluster =
      static_cast<std::uint32_t>(std::ranges::count_if(kEnds, [=](auto end) { return at >= end; }));
  return {kHalves[cluster], cluster};
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

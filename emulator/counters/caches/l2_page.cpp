// SPDX-License-Identifier: MIT
// What was read off of the halves of L2.
#include "counters/caches/l2_page.hpp"

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

std::uint32_t half_in_waves(std::uint64_t block, std::uint64_t first, std::uint64_t launch,
                            std::uint64_t multiprocessors) {
  const auto drawn_for = [launch](std::uint64_t number) {
    return as_if_drawn(number << 20 ^ launch) >> 32;
  };
  // Each time that all have been replaced half of them have come apart.
  const std::uint64_t times = std::min<std::uint64_t>(31, first ? block / first : 31);
  const std::uint64_t own = drawn_for(block);
  if (own >= std::uint64_t{1} << (32 - times)) return own & 1;
  const std::uint64_t from = drawn_for(block / multiprocessors) >> 8;
  return near_of((block + from) % multiprocessors, multiprocessors, multiprocessors).half;
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

// Numbers of blocks and waves go on from launch to launch, so that what is left of an earlier one counts for nothing.
void L2Askers::begin_launch(std::uint64_t side_by_side) {
  side_by_side_ = side_by_side;
  left_ = side_by_side;
  ++block_;
  ++wave_;
  asked_ = {};
}

void L2Askers::set_block(std::uint32_t cluster, bool another) {
  cluster_ = cluster;
  if (!another) return;
  ++block_;
  if (left_ == 0) {
    left_ = side_by_side_;
    ++wave_;
  }
  --left_;
}

void L2Askers::count(L2Page& page, std::uint64_t word, std::uint64_t bits, std::uint32_t warp,
                     std::uint32_t requests) {
  constexpr std::uint8_t kAsOne = 4;
  L2Page::Askers& askers = page.askers[word];
  const bool first = askers.wave != wave_;
  if (first || requests < askers.soonest) askers.soonest = requests;
  if (askers.last == block_) return;  // L1 has it
  askers.last = block_;
  if (first) askers.asked.fill(0);
  askers.wave = wave_;
  // Warps drift apart as they go.
  constexpr std::uint32_t kDrift = 2, kDriftShare = 8;
  asked_.in_step += requests <= askers.soonest + askers.soonest / kDriftShare + kDrift;
  const auto of_line =
      static_cast<std::uint32_t>(bits >> page.watched(word) / kLineSectors * kLineSectors & 15);
  const std::uint32_t what = warp << kLineSectors | of_line;
  std::uint8_t& asked = askers.asked[cluster_];
  if (askers.what[cluster_] != what) asked = 0;
  askers.what[cluster_] = what;
  ++asked_.by_blocks;
  asked_.of_l2 += asked++ % kAsOne == 0;
}

}  // namespace emu::observe

// SPDX-License-Identifier: MIT
// What the rungs of lesson 05 share: how a thread loads its share (lesson 04), how many blocks there
// are, and how many additions an element goes through.
#pragma once

#include <cstddef>

#include "common/launch.cuh"
#include "common/sums/rung.cuh"
#include "lessons/04_warp_shuffle/warp_shuffle.cuh"

namespace lesson05 {

using course::Device;
using course::Sum;
using lesson03::as_fours;
using lesson03::Four;
using lesson03::Fours;
using lesson04::my_share_in_flight;

// Elements a thread takes in one round: four loads of four.
constexpr std::size_t kPerRound = 16;

inline unsigned grid_for(std::size_t n, int block, const Device& device) {
  return course::full_grid(device, n / kPerRound + 1, block);
}

// Two additions inside a four, one per load, one for each end of the array; ten for the two levels
// of the block.
inline double depth_of_block(std::size_t n, double threads, std::size_t per_round) {
  const double a_round = threads * static_cast<double>(per_round);
  const double rounds = static_cast<double>(n) / a_round + 1;
  return 2 + rounds * static_cast<double>(per_round) / 4 + 2 + 10;
}

// Then the same for the blocks' sums: a thread adds every block-th of them.
inline double depth_in_two_levels(std::size_t n, int block, const Device& device) {
  const unsigned blocks = grid_for(n, block, device);
  return depth_of_block(n, static_cast<double>(blocks) * block, kPerRound) +
         depth_of_block(blocks, block, kPerRound) + static_cast<double>(blocks) / block;
}

// With atomics: one addition per warp of the block, then one per block.
inline double depth_with_atomics(std::size_t n, int block, const Device& device) {
  const unsigned blocks = grid_for(n, block, device);
  return depth_of_block(n, static_cast<double>(blocks) * block, kPerRound) + block + blocks;
}

}  // namespace lesson05

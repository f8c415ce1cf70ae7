// SPDX-License-Identifier: MIT
// Exercise four_groups_maxima: four groups of eight threads in a warp, each finds its maximum.
//
// The kernel is launched with blocks of 64 threads, one thread per element.
// maxima[g] = the largest of x[8 * g] ... x[8 * g + 7]; the last group may be shorter.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <climits>
#include <cstddef>

namespace cg = cooperative_groups;

__global__ void group_maxima(const int* x, std::size_t n, int* maxima) {
  const auto block = cg::this_thread_block();
  const std::size_t i = std::size_t{blockIdx.x} * block.size() + block.thread_rank();
  // <solution>
  const auto group = cg::tiled_partition<8>(block);
  const int mine = i < n ? x[i] : INT_MIN;
  const int largest = cg::reduce(group, mine, cg::greater<int>());
  if (group.thread_rank() == 0 && i < n) maxima[i / 8] = largest;
  // <starter>
  //| // TODO: cut the block into tiles of 8 and let each find its maximum.
  //| // TODO: one thread of each tile writes it to the place of its group.
  // </solution>
}

// SPDX-License-Identifier: MIT
// Wrong: groups without any element write too.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <climits>
#include <cstddef>

namespace cg = cooperative_groups;

__global__ void group_maxima(const int* x, std::size_t n, int* maxima) {
  const auto block = cg::this_thread_block();
  const std::size_t i = std::size_t{blockIdx.x} * block.size() + block.thread_rank();
  const auto group = cg::tiled_partition<8>(block);
  const int mine = i < n ? x[i] : INT_MIN;
  const int largest = cg::reduce(group, mine, cg::greater<int>());
  if (group.thread_rank() == 0) maxima[i / 8] = largest;
}

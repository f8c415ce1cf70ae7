// SPDX-License-Identifier: MIT
// All phases on small cells: seven launches, or one.
#pragma once

#include <cooperative_groups.h>

#include "lessons/13_point_cloud/connect_cells.cuh"
#include "lessons/13_point_cloud/stages.cuh"

namespace lesson13 {

__device__ inline Listed& list_of_warp() {
  extern __shared__ Listed lists[];
  return lists[threadIdx.x / kWarp];
}
inline std::size_t bytes_of_lists(int block) { return block / kWarp * sizeof(Listed); }

// With 1024 threads in a block each may have 64 registers: without the bound the compiler takes more, and
// the launch is refused.
static __global__ void __launch_bounds__(1024) find_all_core_cells(Grid g) {
  find_core_cells(g, list_of_warp());
}
static __global__ void __launch_bounds__(1024) connect_all_cells(Grid g) { connect_cells(g); }
static __global__ void __launch_bounds__(1024) label_all_points(Grid g) {
  label_all(g, list_of_warp());
}

// Changed: cells of diagonal eps. Who is in a full cell is a core point; cells are united, not points.
// Why:     in a dense cloud, nearly all distances tell what the cells tell already.
// Cost:    125 cells can hold near points, not 27; boxes around the cells' points.
inline void launch_small_cells(const Clustering& c) {
  if (c.n == 0) return;
  const Grid g = make_grid<SmallCells>(c);
  sort_points<kPieceOfSmall>(c, g);
  const unsigned blocks = blocks_for_cells(c);
  find_all_core_cells<<<blocks, c.block, bytes_of_lists(c.block)>>>(g);
  end_phase(c, "core");
  connect_all_cells<<<blocks, c.block>>>(g);
  end_phase(c, "connect");
  label_all_points<<<blocks, c.block, bytes_of_lists(c.block)>>>(g);
  end_phase(c, "label");
}

// When the phases ended, in nanoseconds of the GPU's clock: from the beginning of the room on, so that
// whoever asks finds them.
constexpr int kStamps = 8;
inline constexpr const char* kPhases[] = {"clear", "count",   "place", "move",
                                          "core",  "connect", "label"};
__device__ inline void stamp(unsigned long long* stamps, int phase) {
  if (thread_number() != 0) return;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(stamps[phase])::"memory");
}

// Changed: one launch. All blocks wait for all blocks between two phases (lesson 05).
// Why:     a launch costs microseconds, and the phases take not many more.
// Cost:    no more blocks than the GPU holds at once; registers and shared memory of the largest phase for
//          all phases.
static __global__ void __launch_bounds__(256) one_launch(Grid g, unsigned long long* stamps) {
  const auto grid = cooperative_groups::this_grid();
  stamp(stamps, 0);
  clear_cells(g);
  grid.sync(), stamp(stamps, 1);
  count_cells(g);
  grid.sync(), stamp(stamps, 2);
  place_cells<kPieceOfSmall>(g);
  grid.sync(), stamp(stamps, 3);
  move_points(g);
  grid.sync(), stamp(stamps, 4);
  find_core_cells(g, list_of_warp());
  grid.sync(), stamp(stamps, 5);
  connect_cells(g);
  grid.sync(), stamp(stamps, 6);
  label_all(g, list_of_warp());
  stamp(stamps, 7);
}

inline void launch_at_once(const Clustering& c) {
  if (c.n == 0) return;
  constexpr int kBlock = 256;
  Grid g = make_grid<SmallCells>(c);
  auto* stamps = reinterpret_cast<unsigned long long*>(g.flags);
  const std::size_t shared = bytes_of_lists(kBlock);
  int per_multiprocessor = 0;
  COURSE_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, one_launch,
                                                             kBlock, shared));
  const std::size_t most = static_cast<std::size_t>(per_multiprocessor * c.device->multiprocessors);
  const unsigned blocks =
      static_cast<unsigned>(std::min(most, (c.n * kWarp + kBlock - 1) / kBlock));
  void* arguments[] = {&g, &stamps};
  COURSE_CHECK(cudaLaunchCooperativeKernel(one_launch, blocks, kBlock, arguments, shared));
}

}  // namespace lesson13

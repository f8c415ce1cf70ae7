// SPDX-License-Identifier: MIT
// Lesson 13. All of it together: which points of a cloud belong together, found in microseconds.
//
// Rungs: searches.cuh (how near points are found), stages.cuh (DBSCAN in stages, labels in rounds or a forest),
//        sort_by_cell.cuh, union_find.cuh, small_cells.cuh and connect_cells.cuh (cells in place of points),
//        one_launch.cuh.
#pragma once

#include "lessons/13_point_cloud/one_launch.cuh"
#include "lessons/13_point_cloud/stages.cuh"

namespace lesson13 {

using course::families::Rung;

inline void launch_all_pairs(const Clustering& c) {
  if (c.n > 0) run_stages<false, false>(c, AllPairs{make_grid<WideCells>(c)});
}
// In a scan the points near a point become more as the scan becomes larger, so the work of most rungs grows
// with the square of the number of points. A GPU looks at 10^10 pairs in a moment; the emulator does not.
template <std::size_t kOnGpu, std::size_t kEmulated>
const char* refuses_more(const Clustering& c) {
  return c.n > (c.device->emulated ? kEmulated : kOnGpu) ? "so many points take too long" : nullptr;
}

inline void launch_cell_lists(const Clustering& c) {
  if (c.n == 0) return;
  const Grid g = make_grid<WideCells>(c);
  COURSE_CHECK(cudaMemsetAsync(g.table.keys, 0xff, g.table.capacity * sizeof(Key)));
  COURSE_CHECK(cudaMemsetAsync(g.starts, 0xff, g.table.capacity * sizeof(std::uint32_t)));
  end_phase(c, "clear");
  list_points<<<blocks_for(c, c.n), c.block>>>(g);
  end_phase(c, "count");
  run_stages<false, false>(c, CellLists{g});
}
template <class Search, bool kStop, bool kUnite>
void launch_sorted(const Clustering& c) {
  if (c.n == 0) return;
  const Grid g = make_grid<WideCells>(c);
  sort_points<kWarp>(c, g);
  run_stages<kStop, kUnite>(c, Search{g});
}

inline constexpr Rung<Clustering> kRungs[] = {
    {"all_pairs", "a thread per point looks at every point; labels go around in rounds",
     &launch_all_pairs, &refuses_more<200000, 3100>},
    {"cell_lists", "a grid of cells in a hash table, each with a list of its points",
     &launch_cell_lists, &refuses_more<200000, 10000>},
    {"sorted_cells", "points sorted by cell", &launch_sorted<SortedCells, false, false>,
     &refuses_more<2000000, 10000>},
    {"warp_cells", "a warp per 32 points of a cell, neighbours shared",
     &launch_sorted<WarpCells, false, false>, &refuses_more<2000000, 10000>},
    // Changed: a point that has found min_points neighbours looks no further.
    // Why:     most points of a scan have hundreds of neighbours, and ten are enough to know.
    // Cost:    a vote of the warp now and then.
    {"early_stop", "enough neighbours are enough", &launch_sorted<WarpCells, true, false>,
     &refuses_more<2000000, 10000>},
    // Changed: near core points are united in a forest; no rounds.
    // Why:     every round looks at all pairs again, and the host waits for its answer.
    // Cost:    walks to roots, exchanges that fail.
    {"union_find", "a forest that all threads build, in place of rounds",
     &launch_sorted<WarpCells, true, true>, &refuses_more<2000000, 10000>},
    {"small_cells", "cells whose points are all near each other: cells are united, not points",
     &launch_small_cells},
    {"one_launch", "all phases in one launch (ignores --block)", &launch_at_once},
};

inline const course::families::FamilyOf<Clustering> kClusters("clusters", "clusters of points",
                                                              course::clusters_choices(),
                                                              &course::make_clustering, kRungs);
inline const course::families::Family* const kFamilies[] = {&kClusters};
inline const course::families::Lesson kLesson{"13_point_cloud",
                                              "Which of a hundred thousand points belong together?",
                                              kFamilies,
                                              100000,
                                              2000,
                                              257};

}  // namespace lesson13

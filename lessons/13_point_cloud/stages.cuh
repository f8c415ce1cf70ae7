// SPDX-License-Identifier: MIT
// DBSCAN in stages, for any search (searches.cuh): who is a core point, which core points are connected,
// and whose border the others are on.
#pragma once

#include "common/check.cuh"
#include "common/launch.cuh"
#include "lessons/13_point_cloud/searches.cuh"
#include "lessons/13_point_cloud/sort_by_cell.cuh"
#include "lessons/13_point_cloud/union_find.cuh"

namespace lesson13 {

// kStop: whoever has found enough does not look further.
template <bool kStop, class Search>
__global__ void find_core_points(Search s) {
  for (std::uint32_t t = thread_number(); t - lane() < s.items(); t += thread_count()) {
    const std::uint32_t i = s.mine(t);
    unsigned count = 0;
    s.each(t, i, [&](std::uint32_t) { return ++count >= s.g.min_points && kStop; });
    if (i == kNowhere) continue;
    const bool core = count > 0 && count >= s.g.min_points;  // 0: the point is not usable
    s.g.core[i] = core;
    s.g.parents[i] = core ? i : kNoise;
  }
}

// One round: a core point takes the smallest label that it sees around it. Others change their labels
// meanwhile, which does no harm: labels only become smaller, and never smaller than the cluster's least.
template <class Search>
__global__ void pass_labels_on(Search s) {
  using Word = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;
  const auto label = [&](std::uint32_t i) {
    return Word(s.g.parents[i]).load(cuda::memory_order_relaxed);
  };
  for (std::uint32_t t = thread_number(); t - lane() < s.items(); t += thread_count()) {
    std::uint32_t i = s.mine(t);
    if (i != kNowhere && !s.g.core[i]) i = kNowhere;
    std::uint32_t least = i;
    s.each(t, i, [&](std::uint32_t j) {
      if (s.g.core[j]) least = min(least, label(j));
      return false;
    });
    if (i == kNowhere || least >= label(i)) continue;
    // The point that the label names may have heard of a smaller one.
    Word(s.g.parents[i]).store(label(least), cuda::memory_order_relaxed);
    Word(*s.g.flags).store(1, cuda::memory_order_relaxed);
  }
}

// Every pair of near core points, once.
template <class Search>
__global__ void unite_core_points(Search s) {
  const Forest forest{s.g.parents};
  for (std::uint32_t t = thread_number(); t - lane() < s.items(); t += thread_count()) {
    std::uint32_t i = s.mine(t);
    if (i != kNowhere && !s.g.core[i]) i = kNowhere;
    s.each(t, i, [&](std::uint32_t j) {
      if (j < i && s.g.core[j]) forest.unite(i, j);
      return false;
    });
  }
}

// Labels of all: core points know their roots; others take the smallest root around them.
template <class Search>
__global__ void label_points(Search s) {
  const Forest forest{s.g.parents};
  for (std::uint32_t t = thread_number(); t - lane() < s.items(); t += thread_count()) {
    const std::uint32_t i = s.mine(t);
    const bool core = i != kNowhere && s.g.core[i];
    std::uint32_t label = core ? forest.settled_root(i) : kNoise;
    s.each(t, core ? kNowhere : i, [&](std::uint32_t j) {
      if (s.g.core[j]) label = min(label, forest.settled_root(j));
      return false;
    });
    if (i != kNowhere) s.g.labels[i] = label;
  }
}

// Points that no cell has.
static __global__ void label_unusable(Grid g) {
  for (std::uint32_t i = thread_number(); i < g.n; i += thread_count())
    if (!course::is_usable(g.points[i], g.eps)) g.labels[i] = kNoise;
}

static __global__ void list_points(Grid g) {
  for (std::uint32_t i = thread_number(); i < g.n; i += thread_count()) {
    if (!course::is_usable(g.points[i], g.eps)) continue;
    const std::uint32_t slot = g.table.insert(cell_of(g.points[i], g.per_metre));
    g.places[i] = {atomicExch(g.starts + slot, i), 0};
  }
}

// ---- how the phases follow each other on the host

inline void end_phase(const Clustering& c, const char* name) {
  COURSE_CHECK(cudaGetLastError());
  if (c.ended) (*c.ended)(name);
}

// Enough for a thread per item, or for as many as the GPU holds.
inline unsigned blocks_for(const Clustering& c, std::size_t items) {
  return course::full_grid(*c.device, items, c.block);
}
// Cells may be as many as points, and each takes a warp.
inline unsigned blocks_for_cells(const Clustering& c) { return blocks_for(c, c.n * kWarp); }

template <unsigned kPiece>
void sort_points(const Clustering& c, const Grid& g) {
  const unsigned blocks = blocks_for(c, c.n);
  clear_table<<<blocks, c.block>>>(g);
  end_phase(c, "clear");
  count_points<<<blocks, c.block>>>(g);
  end_phase(c, "count");
  place_all_cells<kPiece><<<blocks, c.block>>>(g);
  end_phase(c, "place");
  move_all_points<<<blocks, c.block>>>(g);
  end_phase(c, "move");
}

// Rounds until nobody hears anything new. The host must ask after each.
template <class Search>
void connect_by_rounds(const Clustering& c, const Search& s, unsigned blocks) {
  std::uint32_t changed = 1;
  while (changed) {
    COURSE_CHECK(cudaMemsetAsync(s.g.flags, 0, sizeof changed));
    pass_labels_on<<<blocks, c.block>>>(s);
    COURSE_CHECK(cudaMemcpy(&changed, s.g.flags, sizeof changed, cudaMemcpyDeviceToHost));
  }
  end_phase(c, "connect");
}

// All stages after the sort.
template <bool kStop, bool kUnite, class Search>
void run_stages(const Clustering& c, const Search& s) {
  const unsigned blocks = Search::kByWarp ? blocks_for_cells(c) : blocks_for(c, c.n);
  find_core_points<kStop><<<blocks, c.block>>>(s);
  end_phase(c, "core");
  if constexpr (kUnite) {
    unite_core_points<<<blocks, c.block>>>(s);
    end_phase(c, "connect");
  } else {
    connect_by_rounds(c, s, blocks);
  }
  label_points<<<blocks, c.block>>>(s);
  if (!std::is_same_v<Search, AllPairs> && !std::is_same_v<Search, CellLists>)
    label_unusable<<<blocks, c.block>>>(s.g);
  end_phase(c, "label");
}

}  // namespace lesson13

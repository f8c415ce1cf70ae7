// SPDX-License-Identifier: MIT
// DBSCAN on the CPU: by the definition, every pair; and with a grid of cells so small that all points of
// a cell are near each other.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

#include "common/irregular/clusters.hpp"

namespace course {

namespace {

// ---- which points are connected: a forest in which every node points to a smaller one, or to itself

class Forest {
 public:
  explicit Forest(std::size_t n) : parents_(n) { std::iota(parents_.begin(), parents_.end(), 0u); }
  std::uint32_t root(std::uint32_t x) {
    for (std::uint32_t up = load(x); up != x; x = up, up = load(x)) {
    }
    return x;
  }
  // Threads may call it at the same time.
  void unite(std::uint32_t a, std::uint32_t b) {
    for (;;) {
      a = root(a), b = root(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      std::uint32_t seen = a;
      if (std::atomic_ref(parents_[a]).compare_exchange_strong(seen, b)) return;
    }
  }

 private:
  std::uint32_t load(std::uint32_t x) {
    return std::atomic_ref(parents_[x]).load(std::memory_order_relaxed);
  }
  std::vector<std::uint32_t> parents_;
};

// ---- the grid

// The diagonal of a cell is eps, less a hundredth: see the lesson's cells.cuh for why that is enough.
float cells_per_metre(float eps) { return std::sqrt(3.0f) / eps * (1 + 1.0f / 128); }
constexpr int kReach = 2;  // cells that can hold a near point are at most this far away

using Key = std::uint64_t;  // x, y and z of a cell, 16 bits each; z lowest
constexpr Key key_at(int x, int y, int z) {
  const auto part = [](int v) { return static_cast<Key>(v + 32768); };
  return part(x) << 32 | part(y) << 16 | part(z);
}

struct Cell {
  Key key = 0;
  std::uint32_t begin = 0, end = 0;  // its points in the grid's order
  std::uint32_t first = kNoise;      // the smallest index of a core point
  float4 low{}, high{};              // the box around the core points
};
// Whether a point, or the nearest one of a box, may be near some point of a box: at least where it is.
// (A millionth more than eps, so that no rounding makes it say no.)
bool may_reach(float4 low, float4 high, const Cell& box, float eps) {
  const auto gap = [](float l, float h, float from, float to) {
    return std::max({0.0f, from - h, l - to});
  };
  const float x = gap(low.x, high.x, box.low.x, box.high.x),
              y = gap(low.y, high.y, box.low.y, box.high.y),
              z = gap(low.z, high.z, box.low.z, box.high.z);
  return x * x + y * y + z * z <= eps * eps * (1 + 1e-6f);
}

struct Grid {
  std::vector<std::uint32_t> order;  // indices of the points, by cell
  std::vector<float4> points;        // in that order
  std::vector<Cell> cells;           // by key

  Grid(std::span<const float4> all, float eps) {
    std::vector<std::pair<Key, std::uint32_t>> keys;
    keys.reserve(all.size());
    const float scale = cells_per_metre(eps);
    const auto at = [&](float v) { return static_cast<int>(std::floor(v * scale)); };
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_usable(all[i], eps))
        keys.emplace_back(key_at(at(all[i].x), at(all[i].y), at(all[i].z)),
                          static_cast<std::uint32_t>(i));
    std::sort(keys.begin(), keys.end());
    for (const auto& [key, i] : keys) {
      const auto here = static_cast<std::uint32_t>(order.size());
      if (cells.empty() || cells.back().key != key) cells.push_back({key, here, here});
      cells.back().end = here + 1;
      order.push_back(i);
      points.push_back(all[i]);
    }
  }
};

// Goes through a share of the cells in order and knows which cells are around. The cells of a row along z
// follow each other, so each of the rows has a place that only moves forward.
class Walk {
 public:
  Walk(const Grid& grid, std::size_t from) : grid_(grid) {
    rows_.fill(from < grid.cells.size() ? start(from) : 0);
  }

  // Calls f(cell) for the cell itself and all around it, until it returns true.
  template <class F>
  void around(const Cell& cell, F f) {
    const auto z = static_cast<int>(cell.key & 0xffff) - 32768,
               y = static_cast<int>(cell.key >> 16 & 0xffff) - 32768,
               x = static_cast<int>(cell.key >> 32) - 32768;
    std::size_t row = 0;
    bool stopped = false;
    for (int dx = -kReach; dx <= kReach; ++dx)
      for (int dy = -kReach; dy <= kReach; ++dy, ++row) {
        std::size_t& at = rows_[row];
        const Key low = key_at(x + dx, y + dy, z - kReach), high = low + 2 * kReach;
        while (at < grid_.cells.size() && grid_.cells[at].key < low) ++at;
        for (std::size_t c = at; !stopped && c < grid_.cells.size() && grid_.cells[c].key <= high;
             ++c)
          stopped = f(c);
      }
  }

 private:
  std::size_t start(std::size_t from) const {
    const Key x = grid_.cells[from].key >> 32, low = (x < kReach ? 0 : x - kReach) << 32;
    const auto before = [](const Cell& c, Key key) { return c.key < key; };
    return static_cast<std::size_t>(
        std::lower_bound(grid_.cells.begin(), grid_.cells.end(), low, before) -
        grid_.cells.begin());
  }
  const Grid& grid_;
  std::array<std::size_t, (2 * kReach + 1) * (2 * kReach + 1)> rows_{};
};

// work(walk, cell) for every cell, shared out among threads.
template <class Work>
void each_cell(const Grid& grid, unsigned threads, Work work) {
  std::vector<std::jthread> workers;
  const std::size_t cells = grid.cells.size(), shares = std::max(1u, threads);
  const auto share = [&](std::size_t k) {
    const std::size_t from = cells * k / shares;
    Walk walk(grid, from);
    for (std::size_t c = from; c < cells * (k + 1) / shares; ++c) work(walk, c);
  };
  for (std::size_t k = 1; k < shares; ++k) workers.emplace_back(share, k);
  share(0);
}

class ByGrid {
 public:
  ByGrid(std::span<const float4> points, float eps, unsigned min_points, unsigned threads)
      : grid_(points, eps),
        eps_(eps),
        min_points_(min_points),
        threads_(threads),
        core_(grid_.points.size()),
        forest_(points.size()) {
    result_.labels.assign(points.size(), kNoise);
    result_.core.assign(points.size(), 0);
  }
  Clustered run() {
    each_cell(grid_, threads_, [&](Walk& walk, std::size_t c) { find_core(walk, grid_.cells[c]); });
    each_cell(grid_, threads_, [&](Walk& walk, std::size_t c) { connect(walk, c); });
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> others(grid_.cells.size());
    each_cell(grid_, threads_,
              [&](Walk& walk, std::size_t c) { label(walk, grid_.cells[c], others[c]); });
    for (const auto& some : others)
      result_.others.insert(result_.others.end(), some.begin(), some.end());
    std::sort(result_.others.begin(), result_.others.end());
    return std::move(result_);
  }

 private:
  void find_core(Walk& walk, Cell& cell) {
    const std::uint32_t size = cell.end - cell.begin;
    std::vector<std::uint32_t> counts(size, size);
    std::uint32_t few = size < min_points_ ? size : 0;  // points that have too few so far
    if (few > 0)
      walk.around(cell, [&](std::size_t c) {
        const Cell& other = grid_.cells[c];
        if (other.begin == cell.begin) return false;
        for (std::uint32_t k = 0; k < size; ++k)
          for (std::uint32_t q = other.begin; q < other.end && counts[k] < min_points_; ++q)
            if (is_near(grid_.points[cell.begin + k], grid_.points[q], eps_) &&
                ++counts[k] == min_points_)
              --few;
        return few == 0;
      });
    for (std::uint32_t k = 0; k < size; ++k)
      if (counts[k] >= min_points_) {
        const std::uint32_t i = grid_.order[cell.begin + k];
        core_[cell.begin + k] = result_.core[i] = 1;
        const float4 p = grid_.points[cell.begin + k];
        if (cell.first == kNoise) cell.low = cell.high = p;
        cell.low = {std::min(cell.low.x, p.x), std::min(cell.low.y, p.y), std::min(cell.low.z, p.z),
                    0};
        cell.high = {std::max(cell.high.x, p.x), std::max(cell.high.y, p.y),
                     std::max(cell.high.z, p.z), 0};
        cell.first = std::min(cell.first, i);
      }
  }
  // One near pair of core points makes two cells one cluster.
  void connect(Walk& walk, std::size_t mine) {
    const Cell& cell = grid_.cells[mine];
    if (cell.first == kNoise) return;
    walk.around(cell, [&](std::size_t c) {
      const Cell& other = grid_.cells[c];
      if (c < mine && other.first != kNoise &&
          forest_.root(cell.first) != forest_.root(other.first) && touch(cell, other))
        forest_.unite(cell.first, other.first);
      return false;
    });
    // In a cell, all core points belong together.
  }
  bool touch(const Cell& a, const Cell& b) const {
    if (!may_reach(a.low, a.high, b, eps_)) return false;
    for (std::uint32_t p = a.begin; p < a.end; ++p) {
      const float4 point = grid_.points[p];
      if (!core_[p] || !may_reach(point, point, b, eps_)) continue;
      for (std::uint32_t q = b.begin; q < b.end; ++q)
        if (core_[q] && is_near(point, grid_.points[q], eps_)) return true;
    }
    return false;
  }
  void label(Walk& walk, const Cell& cell,
             std::vector<std::pair<std::uint32_t, std::uint32_t>>& others) {
    std::uint32_t left = 0;
    for (std::uint32_t p = cell.begin; p < cell.end; ++p)
      if (core_[p])
        result_.labels[grid_.order[p]] = forest_.root(cell.first);
      else
        ++left;
    if (left == 0) return;
    std::vector<std::vector<std::uint32_t>> found(cell.end - cell.begin);
    walk.around(cell, [&](std::size_t c) {
      const Cell& other = grid_.cells[c];
      for (std::uint32_t p = cell.begin; other.first != kNoise && p < cell.end; ++p)
        for (std::uint32_t q = other.begin; !core_[p] && q < other.end; ++q)
          if (core_[q] && is_near(grid_.points[p], grid_.points[q], eps_)) {
            found[p - cell.begin].push_back(forest_.root(other.first));
            break;
          }
      return false;
    });
    for (std::uint32_t p = cell.begin; p < cell.end; ++p) {
      auto& labels = found[p - cell.begin];
      std::sort(labels.begin(), labels.end());
      labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
      if (!labels.empty()) result_.labels[grid_.order[p]] = labels[0];
      for (std::size_t k = 1; k < labels.size(); ++k)
        others.emplace_back(grid_.order[p], labels[k]);
    }
  }

  Grid grid_;
  float eps_;
  unsigned min_points_, threads_;
  std::vector<std::uint8_t> core_;  // in the grid's order
  Forest forest_;
  Clustered result_;
};

}  // namespace

Clustered cluster_all_pairs(std::span<const float4> points, float eps, unsigned min_points) {
  const auto n = static_cast<std::uint32_t>(points.size());
  Clustered result{std::vector<std::uint32_t>(n, kNoise), std::vector<std::uint8_t>(n), {}};
  const auto near = [&](std::uint32_t i, std::uint32_t j) {
    return is_usable(points[i], eps) && is_usable(points[j], eps) &&
           is_near(points[i], points[j], eps);
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    unsigned count = 0;
    for (std::uint32_t j = 0; j < n; ++j) count += near(i, j);
    result.core[i] = count >= min_points && near(i, i);
  }
  // Whoever is reached from the first core point, from those that it reaches, and so on.
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!result.core[i] || result.labels[i] != kNoise) continue;
    std::vector<std::uint32_t> reached{i};
    result.labels[i] = i;
    for (std::size_t k = 0; k < reached.size(); ++k)
      for (std::uint32_t j = 0; j < n; ++j)
        if (result.core[j] && result.labels[j] == kNoise && near(reached[k], j)) {
          result.labels[j] = i;
          reached.push_back(j);
        }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    if (result.core[i]) continue;
    std::vector<std::uint32_t> labels;
    for (std::uint32_t j = 0; j < n; ++j)
      if (result.core[j] && near(i, j)) labels.push_back(result.labels[j]);
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    if (!labels.empty()) result.labels[i] = labels[0];
    for (std::size_t k = 1; k < labels.size(); ++k) result.others.emplace_back(i, labels[k]);
  }
  return result;
}

Clustered cluster_by_grid(std::span<const float4> points, float eps, unsigned min_points,
                          unsigned threads) {
  return ByGrid(points, eps, min_points, threads).run();
}

}  // namespace course

// SPDX-License-Identifier: MIT
// The CPU walks through a forest: eight nodes are hashed at once, which the compiler makes vectors of.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "common/irregular/tree_search.hpp"

namespace course {

namespace {

constexpr unsigned kLanes = 8;
using Lanes = std::uint32_t[kLanes];

void quarter(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  for (unsigned i = 0; i < kLanes; ++i) chacha_quarter(a[i], b[i], c[i], d[i]);
}

// tree_hash() of eight.
void hash_together(const std::uint64_t* ids, std::uint64_t* hashes, std::uint32_t rounds) {
  static constexpr std::uint32_t kStart[12] = {
      0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 1, 2, 3, 4, 5, 6, 7, 8};
  Lanes x[16];
  for (unsigned w = 0; w < 12; ++w) std::fill(x[w], x[w] + kLanes, kStart[w]);
  for (unsigned i = 0; i < kLanes; ++i) {
    x[12][i] = x[14][i] = static_cast<std::uint32_t>(ids[i]);
    x[13][i] = x[15][i] = static_cast<std::uint32_t>(ids[i] >> 32);
  }
  for (std::uint32_t r = 0; r < rounds; r += 2) {
    quarter(x[0], x[4], x[8], x[12]), quarter(x[1], x[5], x[9], x[13]);
    quarter(x[2], x[6], x[10], x[14]), quarter(x[3], x[7], x[11], x[15]);
    quarter(x[0], x[5], x[10], x[15]), quarter(x[1], x[6], x[11], x[12]);
    quarter(x[2], x[7], x[8], x[13]), quarter(x[3], x[4], x[9], x[14]);
  }
  for (unsigned i = 0; i < kLanes; ++i)
    hashes[i] = std::uint64_t{x[0][i] + x[7][i] + x[10][i] + x[13][i]} << 32 |
                (x[1][i] + x[4][i] + x[11][i] + x[14][i]);
}

// All nodes below these roots, the newest first. Gives up once there are more than `limit`.
void walk(std::span<const std::uint64_t> roots, const TreeRule& rule, TreeTotals& totals,
          std::vector<std::uint64_t>* nodes, std::uint64_t limit = ~std::uint64_t{0}) {
  std::vector<std::uint64_t> left(roots.begin(), roots.end());
  std::uint64_t ids[kLanes] = {}, hashes[kLanes];
  while (!left.empty() && totals.count <= limit) {
    const auto some = std::min<std::size_t>(kLanes, left.size());
    std::copy(left.end() - static_cast<std::ptrdiff_t>(some), left.end(), ids);
    left.resize(left.size() - some);
    hash_together(ids, hashes, rule.rounds);
    totals.count += some;
    for (std::size_t i = 0; i < some; ++i) {
      totals.sum += hashes[i];
      for (std::uint32_t k = tree_kids(hashes[i], rule); k > 0; --k)
        left.push_back(tree_child(hashes[i], k - 1));
    }
    if (nodes != nullptr) nodes->insert(nodes->end(), ids, ids + some);
  }
}

}  // namespace

std::uint64_t tree_size(std::uint64_t root, const TreeRule& rule, std::uint64_t limit) {
  TreeTotals totals;
  walk({&root, 1}, rule, totals, nullptr, limit);
  return totals.count;
}

TreeTotals cpu_tree(std::span<const std::uint64_t> roots, const TreeRule& rule, unsigned threads,
                    std::vector<std::uint64_t>* nodes) {
  TreeTotals all;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    TreeTotals mine;
    std::vector<std::uint64_t> list;
    constexpr std::size_t kAtOnce = 8;  // whoever is done takes the next
    for (std::size_t first; (first = next.fetch_add(kAtOnce)) < roots.size();)
      walk(roots.subspan(first, std::min(kAtOnce, roots.size() - first)), rule, mine,
           nodes != nullptr ? &list : nullptr);
    const std::lock_guard lock(mutex);
    all.count += mine.count, all.sum += mine.sum;
    if (nodes != nullptr) nodes->insert(nodes->end(), list.begin(), list.end());
  };
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(work);
  work();
  others.clear();
  return all;
}

}  // namespace course

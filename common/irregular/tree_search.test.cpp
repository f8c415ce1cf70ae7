// SPDX-License-Identifier: MIT
// The forests: the same on every machine, as large as asked for, and a judge that sees a lost or a doubled node.
#include "common/irregular/tree_search.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using course::TreeTotals;

namespace {

auto made(std::size_t n, const char* tree = "bushy") {
  return course::make_tree({support::device(), n, 256, 1, {{"tree", tree}, {"rounds", "8"}}});
}
course::families::Finding judged(const TreeTotals& totals) {
  const auto problem = made(4000);
  COURSE_CHECK(cudaMemcpy(problem->task().totals, &totals, sizeof totals, cudaMemcpyHostToDevice));
  return problem->judge(false);
}
TreeTotals right_answer() {
  const auto rule = course::tree_rule("bushy", 8);
  return course::cpu_tree(course::tree_roots(rule, 4000, 1), rule, 1);
}

}  // namespace

TEST_CASE("a hash is ChaCha's core: every bit of the name changes half of it") {
  const std::uint64_t first = course::tree_hash(1, 8);
  CHECK(first != course::tree_hash(1, 20));
  for (int bit = 0; bit < 64; ++bit) {
    const int changed = __builtin_popcountll(first ^ course::tree_hash(1 ^ 1ull << bit, 8));
    CHECK((changed > 12 && changed < 52));
  }
}

TEST_CASE("forests are as large as asked for, and their list holds every node once") {
  for (const char* const tree : {"bushy", "uneven", "deep", "chain"}) {
    INFO(tree);
    const auto rule = course::tree_rule(tree, 8);
    for (const std::size_t n : {0, 1, 400, 40000}) {
      const auto roots = course::tree_roots(rule, n, 5);
      std::vector<std::uint64_t> nodes;
      const TreeTotals one = course::cpu_tree(roots, rule, 1, &nodes);
      CHECK(one.count >= (n + 3) / 4);
      CHECK(one.count <= n + 100);
      CHECK(nodes.size() == one.count);
      CHECK(std::set<std::uint64_t>(nodes.begin(), nodes.end()).size() == nodes.size());
      std::uint64_t sum = 0;
      for (const std::uint64_t node : nodes) sum += course::tree_hash(node, 8);
      CHECK(sum == one.sum);
      const TreeTotals three = course::cpu_tree(roots, rule, 3);
      CHECK((three.count == one.count && three.sum == one.sum));
    }
  }
}

TEST_CASE("the judge of a search sees a node that is lost, taken twice, or another") {
  const TreeTotals truth = right_answer();
  CHECK(judged(truth).verdict.ok);
  CHECK(judged({truth.count - 1, truth.sum}).where == "nodes (some were lost)");
  CHECK(judged({truth.count + 1, truth.sum}).where == "nodes (some were taken twice)");
  CHECK(judged({truth.count, truth.sum + 1}).where == "sum of the hashes");
  const auto problem = made(100);
  problem->poison();
  CHECK_FALSE(problem->judge(false).verdict.ok);
  problem->solve_on_cpu(2);
  CHECK(problem->judge_cpu().verdict.ok);
  CHECK(problem->bytes() == 16.0 * static_cast<double>(problem->task().node_count));
}

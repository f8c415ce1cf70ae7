// SPDX-License-Identifier: MIT
#include "common/irregular/tree_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"
#include "common/parallel.hpp"

namespace course {

namespace {

constexpr const char* kTrees[] = {"bushy", "uneven", "deep", "chain"};
constexpr const char* kRounds[] = {"8", "20"};
constexpr Choice kTreeChoices[] = {
    {"tree", "trees of 8 nodes on average, of 64, of 1024, or chains without a branch", kTrees,
     "uneven"},
    {"rounds", "of the hash that each node costs", kRounds, "8"},
};

class TreeProblem final : public families::ProblemOf<TreeSearch> {
 public:
  explicit TreeProblem(const families::Setup& setup)
      : rule_(tree_rule(value_of(setup.chosen, "tree"),
                        static_cast<std::uint32_t>(std::stoul(value_of(setup.chosen, "rounds"))))),
        seed_(setup.seed),
        device_(setup.device),
        block_(setup.block),
        totals_(1) {
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    auto& made = parts_[{first, n}];
    if (made == nullptr) made = std::make_unique<Part>(tree_roots(rule_, n, seed_ + first), rule_);
    part_ = made.get();
    const std::size_t bytes = part_->nodes.size() * 48 + kTreeRoom;
    if (memory_ == nullptr || memory_->size() < bytes)
      memory_ = std::make_unique<DeviceBuffer<std::byte>>(bytes);
    owner_ = nullptr;
  }
  TreeSearch task() override {
    TreeSearch t;
    t.roots = part_->device_roots.data();
    t.root_count = part_->roots.size();
    t.rule = rule_;
    t.nodes = part_->device_nodes.data();
    t.node_count = part_->nodes.size();
    t.totals = totals_.data();
    t.memory = memory_->data();
    t.memory_bytes = memory_->size();
    t.owner = &owner_;
    t.block = block_;
    t.device = &device_;
    return t;
  }
  // A task has two words, and is written once and read once: n words, about.
  double bytes() const override { return 16.0 * static_cast<double>(part_->nodes.size()); }
  void solve_on_cpu(unsigned threads) override { on_cpu_ = cpu_tree(part_->roots, rule_, threads); }
  families::Finding judge_cpu() override { return compared(on_cpu_); }
  void poison() override { COURSE_CHECK(cudaMemset(totals_.data(), 0xcd, totals_.bytes())); }
  families::Finding judge(bool) override { return compared(totals_.download()[0]); }

 private:
  struct Part {
    Part(std::vector<std::uint64_t> from, const TreeRule& rule)
        : roots(std::move(from)),
          truth(cpu_tree(roots, rule, cpu_threads(), &nodes)),
          device_roots(roots),
          device_nodes(nodes) {}
    std::vector<std::uint64_t> roots, nodes;  // before what is made of them
    TreeTotals truth;
    DeviceBuffer<std::uint64_t> device_roots, device_nodes;
  };
  families::Finding compared(const TreeTotals& got) const {
    const TreeTotals& truth = part_->truth;
    if (got.count != truth.count)
      return {{false, static_cast<double>(truth.count), static_cast<double>(got.count)},
              got.count < truth.count ? "nodes (some were lost)" : "nodes (some were taken twice)"};
    const auto low = [](unsigned long long sum) { return static_cast<double>(sum & 0xffffffff); };
    return {{got.sum == truth.sum, low(truth.sum), low(got.sum)}, "sum of the hashes"};
  }
  TreeRule rule_;
  std::uint64_t seed_;
  const Device& device_;
  int block_;
  std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<Part>> parts_;
  Part* part_ = nullptr;
  std::unique_ptr<DeviceBuffer<std::byte>> memory_;
  const void* owner_ = nullptr;
  DeviceBuffer<TreeTotals> totals_;
  TreeTotals on_cpu_;
};

}  // namespace

TreeRule tree_rule(const std::string& name, std::uint32_t rounds) {
  const double nodes = name == "bushy" ? 8 : name == "uneven" ? 64 : 1024;
  TreeRule rule;
  rule.kids = name == "chain" ? 1 : kMostKids;
  rule.chance = static_cast<std::uint32_t>((1 - 1 / nodes) / rule.kids * 0x1p32);
  rule.rounds = rounds;
  return rule;
}

std::vector<std::uint64_t> tree_roots(const TreeRule& rule, std::size_t n, std::uint64_t seed) {
  std::vector<std::uint64_t> roots;
  const std::uint64_t wanted = (n + 3) / 4;
  for (std::uint64_t i = 0, nodes = 0; nodes < wanted; ++i) {
    const std::uint64_t root = random_bits(seed, i), limit = 2 * (wanted - nodes) + 64;
    const std::uint64_t size = tree_size(root, rule, limit);
    if (size > limit) continue;
    roots.push_back(root);
    nodes += size;
  }
  return roots;
}

std::span<const Choice> tree_choices() { return kTreeChoices; }

std::unique_ptr<families::ProblemOf<TreeSearch>> make_tree(const families::Setup& setup) {
  check_bytes_fit(80.0 * static_cast<double>(setup.n), setup.n, setup.device);
  return std::make_unique<TreeProblem>(setup);
}

}  // namespace course

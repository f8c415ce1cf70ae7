// SPDX-License-Identifier: MIT
// How large must a forest be until its end no longer counts? The end, when roots have run out and a few long paths are left,
// takes about as long for any size. Forests up to the size of those that UTS publishes, too large to be written down: a
// second search, by static shares, must find the same nodes. Program 12_task_scheduler.large.
#include <string>

#include "common/program/experiment.cuh"
#include "lessons/12_task_scheduler/forest.cuh"

namespace lesson12::large {
namespace {

// What a task from a list takes, in a forest that is small enough to be one.
double list_ns(const course::Device& device, const TreeRule& rule) {
  const Forest forest(device, rule, nodes_for(device));
  return 1e3 * median_us(&launch_tree_list, forest.task(), 3) /
         static_cast<double>(forest.task().node_count);
}

struct Searched {
  TreeTotals totals;
  double us = 0;
};
Searched search(void (*launch)(const TreeSearch&), const TreeSearch& task,
                const course::DeviceBuffer<TreeTotals>& totals, int samples) {
  const double us = median_us(launch, task, samples);
  return {totals.download()[0], us};
}

bool run(course::Experiment& e) {
  course::Table table{
      "large",
      "Forests of all sizes: the search in one launch beside the same tasks from a list",
      "",
      {"forest", "tasks", "ms", "billion tasks/s", "% of the list"}};
  const int first = e.device.small ? 10 : 29, last = e.device.small ? 12 : 35;
  bool ok = true;
  for (const char* const tree : {"deep", "chain"}) {
    for (const std::uint32_t rounds : {20u, 50u}) {
      const TreeRule rule = course::tree_rule(tree, rounds);
      const double alone_ns = list_ns(e.device, rule);
      for (int log = first; log <= last; log += 2) {
        const std::size_t nodes = std::size_t{1} << log;
        const course::DeviceBuffer<std::uint64_t> roots(draw_roots(rule, nodes));
        course::DeviceBuffer<TreeTotals> totals(1);
        course::DeviceBuffer<std::byte> memory(std::size_t{1} << (e.device.small ? 24 : 30));
        const void* owner = nullptr;
        TreeSearch task;
        task.roots = roots.data(), task.root_count = roots.size(), task.rule = rule;
        task.totals = totals.data(), task.owner = &owner, task.device = &e.device;
        task.memory = memory.data(), task.memory_bytes = memory.size(), task.node_count = nodes;
        const Searched one = search(&launch_tree_persistent, task, totals, 3);
        const Searched other = search(&launch_tree_static, task, totals, 1);
        const bool same =
            one.totals.count == other.totals.count && one.totals.sum == other.totals.sum;
        if (!same) ok = false, std::printf("FAIL %s: static shares found other nodes\n", tree);
        const auto found = static_cast<double>(one.totals.count);
        table.rows.push_back(
            {std::string(tree) + ", " + std::to_string(rounds) + " rounds, 2^" +
                 std::to_string(log),
             {found, one.us / 1e3, found / one.us / 1e3, 100 * alone_ns * found / (1e3 * one.us)}});
      }
    }
  }
  e.add(std::move(table));
  return ok;
}

}  // namespace
}  // namespace lesson12::large

int main(int argc, char** argv) {
  course::ExperimentInfo info{"12_task_scheduler", "large", "How large must a forest be?"};
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, lesson12::large::run);
}

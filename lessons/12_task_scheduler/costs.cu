// SPDX-License-Identifier: MIT
// What does scheduling cost? Tasks of several lengths, beside the same tasks from a list; and how near a search comes to
// what no scheduler can beat: the list's time, or the longest path of the forest, one node after the other.
// Program 12_task_scheduler.costs.
#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "common/program/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/12_task_scheduler/forest.cuh"

// Its own namespace: the programs of a lesson are compiled as one file.
namespace lesson12::costs {
namespace {

// One thread goes down a chain without looking left or right.
__global__ void alone(TreeRule rule, std::uint32_t nodes, Task* out) {
  Task task = 1;
  for (std::uint32_t i = 0; i < nodes; ++i)
    task = course::tree_child(course::tree_hash(task, rule.rounds), 0);
  *out = task;
}

struct Way {
  const char* id;
  void (*launch)(const TreeSearch&);
  int samples;  // one where it may take a hundred times as long as the others
};
constexpr Way kWays[] = {{"tree_static", &launch_tree_static, 1},
                         {"tree_levels", &launch_tree_levels, 1},
                         {"tree_persistent", &launch_tree_persistent, 3},
                         {"tree_list", &launch_tree_list, 3}};
constexpr std::size_t kLevelsWay = 1, kPersistent = 2, kList = 3;

struct Measured {
  double nodes = 0, levels = 0, us[std::size(kWays)] = {}, step_us = 0;
  bool ok = true;
  double best_us() const { return std::max(us[kList], levels * step_us); }
};

Measured measure(const course::Experiment& e, const TreeRule& rule, std::size_t nodes) {
  const Forest forest(e.device, rule, nodes);
  const TreeSearch& task = forest.task();
  course::Stopwatch watch(e.device, course::Flush::None);
  Measured m;
  m.nodes = static_cast<double>(task.node_count);
  m.levels = static_cast<double>(forest.levels());
  for (std::size_t i = 0; i < std::size(kWays); ++i) {
    clear_totals(task);
    m.us[i] = median_us(kWays[i].launch, task, e.reps > 0 ? e.reps : kWays[i].samples);
    if (forest.found_right()) continue;
    m.ok = false, std::printf("FAIL %s: other nodes than tree_levels\n", kWays[i].id);
  }
  constexpr std::uint32_t kSteps = 1000;
  course::DeviceBuffer<Task> out(1);
  m.step_us =
      watch.measure([&] { alone<<<1, 1>>>(rule, kSteps, out.data()); }, 3).median_us / kSteps;
  return m;
}

bool run(course::Experiment& e) {
  const std::size_t nodes = e.n ? *e.n / 4 : nodes_for(e.device);
  course::Table rates{"rates", "Tasks per second", "million/s", {"forest"}};
  for (const Way& way : kWays) rates.columns.emplace_back(way.id);
  course::Table costs{"costs",
                      "What scheduling costs: the search in one launch beside what it could be",
                      "",
                      {"forest", "tasks", "levels", "ns alone per task", "% of the list",
                       "times tree_levels", "% of the best possible"}};
  // The emulator's model follows no length: two are enough there.
  constexpr std::uint32_t kRounds[] = {8, 20, 50};
  bool ok = true;
  for (const char* const tree : {"bushy", "uneven", "deep", "chain"}) {
    for (const std::uint32_t rounds : std::span(kRounds).first(e.device.small ? 2 : 3)) {
      const Measured m = measure(e, course::tree_rule(tree, rounds), nodes);
      ok &= m.ok;
      const std::string name = std::string(tree) + ", " + std::to_string(rounds) + " rounds";
      course::TableRow row{name, {}};
      for (const double us : m.us) row.values.emplace_back(m.nodes / us);
      rates.rows.push_back(row);
      const double us = m.us[kPersistent];
      // The model follows no chain of tasks through stacks and queues: modelled, the last column would say nothing.
      std::optional<double> of_best;
      if (!e.device.emulated) of_best = 100 * m.best_us() / us;
      costs.rows.push_back({name,
                            {m.nodes, m.levels, 1e3 * m.step_us, 100 * m.us[kList] / us,
                             m.us[kLevelsWay] / us, of_best}});
    }
  }
  e.add(std::move(rates)), e.add(std::move(costs));
  return ok;
}

}  // namespace
}  // namespace lesson12::costs

int main(int argc, char** argv) {
  course::ExperimentInfo info{"12_task_scheduler", "costs", "What scheduling costs."};
  info.takes_n = info.takes_reps = true;
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, lesson12::costs::run);
}

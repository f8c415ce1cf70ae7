// SPDX-License-Identifier: MIT
// What does scheduling cost? Tasks per second without queues that all share, beside the same tasks from a list; and how
// near a search comes to what no scheduler can beat: the list's rate, or the longest path of the forest, one node after the other.
// Program 12_task_scheduler.costs.
#include <algorithm>
#include <optional>
#include <string>

#include "common/device_buffer.cuh"
#include "common/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/12_task_scheduler/task_scheduler.cuh"

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
};
constexpr Way kWays[] = {{"tree_static", &launch_tree_static},
                         {"tree_levels", &launch_tree_levels},
                         {"tree_persistent", &launch_tree_persistent},
                         {"tree_list", &launch_tree_list}};
constexpr std::size_t kLevelsWay = 1, kPersistent = 2, kList = 3;

struct Measured {
  const char* tree;
  const char* rounds;
  double nodes = 0, levels = 0, us[std::size(kWays)] = {}, step_us = 0;
  double best_us() const { return std::max(us[kList], levels * step_us); }
};

bool measure(course::Experiment& e, std::size_t n, Measured& m) {
  const auto problem =
      course::make_tree({e.device, n, 256, 1, {{"tree", m.tree}, {"rounds", m.rounds}}});
  const TreeSearch task = problem->task();
  course::Stopwatch watch(e.device, course::Flush::None);
  m.nodes = static_cast<double>(task.node_count);
  m.levels = static_cast<double>(search_by_levels(task));
  bool ok = problem->judge(false).verdict.ok;
  for (std::size_t i = 0; i < std::size(kWays); ++i) {
    problem->poison();
    m.us[i] = watch.measure([&] { kWays[i].launch(task); }, e.reps > 0 ? e.reps : 5).median_us;
    const auto finding = problem->judge(false);
    if (!finding.verdict.ok)
      ok = false, std::printf("FAIL %s: %s\n", kWays[i].id, finding.where.c_str());
  }
  constexpr std::uint32_t kSteps = 1000;
  course::DeviceBuffer<Task> out(1);
  m.step_us =
      watch.measure([&] { alone<<<1, 1>>>(task.rule, kSteps, out.data()); }, 3).median_us / kSteps;
  return ok;
}

bool run(course::Experiment& e) {
  const std::size_t n = e.n.value_or(e.device.emulated ? 1u << 14 : 1u << 26);
  course::Table rates{"rates", "Tasks per second", "million/s", {"forest"}};
  for (const Way& way : kWays) rates.columns.emplace_back(way.id);
  course::Table costs{"costs",
                      "What scheduling costs: the search in one launch beside what it could be",
                      "",
                      {"forest", "tasks", "levels", "us alone per task", "% of the list",
                       "times tree_levels", "% of the best possible"}};
  bool ok = true;
  for (const char* const tree : {"bushy", "uneven", "deep", "chain"}) {
    for (const char* const rounds : {"8", "20"}) {
      Measured m{tree, rounds};
      ok &= measure(e, n, m);
      const std::string name = std::string(tree) + ", " + rounds + " rounds";
      course::TableRow row{name, {}};
      for (const double us : m.us) row.values.emplace_back(m.nodes / us);
      rates.rows.push_back(row);
      const double us = m.us[kPersistent];
      // The model follows no chain of tasks through stacks and queues: modelled, the last column would say nothing.
      std::optional<double> of_best;
      if (!e.device.emulated) of_best = 100 * m.best_us() / us;
      costs.rows.push_back(
          {name,
           {m.nodes, m.levels, m.step_us, 100 * m.us[kList] / us, m.us[kLevelsWay] / us, of_best}});
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

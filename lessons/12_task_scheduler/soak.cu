// SPDX-License-Identifier: MIT
// A billion tasks, none lost and none run twice: the scheduler on the whole GPU, with far more blocks than fit, with
// one block, and with queues that are nearly always full. The CPU counts the same forests. Program 12_task_scheduler.soak.
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/parallel.hpp"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/12_task_scheduler/task_scheduler.cuh"

namespace lesson12::soak {
namespace {

using S = Scheduler<TreeJob>;

struct Shape {
  const char* name;
  const char* tree;
  double share;     // of the tasks asked for
  unsigned blocks;  // 0: as many as fit, times `over`
  unsigned over;
  std::uint32_t capacity;  // of a block's queue
};
constexpr Shape kShapes[] = {
    {"whole GPU", "uneven", 1.0, 0, 1, 2048},
    {"8 times as many blocks", "uneven", 0.1, 0, 8, 2048},
    {"one block", "uneven", 0.01, 1, 1, 1u << 16},
    {"deep trees", "deep", 0.1, 0, 1, 2048},
    {"queues of 64", "bushy", 0.1, 0, 1, 64},
};

// Runs until it ends by itself: after a stop for want of room, what is left is run on.
struct Run {
  TreeTotals totals;
  double us = 0;
  unsigned stops = 0;
};
Run run_shape(const course::Device& device, const Shape& shape, const TreeRule& rule,
              const std::vector<std::uint64_t>& roots) {
  const unsigned fit = blocks_to_fill<S>(device) / (device.small ? 32 : 1);
  const unsigned blocks = shape.blocks > 0 ? shape.blocks : fit * shape.over;
  course::DeviceBuffer<std::byte> memory(S::bytes(blocks, shape.capacity));
  course::DeviceBuffer<std::uint64_t> first(roots);
  course::DeviceBuffer<TreeTotals> totals(std::vector<TreeTotals>(1));
  S s(memory.data(), blocks, shape.capacity);
  s.set_up();
  s.roots = reinterpret_cast<const Task*>(first.data());
  s.root_count = roots.size();
  Run run;
  course::Event start, stop;
  start.record();
  run.stops = lesson12::run_to_the_end(s, TreeJob(rule, totals.data()));
  stop.record();
  stop.wait();
  run.us = stop.us_since(start);
  run.totals = totals.download()[0];
  return run;
}

bool run(course::Experiment& e) {
  const double tasks = static_cast<double>(e.n.value_or(e.device.small ? 20'000 : 1'000'000'000));
  course::Table table{"soak",
                      "Tasks that were run, and how many of them were too few or too many",
                      "",
                      {"how", "tasks", "too few", "too many", "sums differ", "stops", "million/s"}};
  bool ok = true;
  for (const Shape& shape : kShapes) {
    const TreeRule rule = course::tree_rule(shape.tree, 8);
    const double per_root = 1 / (1 - rule.chance / 0x1p32 * rule.kids);
    std::vector<std::uint64_t> roots(static_cast<std::size_t>(tasks * shape.share / per_root) + 1);
    for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = course::random_bits(77, i);
    const TreeTotals truth = course::cpu_tree(roots, rule, course::cpu_threads());
    const Run got = run_shape(e.device, shape, rule, roots);
    const double difference =
        static_cast<double>(got.totals.count) - static_cast<double>(truth.count);
    const bool sums = got.totals.sum == truth.sum;
    ok = ok && difference == 0 && sums;
    table.rows.push_back({shape.name,
                          {static_cast<double>(got.totals.count), std::max(0.0, -difference),
                           std::max(0.0, difference), sums ? 0.0 : 1.0,
                           static_cast<double>(got.stops), got.totals.count / got.us}});
  }
  table.counts = true;
  e.add(std::move(table));
  return ok;
}

}  // namespace
}  // namespace lesson12::soak

int main(int argc, char** argv) {
  course::ExperimentInfo info{"12_task_scheduler", "soak", "A billion tasks, none lost."};
  info.takes_n = true;
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, lesson12::soak::run);
}

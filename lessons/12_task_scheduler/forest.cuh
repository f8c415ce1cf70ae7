// SPDX-License-Identifier: MIT
// A forest for measurements: its roots are drawn, and everything else is found out on the GPU, where a hundred million
// nodes take milliseconds. No root is passed over, so the number of nodes is not exactly what was asked for.
#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/fits.hpp"
#include "common/input.hpp"
#include "common/timing.cuh"
#include "lessons/12_task_scheduler/task_scheduler.cuh"

namespace lesson12 {

// Roots with about so many nodes below them.
inline std::vector<std::uint64_t> draw_roots(const TreeRule& rule, std::size_t nodes) {
  const double per_root = 1 / (1 - rule.chance / 0x1p32 * rule.kids);
  std::vector<std::uint64_t> roots(static_cast<std::size_t>(static_cast<double>(nodes) / per_root) +
                                   1);
  for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = course::random_bits(12, i);
  return roots;
}

// Half a billion on a GPU, or what there is room for: the longest path should take a small part of the time.
inline std::size_t nodes_for(const course::Device& device) {
  if (device.small) return 4096;
  std::size_t free = 0, total = 0;
  COURSE_CHECK(cudaMemGetInfo(&free, &total));
  std::size_t nodes = std::size_t{1} << 29;
  while (nodes > 1024 && 40 * nodes > free) nodes /= 2;
  return nodes;
}

// The time of one way through a forest.
inline double median_us(void (*launch)(const TreeSearch&), const TreeSearch& task, int samples) {
  std::vector<double> us;
  course::Event start, stop;
  for (int i = 0; i < samples; ++i) {
    start.record();
    launch(task);
    stop.record();
    stop.wait();
    us.push_back(stop.us_since(start));
  }
  return course::summarise(us).median_us;
}

class Forest {
 public:
  Forest(const course::Device& device, const TreeRule& rule, std::size_t nodes)
      : roots_(draw_roots(rule, nodes)), totals_(1) {
    course::check_bytes_fit(26.0 * static_cast<double>(nodes), 4 * nodes, device);
    task_.roots = roots_.data();
    task_.root_count = roots_.size();
    task_.rule = rule;
    task_.totals = totals_.data();
    task_.owner = &owner_;
    task_.device = &device;
    make_room(nodes);
    launch_tree_persistent(task_);  // how many nodes there are, one search tells
    truth_ = totals_.download()[0];
    make_room(truth_.count);
    write_down();
    if (!found_right()) throw std::runtime_error("two ways through a forest found different nodes");
  }
  const TreeSearch& task() const { return task_; }
  std::size_t levels() const { return levels_; }
  // Whether the last search found what the first found: as many nodes, and the same sum.
  bool found_right() const {
    const TreeTotals got = totals_.download()[0];
    return got.count == truth_.count && got.sum == truth_.sum;
  }

 private:
  // For two levels of the largest size, or the scheduler's queues.
  void make_room(std::size_t nodes) {
    const std::size_t queues = task_.device->small ? course::kTreeRoom : 64 * course::kTreeRoom;
    memory_ = nullptr;
    memory_ = std::make_unique<course::DeviceBuffer<std::byte>>(16 * nodes + queues);
    owner_ = nullptr;
    task_.memory = memory_->data();
    task_.memory_bytes = memory_->size();
    task_.node_count = nodes;
  }
  // All nodes, level behind level.
  void write_down() {
    nodes_ = std::make_unique<course::DeviceBuffer<Task>>(task_.node_count);
    clear_totals(task_);
    auto* const next_size = reinterpret_cast<unsigned long long*>(task_.memory);
    Task* level = nodes_->data();
    COURSE_CHECK(cudaMemcpy(level, roots_.data(), roots_.bytes(), cudaMemcpyDeviceToDevice));
    for (unsigned long long size = roots_.size(); size > 0; ++levels_) {
      COURSE_CHECK(cudaMemsetAsync(next_size, 0, sizeof *next_size));
      one_level<<<course::full_grid(*task_.device, size, task_.block), task_.block>>>(
          level, size, level + size, next_size, {task_.rule, task_.totals});
      COURSE_CHECK(cudaGetLastError());
      level += size;
      COURSE_CHECK(cudaMemcpy(&size, next_size, sizeof size, cudaMemcpyDeviceToHost));
    }
    task_.nodes = reinterpret_cast<const std::uint64_t*>(nodes_->data());
  }
  course::DeviceBuffer<std::uint64_t> roots_;
  course::DeviceBuffer<TreeTotals> totals_;
  std::unique_ptr<course::DeviceBuffer<std::byte>> memory_;
  std::unique_ptr<course::DeviceBuffer<Task>> nodes_;
  const void* owner_ = nullptr;
  TreeSearch task_;
  TreeTotals truth_;
  std::size_t levels_ = 0;
};

}  // namespace lesson12

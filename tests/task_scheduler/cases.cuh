// SPDX-License-Identifier: MIT
// The queues of lesson 12 and its scheduler as rows of the search over schedules (tests/lock_free).
#pragma once

#include "lessons/12_task_scheduler/persistent.cuh"
#include "lock_free/queue_cases.cuh"

namespace task_scheduler {

using namespace lesson12;
using namespace lock_free;
using lesson06::RingOrders;

// A queue of tasks with the calls of lesson 06. The halves of a task are equal: one whose halves are of two moments,
// or of two tasks, is seen.
template <class Queue>
struct Halves : Queue {
  using Queue::Queue;
  static constexpr Task kBoth = 0x100000001ull;
  __device__ bool push(std::uint32_t value) { return Queue::push(value * kBoth); }
  __device__ bool pop(std::uint32_t& value) {
    Task task = 0;
    if (!Queue::pop(task)) return false;
    value = task % kBoth == 0 ? static_cast<std::uint32_t>(task) : 0xbad;
    return true;
  }
};

// ---- the whole scheduler, on the tasks 1 to `tasks` of a tree: task k makes 2k and 2k + 1

template <std::uint32_t kOfLevels>
class Numbered {
 public:
  static constexpr std::uint32_t kMost = 2, kLevels = kOfLevels;
  static constexpr bool kUrgentFirst = kOfLevels > 1;
  struct Made {
    Task task;
    std::uint32_t count;
  };
  struct Record {
    std::uint32_t message, ran, early;
  };
  Numbered(Record* records, std::uint32_t tasks) : records_(records), tasks_(tasks) {}

  __device__ void look(bool, Task) {}
  __device__ Made run(Task task) const {
    Record& mine = records_[task];
    if (mine.message != message_for(task)) atomicAdd(&mine.early, 1u);
    atomicAdd(&mine.ran, 1u);
    const auto last = static_cast<std::uint32_t>(2 * task + 1);
    Made made{task, last <= tasks_ ? 2u : last == tasks_ + 1 ? 1u : 0u};
    // An ordinary store: the way through stacks and queues must make it visible.
    for (std::uint32_t i = 0; i < made.count; ++i)
      records_[2 * task + i].message = message_for(2 * task + i);
    return made;
  }
  __device__ void count(const Made&) {}
  __device__ Task child(const Made& made, std::uint32_t i) const { return 2 * made.task + i; }
  __device__ std::uint32_t level(Task task) const { return task % kLevels; }
  __device__ std::uint32_t first_level() const { return 0; }
  __device__ void finish() {}
  static __host__ __device__ std::uint32_t message_for(Task task) {
    return 1000 + static_cast<std::uint32_t>(task);
  }

 private:
  Record* records_;
  std::uint32_t tasks_;
};

// So small that a handful of tasks goes through queues.
struct Tiny : Shared {
  static constexpr int kWarps = 1;
  static constexpr std::uint32_t kKeep = 2;
  static constexpr long long kOffer = 4;
};

// Two warps share a queue.
struct Pairs : Tiny {
  static constexpr int kWarps = 2;
};

// And a warp hands on whatever it has as often as it can.
struct Poor : Pairs {
  static constexpr std::uint32_t kPoor = 32;
  static constexpr unsigned kMergeEvery = 2;
};

template <class Job, class Orders, class How>
class SchedulerRunner final : public Runner {
  using S = Scheduler<Job, How, Orders>;
  static constexpr unsigned kMostBlocks = 4;
  static constexpr std::uint32_t kMostTasks = 24;

 public:
  History run(const Plan& plan, const Setting& setting) override {
    const std::uint32_t tasks = 4 + (plan.size() * 5 + plan.capacity) % (kMostTasks - 4);
    std::vector<typename Job::Record> records(kMostTasks + 2, typename Job::Record{0, 0, 0});
    records[1].message = Job::message_for(1);
    records_.upload(records);
    // A stack has room for all tasks here: full queues come, and nobody has to stop.
    S s(memory_.data(), std::max(2u, plan.blocks), 32 + plan.capacity);
    s.set_up();
    s.roots = root_.data();
    s.root_count = 1;
    COURSE_CHECK(cudaDeviceSynchronize());
    {
      const ScopedSetting scoped(setting);
      run_all(s, Job(records_.data(), tasks));
      COURSE_CHECK(cudaDeviceSynchronize());
    }
    records = records_.download();
    History history;
    for (std::uint32_t k = 1; k < records.size(); ++k) {
      if (k <= tasks) history.push_back(operation(Kind::Push, k));
      for (std::uint32_t i = 0; i < records[k].ran; ++i) {
        history.push_back(operation(Kind::Pop, k));
        history.back().key = records[k].early > 0;
      }
    }
    return history;
  }

 private:
  static Operation operation(Kind kind, std::uint32_t task) {
    Operation made;
    made.kind = kind;
    made.phase = kind == Kind::Push ? Phase::Before : Phase::After;
    made.value = made.result = task;
    made.ok = 1;
    return made;
  }
  course::DeviceBuffer<std::byte> memory_{S::bytes(kMostBlocks, 64)};
  course::DeviceBuffer<typename Job::Record> records_{kMostTasks + 2};
  course::DeviceBuffer<Task> root_{std::vector<Task>{1}};
};

template <class Job, class Orders = RingOrders, class How = Tiny>
Case scheduler(std::string id) {
  Case row{std::move(id), Shape::Tasks};
  row.make = [] { return std::make_unique<SchedulerRunner<Job, Orders, How>>(); };
  return row;
}
template <class Job, class Orders>
Case weak_scheduler(std::string id) {
  Case row = scheduler<Job, Orders>(std::move(id));
  row.expect = Expect::Wrong;
  row.weak_only = true;
  row.reason = "one order is weaker than the scheduler needs";
  return row;
}

template <class Orders>
using OneByOne = Halves<TaskQueue<Orders>>;
template <class Orders>
using ByWarp = Halves<WarpTaskQueue<Orders>>;

inline void add_all(std::vector<Case>& cases) {
  std::vector<Case> rows;
  queues::add_ring<OneByOne>(rows, "task_queue");
  queues::add_ring<ByWarp>(rows, "task_queue_warp");
  rows.push_back(scheduler<Numbered<1>>("scheduler"));
  rows.push_back(scheduler<Numbered<2>>("scheduler_levels"));
  rows.push_back(scheduler<Numbered<1>, RingOrders, Pairs>("scheduler_pairs"));
  rows.push_back(scheduler<Numbered<1>, RingOrders, Poor>("scheduler_poor"));
  rows.push_back(weak_scheduler<Numbered<1>, queues::SeeTurn>("scheduler.kSeeTurn=relaxed"));
  rows.push_back(weak_scheduler<Numbered<1>, queues::PassTurn>("scheduler.kPassTurn=relaxed"));
  rows.push_back(weak_scheduler<Numbered<1>, queues::RingScope>("scheduler.kScope=block"));
  for (Case& row : rows) {
    row.lesson = "12_task_scheduler";
    cases.push_back(std::move(row));
  }
}

}  // namespace task_scheduler

// SPDX-License-Identifier: MIT
// What the scheduler of lesson 12 promises where there is no room, nothing to do, or a task that wants too much.
#include "lessons/12_task_scheduler/task_scheduler.cuh"

#include <algorithm>
#include <vector>

#include "common/device_buffer.cuh"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace lesson12;
using course::DeviceBuffer;

namespace {

// Task: depth << 32 | number. Every task above the last depth makes eight; one of them wants nine. With kUrgent it
// says that urgency decides: then a warp without room does not go down one way first, and fills up.
template <bool kUrgent = false, std::uint32_t kOfLevels = 1>
class Fan {
 public:
  static constexpr std::uint32_t kMost = 8, kLevels = kOfLevels;
  static constexpr bool kUrgentFirst = kUrgent;
  static constexpr Task kGreedy = 2ull << 32 | 20;
  struct Made {
    Task task;
    std::uint32_t count;
  };
  Fan(unsigned long long* ran, std::uint32_t depth, bool greedy)
      : ran_(ran), depth_(depth), greedy_(greedy) {}
  __device__ void look(bool, Task) {}
  __device__ Made run(Task task) const {
    return {task, greedy_ && task == kGreedy ? 9u : task >> 32 < depth_ ? 8u : 0u};
  }
  __device__ void count(const Made&) { ++mine_; }
  __device__ Task child(const Made& made, std::uint32_t i) const {
    return ((made.task >> 32) + 1) << 32 | ((made.task & 0xffffffff) * 8 + i);
  }
  __device__ std::uint32_t level(Task task) const { return task % kLevels; }
  __device__ std::uint32_t first_level() const { return 0; }
  __device__ void finish() {
    if (mine_ > 0) atomicAdd(ran_, mine_);
  }

 private:
  unsigned long long* ran_;
  std::uint32_t depth_;
  bool greedy_;
  unsigned long long mine_ = 0;
};
using OneLevel = Fan<true, 1>;
using TwoLevels = Fan<true, 2>;
struct OneWarp : Shared {
  static constexpr int kWarps = 1;
};

template <class How = OneWarp, class Job = Fan<>>
struct Trial {
  using S = Scheduler<Job, How>;
  Trial(unsigned blocks, std::uint32_t capacity, const std::vector<Task>& from)
      : memory(S::bytes(blocks, capacity)), roots(from), s(memory.data(), blocks, capacity) {
    s.set_up();
    s.roots = roots.data();
    s.root_count = from.size();
  }
  Ended run(unsigned long long* ran, std::uint32_t depth, bool greedy = false) {
    run_all(s, Job(ran, depth, greedy));
    return how_it_ended(s);
  }
  std::vector<Task> left() {
    constexpr std::size_t kMost = 100000;
    DeviceBuffer<Task> out(kMost);
    DeviceBuffer<unsigned long long> count(std::vector<unsigned long long>(1));
    gather_left<<<2, 64>>>(s, out.data(), kMost, count.data());
    auto tasks = out.download();
    tasks.resize(count.download()[0]);
    std::sort(tasks.begin(), tasks.end());
    return tasks;
  }
  DeviceBuffer<std::byte> memory;
  DeviceBuffer<Task> roots;
  S s;
};
// Tasks at and below this one.
unsigned long long all_below(Task task, std::uint32_t depth) {
  unsigned long long sum = 0, width = 1;
  for (auto d = static_cast<std::uint32_t>(task >> 32); d <= depth; ++d, width *= 8) sum += width;
  return sum;
}

}  // namespace

TEST_CASE("nothing to do ends at once") {
  DeviceBuffer<unsigned long long> ran(std::vector<unsigned long long>(1));
  Trial<> trial(3, 4, {});
  CHECK(trial.run(ran.data(), 3) == Ended::Done);
  CHECK(ran.download()[0] == 0);
}

TEST_CASE("one block, many blocks, static shares: every task is run once") {
  constexpr std::uint32_t kDepth = 4;
  for (const unsigned blocks : {1u, 40u}) {
    DeviceBuffer<unsigned long long> ran(std::vector<unsigned long long>(1));
    Trial<Shared> trial(blocks, 2048, {0});
    CHECK(trial.run(ran.data(), kDepth) == Ended::Done);
    CHECK(ran.download()[0] == all_below(0, kDepth));
    CHECK(trial.run(ran.data(), kDepth) ==
          Ended::Done);  // as it was left, without another set_up()
    CHECK(ran.download()[0] == 2 * all_below(0, kDepth));
  }
  DeviceBuffer<unsigned long long> ran(std::vector<unsigned long long>(1));
  Trial<Apart> apart(3, 4096, {1ull << 32, 1ull << 32 | 1, 1ull << 32 | 2, 1ull << 32 | 3});
  apart.run(ran.data(), kDepth);
  CHECK(ran.download()[0] == 4 * all_below(1ull << 32, kDepth));
}

// One warp has room for 512 tasks of a level, and a queue of so few takes none of the others.
TEMPLATE_TEST_CASE("full: everybody stops, and what is left can be run with more room", "",
                   OneLevel, TwoLevels) {
  constexpr std::uint32_t kDepth = 4;
  DeviceBuffer<unsigned long long> ran(std::vector<unsigned long long>(1));
  std::vector<Task> tasks{0};
  constexpr unsigned kLeast = 2 / TestType::kLevels;  // a stack for each level: more room
  unsigned stops = 0;
  for (std::uint32_t capacity = 1; !tasks.empty(); capacity *= 8, ++stops) {
    Trial<OneWarp, TestType> trial(1, capacity, tasks);
    const Ended ended = trial.run(ran.data(), kDepth);
    CHECK(ended == (stops < kLeast ? Ended::Full : ended));
    tasks = ended == Ended::Done ? std::vector<Task>{} : trial.left();
    CHECK(std::adjacent_find(tasks.begin(), tasks.end()) == tasks.end());  // nothing twice
    unsigned long long open = 0;
    for (const Task task : tasks) open += all_below(task, kDepth);
    CHECK(ran.download()[0] + open == all_below(0, kDepth));  // nothing lost
    REQUIRE(stops < 8);
  }
  CHECK(stops > kLeast);
}

// A single block of that room stops; here seven others have room.
TEST_CASE("what a full queue refuses goes to the queues of others") {
  constexpr std::uint32_t kDepth = 4;
  DeviceBuffer<unsigned long long> ran(std::vector<unsigned long long>(1));
  Trial<OneWarp, OneLevel> alone(1, 64, {0});
  CHECK(alone.run(ran.data(), kDepth) == Ended::Full);
  ran.upload({0});
  Trial<OneWarp, OneLevel> trial(64, 64, {0});
  CHECK(trial.run(ran.data(), kDepth) == Ended::Done);
  CHECK(ran.download()[0] == all_below(0, kDepth));
}

TEMPLATE_TEST_CASE("run_to_the_end goes on with what a full scheduler has left", "", OneLevel,
                   TwoLevels) {
  constexpr std::uint32_t kDepth = 4;
  DeviceBuffer<unsigned long long> ran(std::vector<unsigned long long>(1));
  Trial<OneWarp, TestType> trial(1, 1, {0});
  CHECK(run_to_the_end(trial.s, TestType(ran.data(), kDepth, false)) > 0);
  CHECK(ran.download()[0] == all_below(0, kDepth));
}

TEST_CASE("who goes down one way first needs little room") {
  constexpr std::uint32_t kDepth = 4;
  DeviceBuffer<unsigned long long> ran(std::vector<unsigned long long>(1));
  Trial<> trial(1, 1, {0});
  CHECK(trial.run(ran.data(), kDepth) == Ended::Done);
  CHECK(ran.download()[0] == all_below(0, kDepth));
}

TEST_CASE("a task that wants too many children stops all, and is not counted as run") {
  constexpr std::uint32_t kDepth = 3;
  DeviceBuffer<unsigned long long> ran(std::vector<unsigned long long>(1));
  Trial<> trial(2, 1000, {0});
  CHECK(trial.run(ran.data(), kDepth, true) == Ended::TooMany);
  const auto tasks = trial.left();
  CHECK(std::count(tasks.begin(), tasks.end(), Fan<>::kGreedy) == 1);
  unsigned long long open = 0;
  for (const Task task : tasks) open += all_below(task, kDepth);
  CHECK(ran.download()[0] + open == all_below(0, kDepth));
  Trial<> rest(2, 1000, tasks);  // somebody has mended the job
  CHECK(rest.run(ran.data(), kDepth) == Ended::Done);
  CHECK(ran.download()[0] == all_below(0, kDepth));
}

// At 2^26 words of streets a block had more tasks than its queue holds, and distances were wrong.
TEST_CASE("shortest paths with hardly any room are right") {
  const auto device = support::device();
  for (const char* const graph : {"roads", "random"}) {
    const auto problem = course::make_paths({device, 20003, 256, 1, {{"graph", graph}}});
    Paths paths = problem->task();
    for (const unsigned blocks : {1u, 3u}) {
      problem->poison();
      paths.memory_bytes = 256 + Scheduler<PathsJob>::bytes(blocks, blocks);
      *paths.owner = nullptr;
      launch_paths_urgent(paths);
      CHECK(problem->judge(false).verdict.ok);
    }
  }
}

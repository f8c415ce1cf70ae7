// SPDX-License-Identifier: MIT
// Who works when? Every warp adds the time of each batch to its multiprocessor's slice of time: static shares beside
// the scheduler, on the same forest. Program 12_task_scheduler.idle; on the emulator time is counted in warp
// instructions. What the watching itself costs is in the times.
#include <algorithm>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "lessons/12_task_scheduler/task_scheduler.cuh"

namespace lesson12::idle {
namespace {

constexpr int kSlices = 32;

// Busy time by slice and multiprocessor. A batch that reaches over several slices is counted in each.
struct Clocked {
  unsigned long long* busy;  // [multiprocessor][slice]
  unsigned long long start, slice;
  unsigned multiprocessor;
  unsigned long long since = 0;

  static __device__ unsigned long long now() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
  }
  __device__ void began() { since = now(); }
  __device__ void ran(std::uint32_t) {
    const unsigned long long end = now();
    if (lane_number() == 0)
      for (unsigned long long t = since; t < end;) {
        const unsigned long long at = (t - start) / slice;
        const unsigned long long next = min(end, start + (at + 1) * slice);
        if (at < kSlices) atomicAdd(busy + multiprocessor * kSlices + at, next - t);
        t = next;
      }
  }
  __device__ void idle() {}
};
// The kernel's argument: every warp finds out where it is.
struct Clocks {
  unsigned long long* busy;
  unsigned long long* times;  // when the first began, when the last ended
  unsigned long long slice;
};

template <class How>
__global__ void __launch_bounds__(Scheduler<TreeJob, How>::kWarps * 32,
                                  Scheduler<TreeJob, How>::kBlocks)
    watched(const __grid_constant__ Scheduler<TreeJob, How> s, TreeJob job, Clocks clocks) {
  using S = Scheduler<TreeJob, How>;
  extern __shared__ Task room[];
  __shared__ SchedulerWords own;
  SchedulerWords* const words = words_of_block(s, own);
  if (threadIdx.x == 0) atomicMin(clocks.times, Clocked::now());
  __syncthreads();
  unsigned sm;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  const unsigned long long start =
      cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>(*clocks.times).load(kRelaxed);
  Clocked watch{clocks.busy, start, clocks.slice, sm};
  Worker<TreeJob, How, lesson06::RingOrders, Clocked> worker(
      s, job, room + threadIdx.x / 32 * (S::Stacks::kBytes / sizeof(Task)), words, watch);
  worker.work();
  if (lane_number() == 0) atomicMax(clocks.times + 1, Clocked::now());
}

struct Seen {
  std::vector<double> busy;  // of each multiprocessor and slice, in warps
  double us = 0, warps = 0;
};
// Twice: the first run says how long the second will take.
template <class How>
Seen look(const course::Device& device, const TreeSearch& t) {
  using S = Scheduler<TreeJob, How>;
  const auto sms = static_cast<std::size_t>(device.multiprocessors);
  course::DeviceBuffer<unsigned long long> busy(sms * kSlices), times(2);
  auto s = scheduler_for<S>(t, t.node_count);
  s.set_up();
  s.roots = reinterpret_cast<const Task*>(t.roots);
  s.root_count = t.root_count;
  unsigned long long slice = ~0ull >> 8;
  Seen seen;
  for (int round = 0; round < 2; ++round) {
    clear_totals(t);
    COURSE_CHECK(cudaMemset(busy.data(), 0, busy.bytes()));
    times.upload({~0ull, 0});
    prepare<<<1, 1>>>(s);
    watched<How><<<s.blocks, S::kWarps * 32, S::kWarps * S::Stacks::kBytes>>>(
        s, TreeJob(t.rule, t.totals), {busy.data(), times.data(), slice});
    COURSE_CHECK(cudaGetLastError());
    const auto ends = times.download();
    slice = (ends[1] - ends[0]) / kSlices + 1;
    seen.us = static_cast<double>(ends[1] - ends[0]) / 1e3;
  }
  seen.warps = static_cast<double>(s.blocks) * S::kWarps / static_cast<double>(sms);
  for (const auto ns : busy.download())
    seen.busy.push_back(static_cast<double>(ns) / (static_cast<double>(slice) * seen.warps));
  return seen;
}

void add_tables(course::Experiment& e, const std::string& id, const std::string& title,
                const Seen& seen) {
  const auto sms = static_cast<std::size_t>(e.device.multiprocessors);
  constexpr std::size_t kGroups = 12;
  course::Table table{"busy_" + id, title, "% of the warps' time", {"slice"}};
  for (std::size_t g = 0; g < kGroups; ++g)
    table.columns.push_back("SM " + std::to_string(g * sms / kGroups) + "-" +
                            std::to_string((g + 1) * sms / kGroups - 1));
  for (int slice = 0; slice < kSlices; ++slice) {
    course::TableRow row{std::to_string(slice + 1), {}};
    for (std::size_t g = 0; g < kGroups; ++g) {
      double sum = 0;
      for (std::size_t m = g * sms / kGroups; m < (g + 1) * sms / kGroups; ++m)
        sum += std::min(1.0, seen.busy[m * kSlices + static_cast<std::size_t>(slice)]);
      row.values.emplace_back(100 * sum * kGroups / static_cast<double>(sms));
    }
    table.rows.push_back(std::move(row));
  }
  e.add(std::move(table));
}

bool run(course::Experiment& e) {
  const std::size_t n = e.n.value_or(e.device.small ? 1u << 15 : 1u << 26);
  const auto problem =
      course::make_tree({e.device, n, 256, 1, {{"tree", "uneven"}, {"rounds", "8"}}});
  const TreeSearch task = problem->task();
  course::Table idle{
      "idle", "Idle share of the multiprocessors' warps", "%", {"how", "all", "busiest", "idlest"}};
  bool ok = true;
  const auto one = [&](const std::string& id, const std::string& name, const Seen& seen) {
    ok = ok && problem->judge(false).verdict.ok;
    std::vector<double> shares;
    for (std::size_t m = 0; m < seen.busy.size() / kSlices; ++m) {
      double sum = 0;
      for (int i = 0; i < kSlices; ++i)
        sum += std::min(1.0, seen.busy[m * kSlices + static_cast<std::size_t>(i)]);
      shares.push_back(100 - 100 * sum / kSlices);
    }
    double all = 0;
    for (const double share : shares) all += share / static_cast<double>(shares.size());
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    idle.rows.push_back({name, {all, *least, *most}});
    add_tables(e, id, name + ": busy warps over time, by multiprocessors", seen);
  };
  one("static", "static shares", look<Apart>(e.device, task));
  one("shared", "stealing", look<Shared>(e.device, task));
  e.add(std::move(idle));
  return ok;
}

}  // namespace
}  // namespace lesson12::idle

int main(int argc, char** argv) {
  course::ExperimentInfo info{"12_task_scheduler", "idle", "Who works when, and who is idle."};
  info.takes_n = true;
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, lesson12::idle::run);
}

// SPDX-License-Identifier: MIT
// What does order cost? The clock cycles in which a thread raises a flag after it wrote four cache
// lines: without order, with release in each scope, with fences, with sequential consistency; one
// thread alone, and with more and more threads that do the same.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/program/experiment.cuh"
#include "lessons/06_lock_free/message.cuh"

namespace {

using namespace lesson06;

struct Shape {
  unsigned blocks, block;
  const char* name;
};

// The median over the threads, per flag.
template <class Flag>
double cycles(const Shape& shape, unsigned rounds) {
  const std::size_t threads = std::size_t{shape.blocks} * shape.block;
  course::DeviceBuffer<std::uint32_t> words(threads * (kLines + 1) * 32);
  course::DeviceBuffer<long long> cycles(threads);
  COURSE_CHECK(cudaMemset(words.data(), 0, words.bytes()));
  for (int i = 0; i < 2; ++i) {  // the first time warms up
    flag_cost<Flag><<<shape.blocks, shape.block>>>(words.data(), rounds, cycles.data());
    COURSE_CHECK(cudaGetLastError());
  }
  std::vector<long long> each = cycles.download();
  const auto middle = each.begin() + static_cast<std::ptrdiff_t>(each.size() / 2);
  std::nth_element(each.begin(), middle, each.end());
  return static_cast<double>(*middle) / rounds;
}

struct Way {
  const char* name;
  double (*cycles)(const Shape&, unsigned);
};
constexpr Way kWays[] = {
    {"plain store (wrong)", &cycles<PlainFlag>},
    {"release, block (wrong between blocks)", &cycles<OrderedFlag<BlockOrders>>},
    {"release, device", &cycles<OrderedFlag<>>},
    {"release, system", &cycles<OrderedFlag<SystemOrders>>},
    {"seq_cst, device", &cycles<OrderedFlag<SeqCstOrders>>},
    {"fence release, device",
     &cycles<FenceFlag<cuda::memory_order_release, cuda::thread_scope_device>>},
    {"fence seq_cst, device",
     &cycles<FenceFlag<cuda::memory_order_seq_cst, cuda::thread_scope_device>>},
    {"fence seq_cst, system",
     &cycles<FenceFlag<cuda::memory_order_seq_cst, cuda::thread_scope_system>>},
    {"__threadfence()", &cycles<ThreadFenceFlag>},
};

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"06_lock_free", "fences",
                              "What raising a flag costs, by order and scope."};
  info.flushes = course::Flushes::Never;
  return course::run_experiment(info, argc, argv, [](course::Experiment& e) {
    const auto all = static_cast<unsigned>(e.device.multiprocessors);
    std::vector<Shape> shapes = {{1, 1, "1 thread"}, {1, 32, "1 warp"}};
    if (!e.device.emulated) {
      shapes.push_back({all, 32, "a warp on each SM"});
      shapes.push_back({all, 1024, "32 warps on each SM"});
    }
    course::Table table{"raise", "Raising a flag after four stores", "cycles", {"flag"}};
    for (const Shape& shape : shapes) table.columns.emplace_back(shape.name);
    for (const Way& way : kWays) {
      course::TableRow row{way.name, {}};
      for (const Shape& shape : shapes)
        row.values.push_back(way.cycles(shape, e.device.small ? 4 : 256));
      table.rows.push_back(std::move(row));
    }
    e.add(std::move(table));
    return true;
  });
}

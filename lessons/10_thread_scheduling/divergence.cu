// SPDX-License-Identifier: MIT
// What does a warp pay for 1 to 32 ways through its code? With a branch, with predication, and where
// only numbers differ. Program 10_thread_scheduling.divergence.
#include <cstdio>
#include <string>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/program/experiment.cuh"
#include "common/timing.cuh"
#include "lessons/10_thread_scheduling/ways.cuh"

namespace {

using course::DeviceBuffer;
using namespace lesson10;

struct Column {
  const char* name;
  void (*launch)(const Ways&);
};
constexpr Column kColumns[] = {{"branch", &launch_way_branch},
                               {"all ways", &launch_way_all},
                               {"own constants", &launch_way_constants}};

class Curves {
 public:
  explicit Curves(course::Experiment& e)
      : e_(e),
        watch_(e.device, e.flush),
        n_(e.device.small ? 1u << 17 : 1u << 26),
        in_(n_),
        out_(n_) {
    x_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i)
      x_[i] = static_cast<std::uint32_t>(course::random_bits(1, i));
  }

  // together: the elements of a warp go the same way, so that there are as many ways and no divergence.
  void add_row(course::Table& table, unsigned ways, int steps, bool together) {
    auto x = x_;
    if (together)
      for (std::size_t i = 0; i < n_; ++i)
        x[i] = (x[i] & 0x07ffffffu) | static_cast<std::uint32_t>(i / 32 % 32) << 27;
    in_.upload(x);
    std::vector<std::uint32_t> right(n_);
    course::cpu_ways(x, right, ways, steps, e_.device.small ? 1 : 16);
    const Ways w{in_.data(), n_, out_.data(), 256, ways, steps, &e_.device};
    course::TableRow row{std::to_string(ways), {}};
    for (const auto& column : kColumns) {
      COURSE_CHECK(cudaMemset(out_.data(), 0xcd, out_.bytes()));
      row.values.push_back(watch_.measure([&] { column.launch(w); }, 11).median_us);
      if (out_.download() != right) {
        std::printf("FAIL %s, %u ways, %d steps\n", column.name, ways, steps);
        ok_ = false;
      }
    }
    table.rows.push_back(std::move(row));
  }
  bool ok() const { return ok_; }

 private:
  course::Experiment& e_;
  course::Stopwatch watch_;
  std::size_t n_;
  DeviceBuffer<std::uint32_t> in_, out_;
  std::vector<std::uint32_t> x_;
  bool ok_ = true;
};

bool measure_divergence(course::Experiment& e) {
  Curves curves(e);
  const auto table_of = [&](const char* id, const char* title, int steps, bool together) {
    course::Table table{id, title, "us", {"ways"}};
    for (const auto& column : kColumns) table.columns.emplace_back(column.name);
    for (const unsigned ways : {1u, 2u, 4u, 8u, 16u, 32u})
      curves.add_row(table, ways, steps, together);
    e.add(std::move(table));
  };
  table_of("long", "32 steps, lanes of a warp go different ways", 32, false);
  table_of("short", "2 steps, lanes of a warp go different ways", 2, false);
  table_of("together", "32 steps, lanes of a warp go the same way", 32, true);
  return curves.ok();
}

}  // namespace

int main(int argc, char** argv) {
  return course::run_experiment(
      {"10_thread_scheduling", "divergence", "What does a warp pay for its ways through the code?"},
      argc, argv, measure_divergence);
}

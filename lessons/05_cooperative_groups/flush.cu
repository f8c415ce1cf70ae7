// SPDX-License-Identifier: MIT
// What a launch finds in the L2 cache decides how long it takes: the last rung and the library's sum
// after nothing was done about it, after other data was read, and after other data was written. And
// the limit: how long reading alone takes. Program 05_cooperative_groups.flush.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/input.hpp"
#include "common/program/experiment.cuh"
#include "common/sums/cub_sum.hpp"
#include "common/sums/workspace.cuh"
#include "common/timing.cuh"
#include "lessons/05_cooperative_groups/roofline.cuh"

namespace {

using lesson05::Four;
using lesson05::Fours;
using lesson05::PlainLoad;
using lesson05::StreamingLoad;

// The loads of the last rung and its additions, and no word of the result. For whole tiles.
template <int kBlock, int kLoads, class Load>
__global__ void __launch_bounds__(kBlock, 2048 / kBlock) read_only(Fours<float> fours, float* out) {
  const float mine = lesson05::my_share_of_tiles<kBlock, kLoads, true, Load>(fours);
  if (mine == 1e30f) *out = mine;  // never: but the compiler does not know
}

template <int kBlock, int kLoads, class Load>
void launch_read_only(const course::Sum<float>& s, int blocks_each) {
  const Fours<float> fours = lesson05::as_fours(s.in, s.n);
  constexpr std::size_t kTile = std::size_t{kBlock} * kLoads;
  const auto most = static_cast<std::size_t>(blocks_each * s.device->multiprocessors);
  const auto blocks = std::clamp<std::size_t>((fours.count + kTile - 1) / kTile, 1, most);
  read_only<kBlock, kLoads, Load><<<static_cast<unsigned>(blocks), kBlock>>>(fours, s.out);
  COURSE_CHECK(cudaGetLastError());
}

// Nobody knows the best way to read: the fastest of several, with blocks that stay and blocks that go.
struct Way {
  void (*launch)(const course::Sum<float>&, int);
  int blocks_each;
};
constexpr Way kWays[] = {
    {&launch_read_only<1024, 2, StreamingLoad>, 2}, {&launch_read_only<1024, 2, StreamingLoad>, 32},
    {&launch_read_only<1024, 2, PlainLoad>, 32},    {&launch_read_only<512, 4, StreamingLoad>, 4},
    {&launch_read_only<512, 4, StreamingLoad>, 16}, {&launch_read_only<512, 4, PlainLoad>, 16},
    {&launch_read_only<256, 4, StreamingLoad>, 8},  {&launch_read_only<256, 4, StreamingLoad>, 32},
};

class Bench {
 public:
  Bench(const course::Experiment& e, std::size_t n)
      : e_(e),
        work_(n, 256, e.device),
        sum_(work_.sum()),
        cub_(course::cub_sum(sum_.in, n, sum_.out)) {
    const auto x = course::exact_floats(n, 1);
    work_.load(x);
    for (const float v : x) truth_ += v;
  }
  double roofline(course::Stopwatch& watch) {
    return timed(watch, [&] { lesson05::launch_roofline(sum_); });
  }
  double cub(course::Stopwatch& watch) { return timed(watch, cub_); }
  double reading(course::Stopwatch& watch) {
    double best = 0;
    for (const Way& way : kWays) {
      const auto launch = [&] { way.launch(sum_, way.blocks_each); };
      const double us = watch.measure(launch, e_.reps).median_us;
      if (best == 0 || us < best) best = us;
    }
    return best;
  }
  bool ok() const { return ok_; }

 private:
  double timed(course::Stopwatch& watch, course::FunctionRef<void()> launch) {
    work_.poison();
    const double us = watch.measure(launch, e_.reps).median_us;
    ok_ = ok_ && work_.result() == truth_;  // whole numbers: every order gives the same sum
    return us;
  }

  const course::Experiment& e_;
  course::Workspace<float> work_;
  course::Sum<float> sum_;
  course::CubCall cub_;
  float truth_ = 0;
  bool ok_ = true;
};

bool measure(course::Experiment& e) {
  course::Stopwatch none(e.device, course::Flush::None), clean(e.device, course::Flush::Clean),
      dirty(e.device, course::Flush::Dirty);
  course::Table times{
      "times",
      "The same sums, by what they find in the L2 cache",
      "",
      {"n", "roofline us, none", "roofline us, clean", "roofline us, dirty", "CUB us, none",
       "CUB us, clean", "CUB us, dirty", "x CUB, none", "x CUB, clean", "x CUB, dirty"}};
  course::Table limit{"limit",
                      "How far from reading alone, clean cache",
                      "",
                      {"n", "reading us", "roofline us", "CUB us", "roofline / reading",
                       "CUB / reading", "CUB / roofline"}};
  bool ok = true;
  std::vector<int> powers = {16, 18, 20, 22, 23, 24, 25, 26, 27, 28};
  if (e.device.small) powers = {14, 16};  // a tile has 2^13 elements
  for (const int power : powers) {
    Bench bench(e, std::size_t{1} << power);
    const double ours[] = {bench.roofline(none), bench.roofline(clean), bench.roofline(dirty)};
    const double theirs[] = {bench.cub(none), bench.cub(clean), bench.cub(dirty)};
    const double reading = bench.reading(clean);
    const std::string name = "2^" + std::to_string(power);
    times.rows.push_back({name,
                          {ours[0], ours[1], ours[2], theirs[0], theirs[1], theirs[2],
                           theirs[0] / ours[0], theirs[1] / ours[1], theirs[2] / ours[2]}});
    limit.rows.push_back({name,
                          {reading, ours[1], theirs[1], ours[1] / reading, theirs[1] / reading,
                           theirs[1] / ours[1]}});
    if (!bench.ok()) std::printf("FAIL: a sum of %s elements was wrong\n", name.c_str());
    ok = ok && bench.ok();
  }
  e.add(std::move(times));
  e.add(std::move(limit));
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  course::ExperimentInfo info{"05_cooperative_groups", "flush",
                              "What the L2 cache holds before a launch, and what that costs."};
  info.takes_reps = true;
  info.flushes = course::Flushes::EachWay;
  return course::run_experiment(info, argc, argv, measure);
}

// SPDX-License-Identifier: MIT
// Lesson 14 in every order of the devices' work, with weak memory: the system's scope is right, and whatever is weaker in
// one place is found. Only the emulator can choose orders; on GPUs nothing of this runs.
#include "lessons/14_multi_gpu/multi_gpu.cuh"

#include <cstdlib>
#include <string>

#include "support/catch.hpp"
#include "support/device.hpp"

namespace multi_gpu_checks {

using namespace lesson14;

// Each is weaker in one place.
struct RaiseForDevice : SystemScope {
  static constexpr cuda::thread_scope kRaise = cuda::thread_scope_device;
};
struct LookForDevice : SystemScope {
  static constexpr cuda::thread_scope kLook = cuda::thread_scope_device;
};
struct RaiseForBlock : SystemScope {
  static constexpr cuda::thread_scope kRaise = cuda::thread_scope_block;
};
struct LookForBlock : SystemScope {
  static constexpr cuda::thread_scope kLook = cuda::thread_scope_block;
};
struct RelaxedRaise : SystemScope {
  static constexpr cuda::memory_order kRelease = cuda::memory_order_relaxed;
};
struct RelaxedLook : SystemScope {
  static constexpr cuda::memory_order kAcquire = cuda::memory_order_relaxed;
};

// The order of a seed, and weak memory.
class SeededOrder {
 public:
  explicit SeededOrder(unsigned seed) {
    const char* const kind = seed % 2 != 0 ? "random:" : "pct:";
    setenv("WARPLADDER_SCHEDULE", (kind + std::to_string(seed)).c_str(), 1);
    setenv("WARPLADDER_MEMORY", "weak", 1);
  }
  ~SeededOrder() {
    unsetenv("WARPLADDER_SCHEDULE");
    unsetenv("WARPLADDER_MEMORY");
  }
};

// MULTI_GPU_SEEDS: how many orders are tried.
unsigned seeds(unsigned otherwise) {
  const char* const asked = std::getenv("MULTI_GPU_SEEDS");
  return asked != nullptr ? static_cast<unsigned>(std::atoi(asked)) : otherwise;
}

// What comes before an all-reduce in a program: a kernel that makes the numbers.
__global__ void make_numbers(float* in, const float* from, std::size_t n) {
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) in[i] = from[i];
}

constexpr unsigned kPatience = 1'000'000;

class Bench {
 public:
  Bench(int ranks, std::size_t n)
      : n_(n),
        made_(course::make_all_reduce(
            {support::device(), n, 32, 5, {{"ranks", std::to_string(ranks)}}})) {}
  // Two sums of different numbers, without waiting between them: what the first leaves behind, and whoever is still busy
  // with it, must not mislead the second.
  bool right(Kernel kernel, unsigned seed) {
    made_->poison();
    const SeededOrder order(seed);
    for (const std::size_t first : {0, 1}) {
      made_->take(first, n_);
      AllReduce task = made_->task();
      task.patience = kPatience;
      launch_on_all(task, kernel);
    }
    return made_->judge(false).verdict.ok;
  }
  // The numbers are made by a kernel right before, on the same stream: only their own GPU has seen them.
  bool right_when_just_made(Kernel kernel, unsigned seed) {
    made_->take(0, n_);
    made_->poison();
    AllReduce task = made_->task();
    task.patience = kPatience;
    const std::size_t bytes = n_ * sizeof(float);
    for (int r = 0; r < task.ranks->count(); ++r) {
      const course::OnDevice here((*task.ranks)[r].device);
      float* const in = const_cast<float*>(task.in[r]);
      COURSE_CHECK(cudaMemcpy(task.scratch[r], in, bytes, cudaMemcpyDeviceToDevice));
      COURSE_CHECK(cudaMemset(in, 0, bytes));
      COURSE_CHECK(cudaDeviceSynchronize());
    }
    const SeededOrder order(seed);
    for (int r = 0; r < task.ranks->count(); ++r) {
      const course::OnDevice here((*task.ranks)[r].device);
      make_numbers<<<1, 32, 0, (*task.ranks)[r].stream>>>(const_cast<float*>(task.in[r]),
                                                          task.scratch[r], n_);
    }
    launch_on_all(task, kernel);
    return made_->judge(false).verdict.ok;
  }

 private:
  std::size_t n_;
  std::unique_ptr<course::families::ProblemOf<AllReduce>> made_;
};

bool can_choose() { return support::device().emulated && course::device_count() >= 3; }

// The first seed that shows it; 0: none does.
unsigned found_by(Kernel kernel) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Bench bench(2, 5);
    if (!bench.right(kernel, seed) || !bench.right_when_just_made(kernel, seed)) return seed;
  }
  return 0;
}

TEST_CASE("an all-reduce is right in every order, with weak memory", "[orders]") {
  if (!can_choose()) return;
  for (const int ranks : {2, 3}) {
    for (const std::size_t n : {1, 7}) {
      Bench bench(ranks, n);
      for (unsigned seed = 1; seed <= seeds(4); ++seed) {
        INFO("ranks " << ranks << ", n " << n << ", seed " << seed);
        CHECK(bench.right(&ring<>, seed));
        CHECK(bench.right(&two_step<>, seed));
        CHECK(bench.right(&one_shot<>, seed));
        CHECK(bench.right(&tree<>, seed));
        CHECK(bench.right_when_just_made(&two_step<>, seed));
        CHECK(bench.right_when_just_made(&one_shot<>, seed));
      }
    }
  }
}

// The last rank has stopped: its kernel never comes.
std::string verdict_without_the_last(Kernel kernel) {
  const auto made = course::make_all_reduce({support::device(), 50, 32, 5, {{"ranks", "3"}}});
  made->poison();
  AllReduce task = made->task();
  task.patience = 200;
  for (int r = 0; r < 2; ++r) {
    const course::OnDevice here((*task.ranks)[r].device);
    kernel<<<1, 32, 0, (*task.ranks)[r].stream>>>(team_of(task, r));
  }
  return made->judge(false).where;
}

TEST_CASE("whoever waits for a rank that has stopped gives up and names it", "[stopped]") {
  if (!can_choose()) return;
  for (const Kernel kernel : {&ring<>, &two_step<>, &one_shot<>, &tree<>})
    CHECK(verdict_without_the_last(kernel) == "rank 0 waited in vain for rank 2");
}

TEST_CASE("the scope of a device is too narrow on either side", "[scopes]") {
  if (!can_choose()) return;
  CHECK(found_by(&ring<RaiseForDevice>) > 0);
  CHECK(found_by(&ring<LookForDevice>) > 0);
  CHECK(found_by(&two_step<RaiseForDevice>) > 0);
  CHECK(found_by(&two_step<LookForDevice>) > 0);
  CHECK(found_by(&one_shot<RaiseForDevice>) > 0);
  CHECK(found_by(&one_shot<LookForDevice>) > 0);
  CHECK(found_by(&tree<RaiseForDevice>) > 0);
  CHECK(found_by(&tree<LookForDevice>) > 0);
}

TEST_CASE("so is that of a block, and so are words without an order", "[scopes]") {
  if (!can_choose()) return;
  CHECK(found_by(&ring<RaiseForBlock>) > 0);
  CHECK(found_by(&ring<LookForBlock>) > 0);
  CHECK(found_by(&two_step<RaiseForBlock>) > 0);
  CHECK(found_by(&two_step<LookForBlock>) > 0);
  CHECK(found_by(&ring<RelaxedRaise>) > 0);
  CHECK(found_by(&ring<RelaxedLook>) > 0);
}

}  // namespace multi_gpu_checks

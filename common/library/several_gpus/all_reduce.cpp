// SPDX-License-Identifier: MIT
#include "common/several_gpus/all_reduce.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "common/fits.hpp"
#include "common/input.hpp"

namespace course {

namespace {

constexpr const char* kRankCounts[] = {"all", "1", "2", "3", "4", "5", "6", "7", "8"};
constexpr Choice kRankChoices[] = {{"ranks", "how many GPUs take part", kRankCounts, "all"}};

int ranks_asked_for(const families::Setup& setup) {
  const std::string& text = value_of(setup.chosen, "ranks");
  return text == "all" ? device_count() : std::stoi(text);
}

void say_what_one_gpu_lacks(const families::Setup& setup, int count) {
  static bool said = false;
  if (setup.device.emulated || device_count() > 1 || std::exchange(said, true)) return;
  std::printf(
      "One GPU: %s. What links between GPUs cost, and whether two scopes differ, it cannot "
      "show.\n\n",
      count == 1 ? "it is the only rank, and there is nothing to send" : "all ranks share it");
}

// On a GPU time alone counts. The emulator gives whoever waits a look for every turn of the others; in an order from a
// seed that can be many.
unsigned patience_for(const Device& device) {
  if (!device.emulated) return std::numeric_limits<unsigned>::max();
  return std::getenv("WARPLADDER_SCHEDULE") ? 1'000'000 : 5'000;
}

class PinnedFloats {
 public:
  explicit PinnedFloats(std::size_t size) {
    if (size > 0) COURSE_CHECK(cudaMallocHost(&data_, size * sizeof(float)));
  }
  ~PinnedFloats() { cudaFreeHost(data_); }
  PinnedFloats(const PinnedFloats&) = delete;
  PinnedFloats& operator=(const PinnedFloats&) = delete;
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

class SumOfRanks final : public families::ProblemOf<AllReduce> {
 public:
  SumOfRanks(const families::Setup& setup, bool everywhere)
      : everywhere_(everywhere),
        ranks_(ranks_asked_for(setup)),
        block_(setup.block),
        patience_(patience_for(setup.device)),
        host_(setup.n * static_cast<std::size_t>(ranks_.count())) {
    say_what_one_gpu_lacks(setup, ranks_.count());
    for (int r = 0; r < ranks_.count(); ++r) {
      values_.push_back(exact_floats(setup.n + kSpare, setup.seed + static_cast<std::uint64_t>(r)));
      const int device = ranks_[r].device;
      in_.emplace_back(device, setup.n + kSpare);
      out_.emplace_back(device, setup.n);
      scratch_.emplace_back(device, 2 * setup.n);
      signals_.emplace_back(device, 1);
      gave_up_.emplace_back(device, 1);
      in_.back()->upload(values_.back());
      signals_.back()->upload(std::vector<Signals>(1));
    }
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    first_ = first;
    n_ = n;
    truth_.assign(n, 0);
    for (const auto& values : values_)
      for (std::size_t i = 0; i < n; ++i) truth_[i] += values[first + i];
  }
  // What every GPU must read from its own memory and write to it.
  double bytes() const override { return 2.0 * sizeof(float) * static_cast<double>(n_); }
  void solve_on_cpu(unsigned threads) override {
    on_cpu_.resize(n_);
    std::vector<std::thread> others;
    const auto part = [&](unsigned t) {
      for (std::size_t i = n_ * t / threads; i < n_ * (t + 1) / threads; ++i) {
        float sum = 0;
        for (const auto& values : values_) sum += values[first_ + i];
        on_cpu_[i] = sum;
      }
    };
    for (unsigned t = 1; t < threads; ++t) others.emplace_back(part, t);
    part(0);
    for (auto& other : others) other.join();
  }
  families::Finding judge_cpu() override { return compared(on_cpu_, 0); }
  void poison() override {
    for (int r = 0; r < ranks_.count(); ++r) {
      const OnDevice here(ranks_[r].device);
      for (auto* buffer : {&out_, &scratch_})
        if ((*buffer)[r]->size() > 0)
          COURSE_CHECK(cudaMemset((*buffer)[r]->data(), 0xcd, (*buffer)[r]->bytes()));
      COURSE_CHECK(cudaMemset(gave_up_[r]->data(), 0, gave_up_[r]->bytes()));
      COURSE_CHECK(cudaDeviceSynchronize());
    }
  }
  families::Finding judge(bool) override {
    // All of them, before anything is compared: a device that has failed is named.
    for (int r = 0; r < ranks_.count(); ++r) {
      const OnDevice here(ranks_[r].device);
      const cudaError_t error = cudaDeviceSynchronize();
      if (error != cudaSuccess)
        return {{false},
                "device " + std::to_string(ranks_[r].device) + " has failed (" +
                    cudaGetErrorName(error) + ")"};
    }
    for (int r = 0; r < ranks_.count(); ++r) {
      const OnDevice here(ranks_[r].device);
      if (const unsigned gave_up = gave_up_[r]->download()[0])
        return {{false},
                "rank " + std::to_string(r) + " waited in vain for rank " +
                    std::to_string(gave_up - 1) + why_nobody_came()};
    }
    families::Finding finding;
    for (int r = 0; r < (everywhere_ ? ranks_.count() : 1); ++r) {
      const OnDevice here(ranks_[r].device);
      auto out = out_[r]->download();
      out.resize(n_);
      finding = compared(out, r);
      if (!finding.verdict.ok) break;
    }
    return finding;
  }
  AllReduce task() override {
    AllReduce t;
    t.ranks = &ranks_;
    t.n = n_;
    for (int r = 0; r < ranks_.count(); ++r) {
      t.in[r] = in_[r]->data() + first_;
      t.out[r] = out_[r]->data();
      t.scratch[r] = scratch_[r]->data();
      t.signals[r] = signals_[r]->data();
      t.gave_up[r] = gave_up_[r]->data();
    }
    t.host = host_.data();
    t.numbers = &numbers_;
    t.patience = patience_;
    t.block = block_;
    t.blocks = blocks_for(n_);
    return t;
  }

 private:
  // Ranks that wait for each other must all be there. One rank alone waits for nobody, and the more blocks share a large
  // sum out among themselves, the more evenly they end.
  int blocks_for(std::size_t n) const {
    const bool alone = ranks_.count() == 1;
    const std::size_t of_a_block = (alone ? 8 : 4) * static_cast<std::size_t>(block_);
    const int most = alone ? 1 << 20 : std::min(kMostBlocks, ranks_.blocks_at_once(block_));
    const std::size_t wanted = (n + of_a_block - 1) / of_a_block;
    return static_cast<int>(std::clamp<std::size_t>(wanted, 1, static_cast<std::size_t>(most)));
  }
  // A tool that runs one kernel after the other lets ranks of one GPU wait for ever.
  const char* why_nobody_came() const {
    const bool sharing =
        ranks_.count() > 1 && ranks_[0].device == ranks_[1 % ranks_.count()].device;
    return sharing
               ? ": do their kernels run at the same time on this GPU? --ranks 1 waits for nobody"
               : "";
  }
  families::Finding compared(const std::vector<float>& result, int rank) const {
    const auto [got, want] = std::mismatch(result.begin(), result.end(), truth_.begin());
    if (got == result.end()) return {{true}};
    return {{false, *want, *got},
            "number " + std::to_string(got - result.begin()) + " of rank " + std::to_string(rank)};
  }

  bool everywhere_;
  Ranks ranks_;
  int block_;
  unsigned patience_;
  PinnedFloats host_;
  std::vector<std::vector<float>> values_;
  std::vector<float> truth_, on_cpu_;
  std::vector<RankBuffer<float>> in_, out_, scratch_;
  std::vector<RankBuffer<Signals>> signals_;
  std::vector<RankBuffer<unsigned>> gave_up_;
  unsigned numbers_ = 1;
  std::size_t first_ = 0, n_ = 0;
};

std::unique_ptr<families::ProblemOf<AllReduce>> make_ranks(const families::Setup& setup,
                                                           bool everywhere) {
  const int sharing = (ranks_asked_for(setup) + device_count() - 1) / device_count();
  check_bytes_fit(16.0 * sharing * static_cast<double>(setup.n), setup.n, setup.device);
  return std::make_unique<SumOfRanks>(setup, everywhere);
}

}  // namespace

void add_arrays(float* arrays, std::size_t n, int ranks) {
  for (int r = 1; r < ranks; ++r)
    for (std::size_t i = 0; i < n; ++i) arrays[i] += arrays[static_cast<std::size_t>(r) * n + i];
}

std::span<const Choice> all_reduce_choices() { return kRankChoices; }

std::unique_ptr<families::ProblemOf<AllReduce>> make_sum_of_ranks(const families::Setup& setup) {
  return make_ranks(setup, false);
}
std::unique_ptr<families::ProblemOf<AllReduce>> make_all_reduce(const families::Setup& setup) {
  return make_ranks(setup, true);
}

}  // namespace course

// SPDX-License-Identifier: MIT
#include "common/irregular/refinement.hpp"

#include <atomic>
#include <bit>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "common/device_buffer.cuh"
#include "common/input.hpp"
#include "common/parallel.hpp"
#include "common/size.hpp"

namespace course {

namespace {

// One square and all that comes of it; `spread` keeps those of a size for other threads.
void refine(std::uint64_t word, const Circles& c, std::uint32_t side, RefinementTotals& totals,
            std::vector<std::uint64_t>* spread) {
  const Square s = as_square(word);
  const Looked looked =
      s.log <= kSmallestLog ? look_at_points(s, c, side) : look_at_square(s, c, side);
  ++totals.squares;
  totals.points += looked.points;
  for (std::uint32_t i = 0; looked.cut && i < 4; ++i) {
    const std::uint64_t quarter = quarter_of(s, i);
    spread != nullptr ? spread->push_back(quarter) : refine(quarter, c, side, totals, nullptr);
  }
}

class RefinementProblem final : public families::ProblemOf<Refinement> {
 public:
  explicit RefinementProblem(const families::Setup& setup)
      : seed_(setup.seed), device_(setup.device), block_(setup.block), totals_(1) {
    take(0, setup.n);
  }
  void take(std::size_t first, std::size_t n) override {
    auto& made = parts_[{first, n}];
    const auto side = static_cast<std::uint32_t>((n + 63) / 64);
    if (made == nullptr) made = std::make_unique<Part>(side, seed_ + first);
    part_ = made.get();
    const std::size_t bytes = part_->truth.squares * 48 + (std::size_t{1} << 20);
    if (memory_ == nullptr || memory_->size() < bytes)
      memory_ = std::make_unique<DeviceBuffer<std::byte>>(bytes);
    owner_ = nullptr;
  }
  Refinement task() override {
    Refinement r;
    r.circles = part_->circles;
    r.side = part_->side;
    r.root = part_->root.data();
    r.totals = totals_.data();
    r.squares = part_->truth.squares;
    r.memory = memory_->data();
    r.memory_bytes = memory_->size();
    r.owner = &owner_;
    r.block = block_;
    r.device = &device_;
    return r;
  }
  double bytes() const override { return 16.0 * static_cast<double>(part_->truth.squares); }
  void solve_on_cpu(unsigned threads) override {
    on_cpu_ = cpu_refinement(part_->circles, part_->side, threads);
  }
  families::Finding judge_cpu() override { return compared(on_cpu_); }
  void poison() override { COURSE_CHECK(cudaMemset(totals_.data(), 0xcd, totals_.bytes())); }
  families::Finding judge(bool) override { return compared(totals_.download()[0]); }

 private:
  struct Part {
    Part(std::uint32_t points, std::uint64_t seed)
        : side(points),
          circles(circles_for(side, seed)),
          truth(cpu_refinement(circles, side, cpu_threads())),
          root(std::vector<std::uint64_t>{root_square(side)}) {}
    std::uint32_t side;
    Circles circles;
    RefinementTotals truth;
    DeviceBuffer<std::uint64_t> root;
  };
  families::Finding compared(const RefinementTotals& got) const {
    const auto verdict = [](unsigned long long truth, unsigned long long seen) {
      return Verdict{truth == seen, static_cast<double>(truth), static_cast<double>(seen)};
    };
    const Verdict squares = verdict(part_->truth.squares, got.squares);
    if (!squares.ok) return {squares, "squares"};
    return {verdict(part_->truth.points, got.points), "points inside"};
  }
  std::uint64_t seed_;
  const Device& device_;
  int block_;
  std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<Part>> parts_;
  Part* part_ = nullptr;
  std::unique_ptr<DeviceBuffer<std::byte>> memory_;
  const void* owner_ = nullptr;
  DeviceBuffer<RefinementTotals> totals_;
  RefinementTotals on_cpu_;
};

}  // namespace

Circles circles_for(std::uint32_t side, std::uint64_t seed) {
  Circles c;
  for (int i = 0; i < Circles::kCount; ++i) {
    const auto draw = [&](int k) {
      return static_cast<std::int32_t>(random_bits(seed, 3 * i + k) % (std::uint64_t{side} + 1));
    };
    c.x[i] = draw(0), c.y[i] = draw(1), c.r[i] = draw(2) / 4;
  }
  return c;
}

std::uint64_t root_square(std::uint32_t side) {
  const auto log = static_cast<std::uint32_t>(std::bit_width(side < 2 ? 0u : side - 1));
  return as_word({0, 0, log < kSmallestLog ? kSmallestLog : log});
}

RefinementTotals cpu_refinement(const Circles& circles, std::uint32_t side, unsigned threads) {
  RefinementTotals all;
  if (side == 0) return all;
  std::vector<std::uint64_t> squares{root_square(side)};
  for (int level = 0; threads > 1 && level < 5; ++level) {  // enough pieces to share out
    std::vector<std::uint64_t> next;
    for (const std::uint64_t square : squares) refine(square, circles, side, all, &next);
    squares = std::move(next);
  }
  std::atomic<std::size_t> taken = 0;
  std::mutex mutex;
  const auto work = [&] {
    RefinementTotals mine;
    for (std::size_t i; (i = taken.fetch_add(1)) < squares.size();)
      refine(squares[i], circles, side, mine, nullptr);
    const std::lock_guard lock(mutex);
    all.points += mine.points, all.squares += mine.squares;
  };
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(work);
  work();
  others.clear();
  return all;
}

std::span<const Choice> refinement_choices() { return {}; }

std::unique_ptr<families::ProblemOf<Refinement>> make_refinement(const families::Setup& setup) {
  if (setup.n > std::size_t{1} << 30)
    throw UsageError{"--n " + format_size(setup.n) +
                     " is more than 2^30: a grid has up to 2^24 points on each side"};
  return std::make_unique<RefinementProblem>(setup);
}

}  // namespace course

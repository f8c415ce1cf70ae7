// SPDX-License-Identifier: MIT
// Which multiprocessor gets which block of a launch: as an H200 gives them out, whose blocks said where they were
// (tests/model/places.cu).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace emu::observe {

// As long as there is room for more, most multiprocessors take turns. Some are apart (eight on an H200, the last ones here) and have
// a turn of their own, earlier than it would be theirs. So blocks that share a multiprocessor are 132 apart in half of the cases,
// 124 or 140 in most others. What is left when all have got the same number goes to one multiprocessor of each pair first.
// Later a block goes to wherever another one has ended: as good as anywhere.
class BlockOrder {
 public:
  struct Gpu {
    std::uint64_t multiprocessors = 1, apart = 0;
  };
  BlockOrder() = default;
  // `fit`: blocks that a multiprocessor has room for.
  BlockOrder(Gpu gpu, std::uint64_t blocks, std::uint64_t fit)
      : apart_(gpu.apart < gpu.multiprocessors ? gpu.apart : 0),
        in_turn_(gpu.multiprocessors - apart_),
        rounds_(std::min(blocks / gpu.multiprocessors, fit)),
        at_first_(fit * gpu.multiprocessors) {}

  // Blocks that begin at once, if there are as many.
  std::uint64_t at_first() const { return at_first_; }
  std::uint64_t place_of(std::uint64_t block) {
    if (block >= at_first_) return drawn(block);
    if (rounds_ == 0) return block;  // each has one of its own
    if (block >= rounds_ * all()) return by_load(block - rounds_ * all());
    const std::uint64_t turn = block < kSecond ? 0 : 1 + (block - kSecond) / kEvery;
    const std::uint64_t begins = turn == 0 ? 0 : kSecond + (turn - 1) * kEvery;
    if (turn < rounds_ && block - begins < apart_) return in_turn_ + block - begins;
    return (block - std::min(turn + 1, rounds_) * apart_) % in_turn_;
  }
  // The multiprocessors, those first that get what is left, so that those with more to do stand before the others.
  std::uint64_t by_load(std::uint64_t number) const {
    const std::uint64_t pairs = (in_turn_ + 1) / 2;
    if (rounds_ == 0) return number;
    if (number < apart_) return in_turn_ + number;
    number = (number - apart_) % in_turn_;
    return number < pairs ? 2 * number : 2 * (number - pairs) + 1;
  }

 private:
  // Where the second turn of those that are apart begins, and how far the next ones are from each other: the mean of what was seen.
  static constexpr std::uint64_t kSecond = 86, kEvery = 100;
  // Of so many blocks for each multiprocessor, all of them get as many.
  static constexpr std::uint64_t kEach = 8;

  std::uint64_t all() const { return in_turn_ + apart_; }
  std::uint64_t drawn(std::uint64_t block) {
    const std::uint64_t size = kEach * all(), of = block / size;
    if (of != drawn_of_ || drawn_.empty()) {
      drawn_of_ = of;
      drawn_.resize(size);
      std::iota(drawn_.begin(), drawn_.end(), 0u);
      std::uint64_t state = of;
      for (std::uint64_t left = size; left > 1; --left) {
        state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's, for MMIX
        std::swap(drawn_[left - 1], drawn_[(state >> 33) % left]);
      }
    }
    return drawn_[block % size] % all();
  }

  std::uint64_t apart_ = 0, in_turn_ = 1, rounds_ = 1, at_first_ = 1;
  std::uint64_t drawn_of_ = 0;
  std::vector<std::uint32_t> drawn_;
};

}  // namespace emu::observe

// SPDX-License-Identifier: MIT
#include "timing/tail.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace emu::observe {
namespace {

// Ends of a place's present block, the place's number: the first that ends, of equal ones the lowest.
using Place = std::pair<double, std::size_t>;
using Queue = std::priority_queue<Place, std::vector<Place>, std::greater<>>;

template <class Length>
double hand_out(std::span<const Workload::Block> blocks, std::size_t places, Length&& length,
                std::vector<double>& work) {
  Queue free;
  const std::size_t count = std::min(places, blocks.size());
  for (std::size_t i = 0; i < count; ++i) free.push({0, i});
  double last = 0;
  for (const Workload::Block& block : blocks) {
    const auto [at, place] = free.top();
    free.pop();
    const double end = at + length(block);
    last = std::max(last, end);
    work[place % work.size()] += block.all;
    free.push({end, place});
  }
  return last;
}

}  // namespace

double mean_of_warps(std::span<const Workload::Block> blocks, double warps_of_block) {
  double all = 0;
  for (const Workload::Block& block : blocks) all += block.all;
  return blocks.empty() ? 0 : all / (static_cast<double>(blocks.size()) * warps_of_block);
}

Tail find_tail(std::span<const Workload::Block> blocks, const Places& places, double steps,
               double rare) {
  // So often filled, the last round is not to be seen, unless one block has very much to do.
  constexpr std::size_t kManyRounds = 64;
  Tail tail;
  if (blocks.empty() || places.blocks == 0 || places.multiprocessors == 0) return tail;
  const auto length = [&](const Workload::Block& block) {
    const double longest = block.longest;
    return longest > steps ? std::max(steps, longest - rare) : longest;
  };
  double sum = 0, all = 0, most = 0;
  for (const Workload::Block& block : blocks) {
    sum += length(block);
    all += block.all;
    most = std::max(most, length(block));
  }
  const double mean = sum / static_cast<double>(blocks.size());
  tail.longest = mean;
  if (mean <= 0) return tail;
  const bool alike = most <= 1.02 * mean;
  if (alike && blocks.size() > kManyRounds * places.blocks) return tail;
  std::vector<double> work(std::min(places.multiprocessors, blocks.size()));
  const double real = hand_out(blocks, places.blocks, length, work);
  const double per = all / static_cast<double>(work.size());
  if (per > 0) tail.work = *std::max_element(work.begin(), work.end()) / per;
  if (alike) return tail;
  std::vector<double> unused(work.size());
  const double even = hand_out(
      blocks, places.blocks, [&](const Workload::Block&) { return mean; }, unused);
  tail.path = std::max(1.0, real / even);
  return tail;
}

}  // namespace emu::observe

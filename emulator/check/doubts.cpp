// SPDX-License-Identifier: MIT
#include "check/doubts.hpp"

#include <algorithm>

namespace emu::check {

std::uint64_t Doubts::key(const Place& place) {
  const std::uint64_t word = place.at & ~std::uint64_t{3};
  if (!place.block) return word;
  // Offsets in shared memory have less than 24 bits.
  const auto device = static_cast<std::uint64_t>(place.block->grid->device);
  return (place.block->linear + 1) << 32 | device << 24 | word;
}

void Doubts::add(std::uint64_t pair, const Place& place, Reach reach,
                 const std::function<Finding()>& describe) {
  constexpr std::size_t kPlaces = 64;
  const auto [it, fresh] = doubts_.try_emplace(pair);
  Doubt& doubt = it->second;
  const std::uint64_t count = fresh ? 1 : doubt.finding.count + 1;
  if (fresh || reach > doubt.finding.reach) {
    doubt.finding = describe();
    doubt.finding.reach = reach;
  }
  doubt.finding.count = count;
  const std::uint64_t at = key(place);
  const bool known = std::ranges::find(doubt.places, at) != doubt.places.end();
  if (!known && doubt.places.size() < kPlaces) doubt.places.push_back(at);
}

void Doubts::tell(Findings& findings) {
  for (auto& [pair, doubt] : doubts_) {
    const auto waited = [&](std::uint64_t at) { return waited_.contains(at); };
    if (!std::ranges::all_of(doubt.places, waited)) findings.add(std::move(doubt.finding));
  }
  doubts_.clear();
  waited_.clear();
}

}  // namespace emu::check

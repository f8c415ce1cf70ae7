// SPDX-License-Identifier: MIT
#include "memory/driver_places.hpp"

#include <algorithm>
#include <optional>

namespace emu::memory {
namespace {

constexpr std::uint64_t kMostOfShared = std::uint64_t{1}
                                        << 20;  // larger ones have pages of their own

std::optional<std::uint64_t> first_hole(const std::map<std::uint64_t, std::uint64_t>& taken,
                                        std::uint64_t need) {
  std::uint64_t from = 0;
  for (const auto& [begin, end] : taken) {
    if (begin - from >= need) return from;
    from = end;
  }
  if (DriverPlaces::kPage - from >= need) return from;
  return std::nullopt;
}

}  // namespace

std::uint64_t DriverPlaces::take(std::size_t size) {
  const std::uint64_t need = (std::max<std::uint64_t>(size, 1) + kStep - 1) / kStep * kStep;
  if (need <= kMostOfShared) {
    for (auto& [number, taken] : pages_) {
      const auto at = first_hole(taken, need);
      if (!at) continue;
      taken[*at] = *at + need;
      return number * kPage + *at;
    }
  }
  const std::uint64_t number = next_page_;
  next_page_ += (need + kPage - 1) / kPage;
  if (need <= kPage) pages_[number] = {{0, need}};
  return number * kPage;
}

void DriverPlaces::give_back(std::uint64_t place) {
  const auto page = pages_.find(place / kPage);
  if (page == pages_.end()) return;  // of several pages
  page->second.erase(place % kPage);
  if (page->second.empty()) pages_.erase(page);
}

}  // namespace emu::memory

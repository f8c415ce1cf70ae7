// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

namespace emu::check {

// Takes the pages from `first` to `last` out of a map by number, after f(page) for each. A range that is longer than the
// map is not walked through.
template <class Page, class F>
void erase_pages(std::unordered_map<std::uint64_t, Page>& pages, std::uint64_t first,
                 std::uint64_t last, F&& f) {
  if (last - first >= pages.size()) {
    std::erase_if(pages, [&](auto& entry) {
      if (entry.first < first || entry.first > last) return false;
      f(entry.second);
      return true;
    });
    return;
  }
  for (std::uint64_t number = first; number <= last; ++number) {
    const auto it = pages.find(number);
    if (it == pages.end()) continue;
    f(it->second);
    pages.erase(it);
  }
}
template <class Page>
void erase_pages(std::unordered_map<std::uint64_t, Page>& pages, std::uint64_t first,
                 std::uint64_t last) {
  erase_pages(pages, first, last, [](const Page&) {});
}

}  // namespace emu::check

// SPDX-License-Identifier: MIT
// What a timed launch finds in the L2 cache. Left alone, a small array would lie there since the launch
// before, and the time would say nothing about memory.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace course {

enum class Flush {
  Clean,  // other data that was read: a new line simply takes the place of an old one
  Dirty,  // other data that was written: an old line must go to memory first, and the launch waits
  None,   // whatever the launch before left
};

inline constexpr std::array<std::string_view, 3> kFlushWords{"clean", "dirty", "none"};

inline std::string word_of(Flush flush) {
  return std::string(kFlushWords[static_cast<std::size_t>(flush)]);
}

inline std::optional<Flush> parse_flush(std::string_view word) {
  for (std::size_t i = 0; i < kFlushWords.size(); ++i)
    if (word == kFlushWords[i]) return static_cast<Flush>(i);
  return std::nullopt;
}

}  // namespace course

// SPDX-License-Identifier: MIT
// Reads and writes the names of schedules.
#include "explore/schedule.hpp"

#include <charconv>

namespace emu::exec {
namespace {

constexpr std::uint32_t kMostDepth = 1000;

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::string Schedule::text() const {
  if (lock_step()) return "lockstep";
  if (policy == Policy::Replay) return "replay:" + file;
  if (policy == Policy::Random) return "random:" + std::to_string(seed);
  return "pct:" + std::to_string(seed) + (depth == 3 ? "" : ":" + std::to_string(depth));
}

std::optional<Schedule> parse_schedule(std::string_view text) {
  Schedule schedule;
  const auto takes = [&](std::string_view head) {
    if (!text.starts_with(head)) return false;
    text.remove_prefix(head.size());
    return true;
  };
  if (text == "lockstep") {
    schedule.policy = Schedule::Policy::LockStep;
    return schedule;
  }
  if (takes("replay:")) {
    schedule.policy = Schedule::Policy::Replay;
    schedule.file = text;
    return text.empty() ? std::nullopt : std::optional(schedule);
  }
  if (takes("pct:")) {
    schedule.policy = Schedule::Policy::Pct;
    if (const auto colon = text.find(':'); colon != text.npos) {
      if (!read_number(text.substr(colon + 1), schedule.depth)) return std::nullopt;
      if (schedule.depth == 0 || schedule.depth > kMostDepth) return std::nullopt;
      text = text.substr(0, colon);
    }
  } else if (!takes("random:")) {
    return std::nullopt;
  }
  if (!read_number(text, schedule.seed)) return std::nullopt;
  return schedule;
}

}  // namespace emu::exec

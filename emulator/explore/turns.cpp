// SPDX-License-Identifier: MIT
#include "explore/turns.hpp"

#include <charconv>

namespace emu::exec {
namespace {

std::string_view take(std::string_view& text, char end) {
  const auto at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == text.npos ? text.size() : at + 1);
  return part;
}

template <class T>
bool take_number(std::string_view& text, T& value) {
  const std::string_view part = take(text, ' ');
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  return !part.empty() && error == std::errc{} && end == part.data() + part.size();
}

}  // namespace

std::string turns_text(const LaunchTurns& launch) {
  std::string out = "launch " + std::to_string(launch.seed) + " " + launch.kernel + "\n";
  for (const Turn& turn : launch.turns) {
    out += std::to_string(turn.block) + " " + std::to_string(turn.thread) + " " +
           std::to_string(turn.steps) + "\n";
  }
  return out;
}

std::optional<std::vector<LaunchTurns>> read_turns(std::string_view text) {
  if (!text.starts_with(kTurnsHead)) return std::nullopt;
  text.remove_prefix(kTurnsHead.size());
  std::vector<LaunchTurns> all;
  while (!text.empty()) {
    std::string_view line = take(text, '\n');
    if (line.starts_with("launch ")) {
      line.remove_prefix(7);
      LaunchTurns& launch = all.emplace_back();
      if (!take_number(line, launch.seed)) return std::nullopt;
      launch.kernel = line;
      continue;
    }
    Turn turn;
    if (all.empty() || !take_number(line, turn.block) || !take_number(line, turn.thread) ||
        !take_number(line, turn.steps) || !line.empty()) {
      return std::nullopt;
    }
    all.back().turns.push_back(turn);
  }
  return all;
}

}  // namespace emu::exec

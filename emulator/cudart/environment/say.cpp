// SPDX-License-Identifier: MIT
// Writes each message at once, behind what the program has printed so far.
#include "cudart/environment/say.hpp"

#include <cstdio>

namespace emu::cudart {

namespace {
constexpr std::string_view kName = "warp-ladder emulator: ";
}

void say(const std::string& line) {
  const std::string text = std::string(kName) + line + "\n";
  std::fflush(stdout);  // so that the program's own output stands before the line about it
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void say_report(std::string_view report) {
  if (report.starts_with(kName)) report.remove_prefix(kName.size());
  while (report.ends_with('\n')) report.remove_suffix(1);
  say(std::string(report));
}

}  // namespace emu::cudart

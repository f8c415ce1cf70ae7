// SPDX-License-Identifier: MIT
// Runs before the program's own constructors: the library is one of those the program depends on.
#include "cudart/environment/settings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace emu::cudart {
namespace {

constexpr std::string_view kPrefix = "WARPLADDER_";
constexpr int kMostLines = 10'000;  // of a record: a program may launch for hours

// What this library can do, for scripts that look into the file (scripts/warpladder/build/backend.py): a
// name that is only compared with may be no text in the code that the compiler makes.
[[gnu::used]] constexpr char kKnown[] =
    "WARPLADDER_DEVICE\0WARPLADDER_SCHEDULE\0WARPLADDER_MEMORY\0WARPLADDER_RECORD";

// Neither has a constructor, which could run after the program asks; never destroyed, as a program
// may launch from a destructor.
Settings* at_load = nullptr;
int record_file = -1;

// The environment comes as an argument: what a program has put into `environ` before, from a
// section that runs earlier still, is not read.
[[gnu::constructor(101)]] void take_settings(int, char**, char** environment) {
  at_load = new Settings(environment);
  if (!at_load->sealed()) return;
  record_file = open(at_load->record().c_str(),
                     O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

}  // namespace

Settings::Settings(char** environment) {
  for (; environment && *environment; ++environment) {
    const std::string_view entry(*environment);
    const std::size_t equals = entry.find('=');
    if (entry.substr(0, kPrefix.size()) == kPrefix && equals != std::string_view::npos)
      taken_.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
}

std::optional<std::string> Settings::taken(const std::string& name) const {
  const auto found = taken_.find(name);
  return found == taken_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> Settings::value(const std::string& name) const {
  if (sealed()) return taken(name);
  const char* const text = std::getenv(name.c_str());
  return text ? std::optional<std::string>(text) : std::nullopt;
}

const Settings& settings() {
  static const auto* const none = new Settings;
  return at_load ? *at_load : *none;
}

std::string setting(const std::string& name) { return settings().value(name).value_or(""); }

void record_launch(const std::string& line) {
  static std::atomic<int> lines = 0;
  if (record_file < 0 || lines.fetch_add(1) >= kMostLines) return;
  const std::string text = line + "\n";
  // What cannot be written is missing in the record, and whoever reads it takes that for a no.
  if (write(record_file, text.data(), text.size()) < 0) record_file = -1;
}

}  // namespace emu::cudart

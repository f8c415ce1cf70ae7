// SPDX-License-Identifier: MIT
// Where the emulator takes its settings from: the environment (WARPLADDER_*). Usually it is asked
// anew each time, so that a program may set another seed between two launches. With
// WARPLADDER_RECORD=FILE all settings are taken once, when the library is loaded, and each launch
// writes down what it ran with: then whoever started the program can see that nothing in it has
// changed them.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace emu::cudart {

class Settings {
 public:
  Settings() = default;
  // As the system gave them to the process: "NAME=value", and a null pointer at the end.
  explicit Settings(char** environment);

  bool sealed() const { return !record().empty(); }
  std::string record() const { return taken("WARPLADDER_RECORD").value_or(""); }
  // None, where it is not set. Of what was taken if it is sealed, else of the environment now.
  std::optional<std::string> value(const std::string& name) const;

 private:
  std::optional<std::string> taken(const std::string& name) const;
  std::map<std::string, std::string> taken_;
};

const Settings& settings();
// The value of a setting, empty where it is not set.
std::string setting(const std::string& name);

// Adds a line to the file of WARPLADDER_RECORD, if there is one.
void record_launch(const std::string& line);

}  // namespace emu::cudart

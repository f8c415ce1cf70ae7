// SPDX-License-Identifier: MIT
// How the emulator speaks to whoever started the program: on stderr, each line with its name in
// front.
#pragma once

#include <string>
#include <string_view>

namespace emu::cudart {

// One line on stderr: "warp-ladder emulator: ..."
void say(const std::string& line);
// The engine's report of a failure, whole.
void say_report(std::string_view report);

}  // namespace emu::cudart

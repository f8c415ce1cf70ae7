// SPDX-License-Identifier: MIT
// The words that damaged PTX is made of.
#pragma once

#include <string>
#include <vector>

namespace emu::fuzz {

// Every word of the instruction table, and what else PTX is written with.
std::vector<std::string> dictionary();

}  // namespace emu::fuzz

// SPDX-License-Identifier: MIT
// The emulator's trace of a recorded kernel, made readable: without the steps of the recorder, with
// names for the words of the structure.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lock_free {

// What lies at an offset of the structure's memory; empty: no name is known.
using NameOf = std::function<std::string(std::size_t offset)>;

// The lines of a trace file that are about the structure.
std::vector<std::string> readable(const std::string& trace, const NameOf& name_of);

}  // namespace lock_free

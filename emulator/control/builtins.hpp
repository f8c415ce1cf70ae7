// SPDX-License-Identifier: MIT
// The functions that the emulator itself provides to kernels.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/warp.hpp"

namespace emu::exec {

// A function the emulator itself provides (printf, assert, malloc, free). `arguments` and `results`
// are offsets into the caller's Frame::params of one lane.
using Builtin = void (*)(Warp& warp, LaneMask mask, const std::vector<std::uint32_t>& arguments,
                         const std::vector<std::uint32_t>& results);
// nullptr: no such builtin.
Builtin find_builtin(std::string_view name);
// Bytes of the parameters a builtin reads and of the result it writes.
struct BuiltinShape {
  std::vector<std::uint32_t> arguments, results;
};
BuiltinShape shape_of_builtin(std::string_view name);

}  // namespace emu::exec

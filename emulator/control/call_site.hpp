// SPDX-License-Identifier: MIT
// What a call instruction needs when it runs (Instr::extra with Flow::Call).
#pragma once

#include <cstdint>
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

struct CallSite {
  struct Value {
    std::uint32_t offset = 0, size = 0;  // in the caller's params
  };
  std::vector<Value> arguments, results;
  const ptx::Function* callee = nullptr;  // nullptr: indirect, through Instr::src[0] (64-bit lanes)
  const ptx::Module* module = nullptr;
  Builtin builtin = nullptr;
  std::vector<std::uint32_t> argument_offsets, result_offsets;  // for a builtin
  mutable const Code* code = nullptr;  // of callee, once it has been decoded
};

}  // namespace emu::exec

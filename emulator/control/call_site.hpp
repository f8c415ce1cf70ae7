// SPDX-License-Identifier: MIT
// What a call instruction needs when it runs (Instr::extra with Flow::Call).
#pragma once

#include <cstdint>
#include <vector>

#include "control/builtins.hpp"

namespace emu::exec {

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

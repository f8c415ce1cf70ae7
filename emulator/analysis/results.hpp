// SPDX-License-Identifier: MIT
// What an instruction writes: how many of its operands, and how wide the registers must be.
//
// Handlers write 32 lanes of a width that was fixed when they were chosen. A register that is
// narrower would let them write over its neighbours in the frame, so each result is checked once,
// before the instruction is bound.
#pragma once

#include <cstddef>
#include <string>

#include "ptx/module.hpp"

namespace emu::exec {

// How many of the leading operands an instruction writes: 0 or 1.
inline std::size_t results_of(const ptx::Instruction& ins) {
  return ptx::info(ins.row).result != ptx::Result::None;
}

// Why the first operand cannot take the result; empty if it can.
std::string result_problem(const ptx::Function& function, const ptx::Instruction& ins);

}  // namespace emu::exec

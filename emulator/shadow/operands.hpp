// SPDX-License-Identifier: MIT
// Which registers an instruction reads and writes, as PTX names them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ptx/instruction.hpp"

namespace emu::check {

inline bool names(const ptx::Operand& op, std::uint32_t reg) {
  if (op.reg == reg) return true;
  return std::any_of(op.parts.begin(), op.parts.end(),
                     [&](const ptx::Operand& part) { return names(part, reg); });
}

inline bool has_result(const ptx::Instruction& ins) {
  return ptx::info(ins.row).result != ptx::Result::None && !ins.operands.empty();
}

// Calls f(register) for each in an operand.
template <class F>
void each_register(const ptx::Operand& op, F&& f) {
  if (op.reg != ptx::kNoIndex) f(op.reg);
  for (const ptx::Operand& part : op.parts) each_register(part, f);
}

}  // namespace emu::check

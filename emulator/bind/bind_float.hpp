// SPDX-License-Identifier: MIT
// What the binders of floating-point instructions share: the rounding an instruction asks for, and
// handlers for the directed modes.
#pragma once

#include "bind/bind.hpp"
#include "semantics/formats.hpp"

namespace emu::exec {

enum class FloatOp : std::uint8_t { Add, Sub, Mul, Fma, Div, Rcp, Sqrt };

// .rn .rz .rm .rp, or .rni and so on; nearest even if none is written.
inline semantics::Round rounding_of(const Binder& b) {
  using semantics::Round;
  if (b.has("rz") || b.has("rzi")) return Round::Zero;
  if (b.has("rm") || b.has("rmi")) return Round::Down;
  if (b.has("rp") || b.has("rpi")) return Round::Up;
  if (b.has("rna")) return Round::NearestAway;
  return Round::NearestEven;
}

// flags of an instruction bound by rounded_handler; imm holds the mode as <cfenv> names it.
inline constexpr std::uint8_t kFlagFtz = 1, kFlagSat = 2;

// A handler for .rz .rm .rp that reads its modifiers from the Instr; out.imm and out.flags are
// filled in.
Handler rounded_handler(FloatOp op, ptx::Type type, const Binder& b, Instr& out);

}  // namespace emu::exec

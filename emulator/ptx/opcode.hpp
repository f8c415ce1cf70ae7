// SPDX-License-Identifier: MIT
// From "ld.global.u32" to the row of the instruction table that accepts it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/table.hpp"
#include "ptx/type.hpp"

namespace emu::ptx {

struct Opcode {
  Row row = Row::unknown;
  std::vector<std::string_view> mods;  // in order, without types
  std::vector<Type> types;             // in order
  std::string why;                     // row == unknown: one sentence
};

// `words` are the parts behind the mnemonic, without dots. Never throws: what no row accepts
// becomes Row::unknown with a reason.
Opcode find_opcode(std::string_view mnemonic, std::span<const std::string_view> words);

// How many operands the syntax of a row allows.
struct Arity {
  std::size_t least = 0;
  std::size_t most = 0;
};
Arity arity(Row row);

}  // namespace emu::ptx

// SPDX-License-Identifier: MIT
// The instruction table: one row of instructions.def per instruction, and what can be asked of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "ptx/type.hpp"

namespace emu::ptx {

enum class Row : std::uint16_t {
#define INSTRUCTION(id, mnemonic, types, modifiers, syntax, meaning) id,
#include "ptx/instructions.def"
#undef INSTRUCTION
};

inline constexpr std::size_t kRowCount = 0
#define INSTRUCTION(id, mnemonic, types, modifiers, syntax, meaning) +1
#include "ptx/instructions.def"
#undef INSTRUCTION
    ;

struct RowInfo {
  std::string_view id;         // "add_int"
  std::string_view mnemonic;   // "add"
  std::string_view types;      // "u16 s16 u32": what it accepts, "" if it takes no type
  std::string_view modifiers;  // "sat cc": what it accepts besides types
  std::string_view syntax;     // operands as in the PTX manual: "d, a, b"
  std::string_view meaning;    // one line
};

const RowInfo& info(Row row);
std::span<const RowInfo> all_rows();

// Whether a space-separated list of the table holds this word.
constexpr bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto end = list.find(' ');
    if (list.substr(0, end) == word) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace emu::ptx

// SPDX-License-Identifier: MIT
// The rows of instructions.def as data.
#include "ptx/table.hpp"

#include <array>

namespace emu::ptx {
namespace {

constexpr std::array<RowInfo, kRowCount> kRows = {{
#define INSTRUCTION(id, mnemonic, types, modifiers, syntax, meaning) \
  {#id, mnemonic, types, modifiers, syntax, meaning},
#include "ptx/instructions.def"
#undef INSTRUCTION
}};

static_assert(kRows[static_cast<std::size_t>(Row::unknown)].mnemonic.empty());
static_assert(static_cast<std::size_t>(Row::unknown) + 1 == kRowCount,
              "unknown must be the last row");

}  // namespace

const RowInfo& info(Row row) { return kRows[static_cast<std::size_t>(row)]; }

std::span<const RowInfo> all_rows() { return kRows; }

}  // namespace emu::ptx

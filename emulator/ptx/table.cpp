// SPDX-License-Identifier: MIT
// The rows of instructions.def as data.
#include "ptx/table.hpp"

#include <algorithm>
#include <array>

namespace emu::ptx {
namespace {

constexpr std::array<RowInfo, kRowCount> kRows = {{
#define INSTRUCTION(id, mnemonic, types, modifiers, syntax, meaning, result, others, counted, \
                    cost, flow, uniform)                                                      \
  {#id,        mnemonic,        types,          modifiers,        syntax,                     \
   meaning,    Result::result,  Others::others, Counted::counted, Cost::cost,                 \
   Flow::flow, Uniform::uniform},
#include "ptx/instructions.def"
#undef INSTRUCTION
}};

// Columns that must go together.
constexpr bool agrees(const RowInfo& row) {
  const bool names_result = row.syntax.starts_with('d') || row.syntax.starts_with('p');
  if ((row.result != Result::None) != names_result) return false;
  if ((row.others == Others::Call) != (row.flow == Flow::Call)) return false;
  return (row.counted == Counted::Barrier) == (row.flow == Flow::Barrier);
}
static_assert(std::all_of(kRows.begin(), kRows.end(), agrees));

static_assert(kRows[static_cast<std::size_t>(Row::unknown)].mnemonic.empty());
static_assert(static_cast<std::size_t>(Row::unknown) + 1 == kRowCount,
              "unknown must be the last row");

}  // namespace

const RowInfo& info(Row row) { return kRows[static_cast<std::size_t>(row)]; }

std::span<const RowInfo> all_rows() { return kRows; }

}  // namespace emu::ptx

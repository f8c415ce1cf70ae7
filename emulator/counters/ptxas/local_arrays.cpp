// SPDX-License-Identifier: MIT
#include "counters/ptxas/local_arrays.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "counters/ptxas/instruction_kinds.hpp"

namespace emu::observe {

namespace {

using ptx::Row;

constexpr std::size_t kWord = 4;

bool is_local(const ptx::Instruction& ins) {
  return (ins.row == Row::st || ins.row == Row::ld) && in_space(ins, "local");
}
std::size_t words_stored(const ptx::Instruction& store) {
  return std::max<std::size_t>(1, store.operands[1].parts.size());
}

// Bytes, and what is wider than a word, stay in memory however few they are.
bool all_are_words(const ptx::Function& function) {
  return std::all_of(function.code.begin(), function.code.end(), [](const ptx::Instruction& ins) {
    return !is_local(ins) || ptx::size_of(ins.type()) == kWord;
  });
}

// Whether all that is stored are parameters: a structure or an array of them that is indexed is copied.
bool copies_parameters(const ptx::Function& function) {
  std::vector<bool> other(function.registers.size(), false), parameter(other);
  for (const ptx::Instruction& ins : function.code) {
    if (!writes_first(ins.row) || ins.operands.empty()) continue;
    std::vector<bool>& to = ins.row == Row::ld && in_space(ins, "param") ? parameter : other;
    visit_registers(ins.operands[0], [&](std::uint32_t reg) { to[reg] = true; });
  }
  bool any = false;
  for (const ptx::Instruction& ins : function.code) {
    if (ins.row != Row::st || !in_space(ins, "local")) continue;
    bool all = true, some = false;
    visit_registers(ins.operands[1], [&](std::uint32_t reg) {
      some = true;
      all &= parameter[reg] && !other[reg];
    });
    if (!all || !some) return false;
    any = true;
  }
  return any;
}

// Of how many parameters the one that is wanted is chosen: up to 32 words the compiler compares the index with each of them and
// loads by a predicate, one after the other. A larger structure is indexed.
std::size_t chosen_parameters(const ptx::Function& function) {
  constexpr std::size_t kMost = 32;
  std::size_t words = 0;
  for (const ptx::Instruction& ins : function.code)
    if (ins.row == Row::st && is_local(ins)) words += words_stored(ins);
  return words <= kMost ? words : 1;
}

// Registers that hold the same address for all threads and all the time: a place that the compiler knows.
std::vector<bool> known_addresses(const ptx::Function& function) {
  std::vector<std::uint8_t> writers(function.registers.size(), 0);
  std::vector<bool> known(function.registers.size(), false);
  for (const ptx::Instruction& ins : function.code) {
    if (!writes_first(ins.row) || ins.operands.empty()) continue;
    bool fixed = ins.row == Row::mov || ins.row == Row::add_int || ins.row == Row::cvta;
    for (std::size_t k = 1; k < ins.operands.size(); ++k)
      visit_registers(ins.operands[k], [&](std::uint32_t reg) { fixed &= known[reg]; });
    visit_registers(ins.operands[0], [&](std::uint32_t reg) {
      writers[reg] = static_cast<std::uint8_t>(std::min(2, writers[reg] + 1));
      known[reg] = fixed && writers[reg] == 1;
    });
  }
  return known;
}

// How many words of local memory there are, if they are few enough to be kept in registers: then each access to a word that is not
// known compares the index with all of them. ptxas 13.0 does so for up to four words however often that is.
std::optional<std::size_t> words_in_registers(const ptx::Function& function) {
  constexpr std::size_t kMost = 4;
  std::size_t bytes = 0;
  for (const ptx::Variable& variable : function.variables)
    if (variable.space == ptx::Space::Local) bytes += variable.size;
  if (bytes == 0 || bytes > kMost * kWord) return {};
  return (bytes + kWord - 1) / kWord;
}

}  // namespace

LocalArrays local_arrays(const exec::Code& code) {
  const std::size_t n = code.instrs.size();
  LocalArrays found{std::vector<std::uint8_t>(n, 0), std::vector<std::uint8_t>(n, 0), false};
  const ptx::Function& function = *code.function;
  const bool calls = std::any_of(function.code.begin(), function.code.end(),
                                 [](const ptx::Instruction& ins) { return ins.row == Row::call; });
  if (calls || !all_are_words(function)) return found;
  const bool parameters = copies_parameters(function);
  const std::optional<std::size_t> kept = words_in_registers(function);
  if (!parameters && !kept) return found;
  found.in_registers = !parameters;
  const std::size_t of = parameters ? chosen_parameters(function) : *kept;
  const std::vector<bool> known = known_addresses(function);
  for (std::size_t i = 0; i < n; ++i) {
    const ptx::Instruction* ins = code.instrs[i].source;
    if (!ins || !is_local(*ins)) continue;
    found.spared[i] = true;
    bool indexed = false;
    const std::size_t address = ins->row == Row::ld ? 1 : 0;
    visit_registers(ins->operands[address], [&](std::uint32_t reg) { indexed |= !known[reg]; });
    if (indexed) found.chosen[i] = static_cast<std::uint8_t>(of);
  }
  return found;
}

}  // namespace emu::observe

// SPDX-License-Identifier: MIT
// Matching of mnemonics, types and modifiers against the instruction table.
#include "ptx/opcode.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>

namespace emu::ptx {
namespace {

static_assert(static_cast<int>(Type::B128) < 64, "types must fit a 64-bit set");

struct CheckedRow {
  Row row = Row::unknown;
  std::uint64_t types = 0;  // bit = Type
  std::vector<std::string_view> accepted;
  std::vector<std::string_view> required;
};

constexpr std::uint64_t bit(Type type) { return std::uint64_t{1} << static_cast<int>(type); }

bool holds(std::span<const std::string_view> words, std::string_view word) {
  for (auto w : words)
    if (w == word) return true;
  return false;
}

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const auto end = list.find(' ');
    if (end != 0) words.push_back(list.substr(0, end));
    if (end == std::string_view::npos) break;
    list.remove_prefix(end + 1);
  }
  return words;
}

// "d, [a][, count]": operands are parted by commas; "[," opens one that may be left out, "[|"
// belongs to the operand before it, "..." stands for any number.
Arity read_syntax(std::string_view syntax) {
  Arity result;
  if (syntax.empty()) return result;
  result.least = result.most = 1;
  for (std::size_t i = 0; i < syntax.size(); ++i) {
    if (syntax[i] != ',') continue;
    ++result.most;
    if (i == 0 || syntax[i - 1] != '[') ++result.least;
  }
  if (syntax.find("...") != std::string_view::npos) {
    result.least = 1;
    result.most = std::numeric_limits<std::size_t>::max();
  }
  return result;
}

using Table = std::unordered_map<std::string_view, std::vector<CheckedRow>>;

const Table& table() {
  static const Table rows = [] {
    Table result;
    for (std::size_t i = 0; i + 1 < kRowCount; ++i) {
      const auto& row = info(static_cast<Row>(i));
      CheckedRow checked;
      checked.row = static_cast<Row>(i);
      for (auto word : split(row.types))
        if (auto type = type_from(word)) checked.types |= bit(*type);
      for (auto word : split(row.modifiers)) {
        if (word.front() == '+') {
          word.remove_prefix(1);
          checked.required.push_back(word);
        }
        checked.accepted.push_back(word);
      }
      result[row.mnemonic].push_back(std::move(checked));
    }
    return result;
  }();
  return rows;
}

bool accepts(const CheckedRow& row, const Opcode& op) {
  for (auto type : op.types)
    if (!(row.types & bit(type))) return false;
  if (row.types != 0 && op.types.empty()) return false;
  for (auto mod : op.mods)
    if (!holds(row.accepted, mod)) return false;
  for (auto word : row.required)
    if (!holds(op.mods, word)) return false;
  return true;
}

std::string full_name(std::string_view mnemonic, std::span<const std::string_view> words) {
  std::string name(mnemonic);
  for (auto word : words) {
    name += '.';
    name += word;
  }
  return name;
}

// Families that are left out on purpose, with what to call them. "" if it is none of them.
std::string_view family(std::string_view mnemonic, std::span<const std::string_view> words) {
  static constexpr std::array<std::string_view, 6> kTensor = {"mma",      "wmma",     "wgmma",
                                                              "ldmatrix", "stmatrix", "tcgen05"};
  static constexpr std::array<std::string_view, 8> kTexture = {"tex",  "tld4",  "txq", "suld",
                                                               "sust", "sured", "suq", "istypep"};
  static constexpr std::array<std::string_view, 10> kVideo = {
      "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vmad", "vset", "vavrg"};
  if (holds(kTensor, mnemonic)) return "tensor-core";
  if (holds(kTexture, mnemonic)) return "texture and surface";
  if (mnemonic == "multimem") return "multimem";
  if (mnemonic == "tensormap" || (mnemonic == "cp" && holds(words, "tensor")) ||
      holds(words, "tensormap::generic"))
    return "tensor-map";
  auto bare = mnemonic;
  if (!bare.empty() && (bare.back() == '2' || bare.back() == '4')) bare.remove_suffix(1);
  if (holds(kVideo, bare)) return "video";
  return "";
}

// Words no row of this mnemonic knows are named first; a combination that no row takes comes last.
std::string reason(std::string_view mnemonic, std::span<const std::string_view> words,
                   const Opcode& op) {
  const auto name = full_name(mnemonic, words);
  if (const auto kind = family(mnemonic, words); !kind.empty())
    return std::string(kind) + " instruction " + name + " is not supported";
  const auto found = table().find(mnemonic);
  if (found == table().end()) return "unknown instruction " + name;
  const auto& rows = found->second;
  for (auto mod : op.mods) {
    bool known = false;
    for (const auto& row : rows) known = known || holds(row.accepted, mod);
    if (!known)
      return "modifier ." + std::string(mod) + " is not known for " + std::string(mnemonic);
  }
  for (auto type : op.types) {
    bool known = false;
    for (const auto& row : rows) known = known || (row.types & bit(type)) != 0;
    if (!known)
      return "type ." + std::string(name_of(type)) + " is not known for " + std::string(mnemonic);
  }
  if (op.types.empty() && rows.size() == 1 && rows.front().types != 0) return name + " has no type";
  if (rows.size() == 1)
    for (auto word : rows.front().required)
      if (!holds(op.mods, word)) return name + " lacks the modifier ." + std::string(word);
  return "the modifiers and types of " + name + " do not go together";
}

}  // namespace

Opcode find_opcode(std::string_view mnemonic, std::span<const std::string_view> words) {
  Opcode op;
  for (auto word : words) {
    if (auto type = type_from(word))
      op.types.push_back(*type);
    else
      op.mods.push_back(word);
  }
  if (const auto found = table().find(mnemonic); found != table().end()) {
    for (const auto& row : found->second) {
      if (!accepts(row, op)) continue;
      op.row = row.row;
      return op;
    }
  }
  op.why = reason(mnemonic, words, op);
  return op;
}

Arity arity(Row row) {
  static const auto all = [] {
    std::vector<Arity> result;
    for (const auto& row : all_rows()) result.push_back(read_syntax(row.syntax));
    return result;
  }();
  return all[static_cast<std::size_t>(row)];
}

}  // namespace emu::ptx

// SPDX-License-Identifier: MIT
#include "fuzz/dictionary.hpp"

#include <algorithm>
#include <string_view>

#include "ptx/table.hpp"

namespace emu::fuzz {
namespace {

// Beside the words of the table.
constexpr std::string_view kWords = R"(
.version .target .address_size .entry .func .reg .param .shared .global .local .const .align
.pred .b8 .visible .extern .weak .maxntid .reqntid .minnctapersm .loc .file .section .pragma
.callprototype .branchtargets .calltargets .noreturn .managed .common .attribute inlined_at
function_name { } ( ) [ ] < > ; , : | @ @! %r1 %rd1 %p1 %f1 %tid.x %x<4294967295> _ 0x
0f3f800000 0d - + ~ 1e999 /* // */ k generic(x) ? 9223372036854775808 0b [1000000000] .v4 .v8
)";

// Those of a list that blanks and line ends part.
std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t end = std::min(list.find_first_of(" \n", from), list.size());
    if (end > from) words.emplace_back(list.substr(from, end - from));
    from = end + 1;
  }
  return words;
}

}  // namespace

std::vector<std::string> dictionary() {
  std::vector<std::string> words = words_of(kWords);
  for (const char* odd : {"\"", "\\", "1 << 70", "/ 0", "% 0", "\n", "\xff"})
    words.emplace_back(odd);
  words.emplace_back(1, '\0');
  for (std::size_t i = 0; i < ptx::kRowCount; ++i) {
    const auto& row = ptx::info(static_cast<ptx::Row>(i));
    words.emplace_back(row.mnemonic);
    for (const std::string_view list : {row.types, row.modifiers}) {
      for (std::string& word : words_of(list)) {
        if (word[0] == '+') word.erase(0, 1);
        words.push_back("." + word);
      }
    }
  }
  return words;
}

}  // namespace emu::fuzz

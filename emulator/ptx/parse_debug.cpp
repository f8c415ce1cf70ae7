// SPDX-License-Identifier: MIT
// Source positions: .file, .loc and the strings of .debug_str. Other debug sections are skipped.
#include <functional>

#include "ptx/parser.hpp"

namespace emu::ptx {

bool Parser::LocKey::operator==(const LocKey& other) const {
  return loc.file == other.loc.file && loc.line == other.loc.line &&
         loc.column == other.loc.column && loc.inlined_at == other.loc.inlined_at &&
         loc.function == other.loc.function && offset == other.offset;
}

std::size_t Parser::LocHash::operator()(const LocKey& key) const {
  std::uint64_t hash = std::hash<std::string_view>{}(key.loc.function);
  for (const std::uint64_t part :
       {std::uint64_t{key.loc.file}, std::uint64_t{key.loc.line}, std::uint64_t{key.loc.column},
        std::uint64_t{key.loc.inlined_at}, static_cast<std::uint64_t>(key.offset)})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u + (hash >> 29);
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

// .file 1 "path"[, time, size]
void Parser::file() {
  const auto key = integer32("the number of a file");
  if (lex_.peek().kind != Token::Kind::String) lex_.fail_expected("the path of a file");
  module_->files[key] = std::string(lex_.next().text);
  while (lex_.accept(',')) integer("a number");
}

// .loc file line column[, function_name label[+n], inlined_at file line column]
void Parser::loc() {
  SourceLoc loc;
  loc.file = integer32("the number of a file");
  loc.line = integer32("a line");
  loc.column = integer32("a column");
  std::string_view label;
  std::int64_t offset = 0;
  while (lex_.accept(',')) {
    const auto word = lex_.expect_name("function_name or inlined_at");
    if (word == "function_name") {
      label = lex_.expect_name("a label");
      offset = signed_offset();
    } else if (word == "inlined_at") {
      LocKey caller;
      caller.loc.file = integer32("the number of a file");
      caller.loc.line = integer32("a line");
      caller.loc.column = integer32("a column");
      const auto known = latest_loc_.find(caller);
      loc.inlined_at = known != latest_loc_.end() ? known->second : add_loc(caller.loc, {}, 0);
    } else {
      lex_.skip_line();  // a note for debuggers that is of no use here
      break;
    }
  }
  if (function_ != nullptr) loc_ = add_loc(loc, label, offset);
}

// The compiler writes the position of a call before those it inlined there, so the latest one with
// the same file, line and column is the one an inlined_at means.
std::uint32_t Parser::add_loc(SourceLoc loc, std::string_view label, std::int64_t offset) {
  if (function_ == nullptr) return kNoIndex;
  auto& locs = function_->locs;
  LocKey key{loc, offset};
  key.loc.function = label;
  const auto [entry, is_new] = loc_index_.emplace(key, static_cast<std::uint32_t>(locs.size()));
  if (is_new) {
    locs.push_back(loc);
    if (!label.empty()) loc_names_.push_back({function_, entry->second, label, offset});
  }
  LocKey place;
  place.loc.file = loc.file;
  place.loc.line = loc.line;
  place.loc.column = loc.column;
  latest_loc_[place] = entry->second;
  return entry->second;
}

// .section name { ... }
void Parser::section() {
  if (lex_.peek().kind != Token::Kind::DotWord && !lex_.peek().is_name())
    lex_.fail_expected("the name of a section");
  const auto name = lex_.next().text;
  lex_.expect('{', "after the name of a section");
  if (name == "debug_str")
    debug_strings();
  else
    lex_.skip_block();
}

// label: .b8 95, 90 ... 0, until '}'
void Parser::debug_strings() {
  auto& bytes = module_->debug_strings;
  while (!lex_.accept('}')) {
    if (lex_.peek().is_name()) {
      const auto label = lex_.next().text;
      lex_.expect(':', "after a label");
      string_labels_[label] = bytes.size();
    } else if (lex_.peek().is_word("b8")) {
      lex_.next();
      do {
        bytes += static_cast<char>(integer32("a byte"));
      } while (lex_.accept(','));
    } else {
      lex_.fail_expected("a label or .b8");
    }
  }
}

// The strings stand behind the functions that name them, so this comes last.
void Parser::resolve_loc_names() {
  const std::string_view bytes = module_->debug_strings;
  for (const auto& use : loc_names_) {
    const auto found = string_labels_.find(use.label);
    if (found == string_labels_.end() || use.offset < 0) continue;
    const auto at = found->second + static_cast<std::uint64_t>(use.offset);
    if (at >= bytes.size()) continue;
    auto name = bytes.substr(at);
    use.function->locs[use.loc].function = name.substr(0, name.find('\0'));
  }
}

}  // namespace emu::ptx

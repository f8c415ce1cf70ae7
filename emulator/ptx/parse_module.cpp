// SPDX-License-Identifier: MIT
// The module: directives, variables at module scope, and what can only be checked at the end.
#include <algorithm>
#include <charconv>
#include <limits>

#include "ptx/parser.hpp"

namespace emu::ptx {
namespace {

constexpr std::uint64_t kMinRegisters = 65536;
constexpr std::uint64_t kMinInit = std::uint64_t{16} << 20;

std::optional<Linkage> linkage_from(std::string_view word) {
  if (word == "visible") return Linkage::Visible;
  if (word == "extern") return Linkage::Extern;
  if (word == "weak") return Linkage::Weak;
  if (word == "common") return Linkage::Common;
  return std::nullopt;
}

std::optional<Space> space_from(std::string_view word) {
  if (word == "global") return Space::Global;
  if (word == "const") return Space::Const;
  if (word == "shared" || word == "shared::cta") return Space::Shared;
  return std::nullopt;
}

}  // namespace

Parser::Parser(std::string text) : module_(std::make_unique<Module>()), lex_({}) {
  module_->text = std::move(text);
  if (module_->text.size() > std::numeric_limits<std::uint32_t>::max() / 2)
    Lexer::fail(1, "the text is longer than 2 GiB");
  // A C string from a fat binary may carry its terminator, and padding.
  const auto end = module_->text.find('\0');
  if (end != std::string::npos) module_->text.resize(end);
  register_budget_ = kMinRegisters + module_->text.size();
  init_budget_ = kMinInit + 16 * module_->text.size();
  lex_ = Lexer(module_->text);
}

std::unique_ptr<Module> Parser::run() {
  if (!lex_.peek().is_word("version")) lex_.fail_expected(".version at the start");
  while (lex_.peek().kind != Token::Kind::End) statement();
  finish();
  return std::move(module_);
}

void Parser::statement() {
  if (lex_.accept(';')) return;
  if (lex_.peek().kind != Token::Kind::DotWord) lex_.fail_expected("a directive");
  auto word = lex_.next().text;
  if (word == "version") {
    if (lex_.peek().kind != Token::Kind::Number) lex_.fail_expected("a version");
    const auto version = lex_.next().text;
    const auto* end = version.data() + version.size();
    auto read = std::from_chars(version.data(), end, module_->version_major);
    if (read.ec != std::errc{} || read.ptr == end || *read.ptr != '.') fail("bad version");
    read = std::from_chars(read.ptr + 1, end, module_->version_minor);
    if (read.ec != std::errc{} || read.ptr != end) fail("bad version");
    return;
  }
  if (word == "target") return target();
  if (word == "address_size") {
    module_->address_bits = integer32("an address size");
    if (module_->address_bits != 64 && module_->address_bits != 32)
      fail("the address size must be 32 or 64");
    return;
  }
  if (word == "file") return file();
  if (word == "loc") return loc();
  if (word == "section") return section();
  if (word == "alias") return alias();
  if (word == "pragma") {
    while (lex_.peek().kind == Token::Kind::String || lex_.peek().is(',')) lex_.next();
    lex_.expect(';', "");
    return;
  }
  auto linkage = Linkage::Internal;
  while (const auto found = linkage_from(word)) {
    linkage = *found;
    if (lex_.peek().kind != Token::Kind::DotWord) lex_.fail_expected("a declaration");
    word = lex_.next().text;
  }
  if (word == "entry" || word == "func") return function(word == "entry", linkage);
  if (const auto space = space_from(word)) return module_variable(*space, linkage);
  if (word == "tex") fail("texture, sampler and surface references are not supported");
  fail("." + std::string(word) + " is not known at module scope");
}

// .target sm_90a, debug
void Parser::target() {
  do {
    const auto name = lex_.expect_name("a target");
    if (name.substr(0, 3) != "sm_") continue;
    const auto digits = name.substr(3);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), module_->sm);
    if (read.ec != std::errc{}) fail(shown(name) + " is not a target");
  } while (lex_.accept(','));
}

// .alias name, target;
void Parser::alias() {
  const auto name = lex_.expect_name("a function");
  lex_.expect(',', "in .alias");
  const auto target = lex_.expect_name("a function");
  lex_.expect(';', "");
  use_symbol(target);
  if (!module_->aliases.emplace(name, target).second) fail(shown(name) + " has two aliases");
  symbols_.insert(name);
}

// .attribute(.managed, .unified(1, 2))
void Parser::attribute(Declaration& declaration) {
  lex_.expect('(', "after .attribute");
  do {
    if (lex_.peek().kind != Token::Kind::DotWord) lex_.fail_expected("an attribute");
    const auto word = lex_.next().text;
    if (word == "managed") {
      declaration.managed = true;
    } else if (word == "unified") {
      if (!lex_.accept('(')) continue;
      do integer("a number");
      while (lex_.accept(','));
      lex_.expect(')', "after .unified");
    } else {
      fail("attribute ." + std::string(word) + " is not known");
    }
  } while (lex_.accept(','));
  lex_.expect(')', "after .attribute");
}

void Parser::module_variable(Space space, Linkage linkage) {
  if (lex_.peek().is('[')) fail("banks of constant memory are not supported");
  auto declaration = declaration_head();
  do {
    declarator(declaration);
    auto variable = make_variable(declaration, space);
    variable.linkage = linkage;
    if (lex_.accept('=')) initializer(variable, declaration);
    if (function_index_.count(variable.name) != 0)
      fail(shown(variable.name) + " is a function already");
    if (symbols_.insert(variable.name).second) {
      variable_index_[variable.name] = module_->variables.size();
      module_->variables.push_back(std::move(variable));
      continue;
    }
    // Declared again: an extern gives way to the definition.
    const auto known = variable_index_.find(variable.name);
    if (known == variable_index_.end()) fail(shown(variable.name) + " is an alias already");
    auto& old = module_->variables[known->second];
    if (linkage != Linkage::Extern && old.linkage != Linkage::Extern)
      fail(shown(variable.name) + " is defined twice");
    if (old.linkage == Linkage::Extern) old = std::move(variable);
  } while (lex_.accept(','));
  lex_.expect(';', "");
}

// Names may be used before they are declared; what never is gets reported at the end.
void Parser::use_symbol(std::string_view name) {
  if (symbols_.count(name) == 0) unseen_.emplace_back(name, lex_.last_line());
}

void Parser::finish() {
  for (const auto& [name, line] : unseen_)
    if (symbols_.count(name) == 0) Lexer::fail(line, shown(name) + " is not declared");
  resolve_loc_names();
  if (module_->aliases.empty()) return;
  const auto rename = [&](std::string_view& name) {
    const auto found = module_->aliases.find(name);
    if (found != module_->aliases.end()) name = found->second;
  };
  for (const auto& f : module_->functions) {
    for (auto& ins : f->code)
      for (auto& op : ins.operands)
        if (op.kind == Operand::Kind::Symbol) rename(op.symbol);
  }
  for (auto& variable : module_->variables)
    for (auto& relocation : variable.relocations) rename(relocation.symbol);
  std::erase_if(module_->functions, [&](const std::unique_ptr<Function>& f) {
    return !f->has_body && module_->aliases.count(f->name) != 0;
  });
}

std::unique_ptr<Module> parse(std::string text) { return Parser(std::move(text)).run(); }

}  // namespace emu::ptx

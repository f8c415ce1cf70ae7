// SPDX-License-Identifier: MIT
// Functions: head, directives, and the statements of a body that are not instructions.
#include <algorithm>
#include <array>

#include "ptx/parser.hpp"

namespace emu::ptx {
namespace {

// Directives without effect here, with the most numbers that may follow.
constexpr std::pair<std::string_view, int> kHarmless[] = {
    {"maxnctapersm", 1},  {"abi_preserve", 1}, {"abi_preserve_control", 1},
    {"local_maxnreg", 1}, {"unified", 0},      {"blocksareclusters", 0},
};

bool ends_code(const Instruction& ins) {
  if (ins.guard != kNoIndex) return false;
  return ins.row == Row::ret || ins.row == Row::exit || ins.row == Row::trap ||
         ins.row == Row::bra || ins.row == Row::brx;
}

}  // namespace

// .entry or .func is taken.
void Parser::function(bool is_entry, Linkage linkage) {
  const auto line = lex_.last_line();
  auto f = std::make_unique<Function>();
  f->is_entry = is_entry;
  f->linkage = linkage;
  Declaration attributes;
  while (lex_.peek().kind == Token::Kind::DotWord) {
    const auto word = lex_.next().text;
    if (word == "attribute")
      attribute(attributes);
    else if (!function_directive(*f, word))
      fail("." + std::string(word) + " cannot stand before the name of a function");
  }
  if (!is_entry && lex_.accept('(')) f->returns = parameters();
  f->name = lex_.expect_name("the name of a function");
  if (lex_.accept('(')) f->params = parameters();
  function_directives(*f);
  Function* raw = f.get();
  if (lex_.peek().is('{')) {
    f->has_body = true;
    add_function(std::move(f), line);
    lex_.next();
    function_ = raw;
    body();
    function_ = nullptr;
    return;
  }
  lex_.expect(';', "");
  add_function(std::move(f), line);
}

// One entry per name: a body replaces a declaration.
void Parser::add_function(std::unique_ptr<Function> f, std::uint32_t line) {
  const auto index = static_cast<std::uint32_t>(module_->functions.size());
  const auto [known, is_new] = function_index_.emplace(f->name, index);
  if (is_new) {
    if (!symbols_.insert(f->name).second && module_->aliases.count(f->name) == 0)
      Lexer::fail(line, shown(f->name) + " is a variable already");
    module_->functions.push_back(std::move(f));
    return;
  }
  auto& old = module_->functions[known->second];
  if (!f->has_body) return;
  if (old->has_body) Lexer::fail(line, "function " + shown(f->name) + " is defined twice");
  old = std::move(f);
}

void Parser::function_directives(Function& f) {
  for (;;) {
    if (lex_.peek().kind != Token::Kind::DotWord) return;
    const auto word = lex_.next().text;
    if (!function_directive(f, word))
      fail("directive ." + std::string(word) + " is not known for a function");
  }
}

bool Parser::function_directive(Function& f, std::string_view word) {
  if (word == "noreturn") {
    f.noreturn = true;
  } else if (word == "maxntid") {
    dimensions(f.max_threads);
  } else if (word == "reqntid") {
    dimensions(f.required_threads);
  } else if (word == "reqnctapercluster") {
    dimensions(f.cluster);
  } else if (word == "minnctapersm") {
    f.min_blocks = integer32("a number of blocks");
  } else if (word == "maxnreg") {
    f.max_registers = integer32("a number of registers");
  } else if (word == "maxclusterrank") {
    f.max_cluster_rank = integer32("a number of blocks");
  } else if (word == "explicitcluster") {
    f.explicit_cluster = true;
  } else if (word == "pragma") {
    while (lex_.peek().kind == Token::Kind::String || lex_.peek().is(',')) lex_.next();
    lex_.expect(';', "");
  } else if (word == "attribute") {
    Declaration ignored;
    attribute(ignored);
  } else {
    const auto known = std::find_if(std::begin(kHarmless), std::end(kHarmless),
                                    [&](const auto& entry) { return entry.first == word; });
    if (known == std::end(kHarmless)) return false;
    for (int i = 0; i < known->second && lex_.peek().kind == Token::Kind::Number; ++i)
      integer("a number");
  }
  return true;
}

// 256 or 16, 16 or 8, 8, 4; what is left out is 1.
void Parser::dimensions(std::uint32_t (&out)[3]) {
  out[0] = integer32("a dimension");
  out[1] = out[2] = 1;
  for (int i = 1; i < 3 && lex_.accept(','); ++i) out[i] = integer32("a dimension");
}

// '{' is taken.
void Parser::body() {
  auto& f = *function_;
  scopes_.clear();
  loc_ = kNoIndex;
  falls_off_ = false;
  loc_index_.clear();
  latest_loc_.clear();
  scopes_.open();
  add_parameter_registers(f.returns);
  add_parameter_registers(f.params);
  scopes_.open();
  const auto line = lex_.last_line();
  const auto outermost = scopes_.depth();
  while (scopes_.depth() >= outermost) {
    if (lex_.peek().kind == Token::Kind::End)
      Lexer::fail(line, "the body of " + shown(f.name) + " is not closed");
    body_statement();
  }
  close_scope();
  finish_body(lex_.last_line());
}

void Parser::add_parameter_registers(std::vector<Param>& params) {
  for (auto& param : params) {
    if (param.name == "_") continue;
    ScopedName name{ScopedName::Kind::Param, 0, 0, param.name};
    if (param.is_register) {
      param.reg = add_registers(param.name, param.type, 1, false);
      continue;
    }
    scopes_.used.emplace(param.name, 1);
    if (!scopes_.declare(param.name, name)) fail("two parameters are called " + shown(param.name));
  }
}

void Parser::body_statement() {
  const auto& ahead = lex_.peek();
  if (ahead.kind == Token::Kind::DotWord) return body_directive();
  if (lex_.accept(';')) return;
  if (lex_.accept('{')) {
    if (scopes_.depth() >= Scopes::kDeepest) fail("blocks are nested too deeply");
    scopes_.open();
    return;
  }
  if (lex_.accept('}')) return close_scope();
  if (!ahead.is_name() && !ahead.is('@')) lex_.fail_expected("an instruction");
  const auto first = lex_.next();
  if (first.is_name() && lex_.peek().is(':')) return label_or_table(first);
  instruction(first);
}

void Parser::body_directive() {
  const auto word = lex_.next().text;
  if (word == "loc") return loc();
  if (word == "reg") return registers();
  if (word == "local") return body_variable(Space::Local);
  if (word == "shared" || word == "shared::cta") return body_variable(Space::Shared);
  if (word == "param") return body_variable(Space::Param);
  if (word == "pragma") {
    while (lex_.peek().kind == Token::Kind::String || lex_.peek().is(','))
      nounroll_ |= lex_.next().text == "nounroll";
    lex_.expect(';', "");
    return;
  }
  if (word == "file") return file();
  if (word == "section") return section();
  if (word == "global" || word == "const")
    fail("a ." + std::string(word) + " variable inside a function is not supported");
  fail("." + std::string(word) + " is not known inside a function");
}

// .reg .b32 %r<45>, x;
void Parser::registers() {
  auto type = Type::None;
  while (lex_.peek().kind == Token::Kind::DotWord) {
    const auto word = lex_.next().text;
    const auto found = type_from(word);
    if (!found && (word == "v2" || word == "v4")) fail("vector registers are not supported");
    if (!found) fail("." + std::string(word) + " is not a type of registers");
    type = *found;
  }
  if (type == Type::None) lex_.fail_expected("a type");
  do {
    const auto name = lex_.expect_name("the name of a register");
    if (lex_.accept('<')) {
      if (lex_.peek().kind != Token::Kind::Number) lex_.fail_expected("a number of registers");
      const auto count = number(lex_.next());
      if (count.literal != Operand::Literal::Integer || count.bits > register_budget_)
        fail("more registers than the text can use: " + shown(name));
      add_registers(name, type, static_cast<std::uint32_t>(count.bits), true);
      lex_.expect('>', "after a number of registers");
    } else {
      add_registers(name, type, 1, false);
    }
  } while (lex_.accept(','));
  lex_.expect(';', "");
}

std::uint32_t Parser::add_registers(std::string_view name, Type type, std::uint32_t count,
                                    bool range) {
  auto& all = function_->registers;
  if (count > register_budget_) fail("more registers than the text can use: " + shown(name));
  register_budget_ -= count;
  const auto first = static_cast<std::uint32_t>(all.size());
  const auto kind = range ? ScopedName::Kind::Range : ScopedName::Kind::Register;
  if (!scopes_.declare(name, {kind, first, count, {}}))
    fail(shown(name) + " is declared twice in this block");
  for (std::uint32_t i = 0; i < count; ++i)
    all.push_back({range ? std::string(name) + std::to_string(i) : std::string(name), type});
  return first;
}

void Parser::body_variable(Space space) {
  auto head = declaration_head();
  do {
    declarator(head);
    auto variable = make_variable(head, space);
    const auto plain = variable.name;
    if (lex_.peek().is('=')) fail("only .global and .const variables can be initialised");
    std::uint32_t index = kNoIndex;
    if (space == Space::Param) {
      const auto old =
          scopes_.free_params.find({plain, variable.type, variable.align, variable.size});
      if (old != scopes_.free_params.end()) {
        index = old->second;
        scopes_.free_params.erase(old);
      }
    }
    if (index == kNoIndex) {
      index = static_cast<std::uint32_t>(function_->variables.size());
      // Outside this scope the plain name may mean something else.
      const bool shadows = scopes_.depth() > 2 && symbols_.count(plain) != 0;
      auto& used = scopes_.used[plain];
      if (++used > 1 || shadows) {
        module_->names.push_back(std::string(plain) + "@" + std::to_string(used + shadows));
        variable.name = module_->names.back();
      }
      function_->variables.push_back(std::move(variable));
    }
    const auto unique = function_->variables[index].name;
    if (!scopes_.declare(plain, {ScopedName::Kind::Variable, index, 1, unique}))
      fail(shown(plain) + " is declared twice in this block");
  } while (lex_.accept(','));
  lex_.expect(';', "");
}

// Behind the last instruction a thread returns; the engine never has to look whether it is there.
void Parser::finish_body(std::uint32_t line) {
  auto& code = function_->code;
  if (!code.empty() && ends_code(code.back()) && !falls_off_) return;
  Instruction ret;
  ret.row = Row::ret;
  ret.loc = loc_;
  ret.text_line = line;
  ret.text = "ret;";
  code.push_back(std::move(ret));
}

}  // namespace emu::ptx

// SPDX-License-Identifier: MIT
// Labels, the tables that carry one (.branchtargets, .callprototype, .calltargets), and the end of
// a block, where the labels it waited for are looked up.
#include "ptx/parser.hpp"

namespace emu::ptx {

// The name is taken, ':' is next.
void Parser::label_or_table(const Token& name) {
  lex_.next();
  const auto& ahead = lex_.peek();
  if (ahead.is_word("branchtargets") || ahead.is_word("callprototype") ||
      ahead.is_word("calltargets")) {
    const auto kind = lex_.next().text;
    return table(name.text, kind);
  }
  const auto index = static_cast<std::uint32_t>(function_->code.size());
  if (!scopes_.inner().labels.emplace(name.text, index).second)
    Lexer::fail(name.line, "label " + shown(name.text) + " stands twice in this block");
}

void Parser::table(std::string_view name, std::string_view kind) {
  const auto plain = name;
  auto& used = scopes_.used[plain];
  if (++used > 1) {
    module_->names.push_back(std::string(plain) + "@" + std::to_string(used));
    name = module_->names.back();
  }
  if (!scopes_.declare(plain, {ScopedName::Kind::Table, 0, 0, name}))
    fail(shown(plain) + " is declared twice in this block");
  if (kind == "branchtargets") {
    branch_table(name);
  } else if (kind == "callprototype") {
    function_->prototypes[name] = prototype();
  } else {
    // All targets have the same parameters: those of the first stand for the table.
    bool first = true;
    do {
      const auto target = lex_.expect_name("a function");
      const auto found = function_index_.find(target);
      if (found == function_index_.end()) fail("function " + shown(target) + " is not declared");
      const auto& f = *module_->functions[found->second];
      if (first) function_->prototypes[name] = {f.params, f.returns};
      first = false;
    } while (lex_.accept(','));
  }
  lex_.expect(';', "");
}

void Parser::branch_table(std::string_view name) {
  auto& targets = function_->branch_targets[name];
  do {
    LabelUse use;
    use.label = lex_.expect_name("a label");
    use.line = lex_.last_line();
    use.table = name;
    use.entry = static_cast<std::uint32_t>(targets.size());
    targets.push_back(kNoIndex);
    wait_for_label(use);
  } while (lex_.accept(','));
}

// (results) _ (parameters) directives
Prototype Parser::prototype() {
  Prototype result;
  if (lex_.accept('(')) result.returns = parameters();
  lex_.expect_name("the name of a prototype, '_'");
  if (lex_.accept('(')) result.params = parameters();
  Function ignored;
  function_directives(ignored);
  return result;
}

void Parser::wait_for_label(LabelUse use) { scopes_.inner().waiting.push_back(use); }

// '}' is taken. A label that this block does not have may still come in one around it.
void Parser::close_scope() {
  auto scope = scopes_.close();
  const auto end = static_cast<std::uint32_t>(function_->code.size());
  for (const auto& use : scope.waiting) {
    const auto found = scope.labels.find(use.label);
    if (found == scope.labels.end()) {
      if (scopes_.depth() == 0)
        Lexer::fail(use.line, "label " + shown(use.label) + " is not defined");
      wait_for_label(use);
      continue;
    }
    // More code may follow an inner block; a return too many does no harm.
    if (found->second == end) falls_off_ = true;
    if (use.instruction != kNoIndex)
      function_->code[use.instruction].operands[0].label = found->second;
    else
      function_->branch_targets[use.table][use.entry] = found->second;
  }
  for (const auto& [name, what] : scope.names) {
    if (what.kind != ScopedName::Kind::Variable) continue;
    const auto& variable = function_->variables[what.index];
    if (variable.space == Space::Param)
      scopes_.free_params.insert(
          {{name, variable.type, variable.align, variable.size}, what.index});
  }
}

}  // namespace emu::ptx

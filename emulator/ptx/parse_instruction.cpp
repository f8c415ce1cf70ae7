// SPDX-License-Identifier: MIT
// One instruction: guard, opcode, operands.
#include <utility>

#include "ptx/parser.hpp"

namespace emu::ptx {

// Its first token, a name or '@', is taken.
void Parser::instruction(const Token& first) {
  Instruction ins;
  ins.text_line = first.line;
  ins.loc = loc_;
  ins.nounroll = std::exchange(nounroll_, false);
  auto name = first;
  if (first.is('@')) {
    guard(ins);
    if (!lex_.peek().is_name()) lex_.fail_expected("an instruction");
    name = lex_.next();
  }
  const auto& op = opcode(name);
  ins.row = op.row;
  ins.mods = op.mods;
  ins.types = op.types;
  if (op.row == Row::unknown) {
    ins.why = op.why;
    skip_unknown();
  } else if (op.row == Row::call) {
    call_operands(ins);
  } else {
    operands(ins);
  }
  const auto end = lex_.expect(';', "");
  ins.text = {first.begin, static_cast<std::size_t>(end.end - first.begin)};
  if (op.row != Row::unknown) check_operands(ins, name.text);
  function_->code.push_back(std::move(ins));
}

// '@' is taken: [!] predicate.
void Parser::guard(Instruction& ins) {
  ins.guard_negated = lex_.accept('!');
  const auto name = lex_.expect_name("a predicate");
  const auto found = scopes_.find(name);
  if (!found || found->kind != ScopedName::Kind::Register)
    fail("predicate " + shown(name) + " is not declared");
  if (function_->registers[found->index].type != Type::Pred)
    fail(shown(name) + " is not a predicate");
  ins.guard = found->index;
}

// The same few opcodes come again and again: each spelling is matched once.
const Opcode& Parser::opcode(const Token& name) {
  std::vector<std::string_view> words;
  const char* end = name.end;
  while (lex_.peek().kind == Token::Kind::DotWord) {
    const auto word = lex_.next();
    words.push_back(word.text);
    end = word.end;
  }
  const std::string_view spelled(name.begin, static_cast<std::size_t>(end - name.begin));
  const auto known = opcodes_.find(spelled);
  if (known != opcodes_.end()) return known->second;
  return opcodes_.emplace(spelled, find_opcode(name.text, words)).first->second;
}

// The operands of an instruction no row knows may have any form: they end at the semicolon.
void Parser::skip_unknown() {
  int depth = 0;
  while (!lex_.peek().is(';')) {
    const auto& ahead = lex_.peek();
    depth += ahead.is('{');
    depth -= ahead.is('}');
    if (ahead.kind == Token::Kind::End || depth < 0 || ahead.is(':') || ahead.is('@'))
      lex_.fail_expected("';'");
    lex_.next();
  }
}

void Parser::operands(Instruction& ins) {
  if (lex_.peek().is(';')) return;
  if (ins.row == Row::bra) return label_operand(ins);
  do ins.operands.push_back(operand());
  while (lex_.accept(','));
}

// call [(results),] callee [, (arguments)] [, prototype]
void Parser::call_operands(Instruction& ins) {
  Operand none;
  none.kind = Operand::Kind::Vector;
  auto& out = ins.operands;
  if (lex_.peek().is('(')) {
    out.push_back(call_list());
    lex_.expect(',', "after the results of a call");
  } else {
    out.push_back(none);
  }
  const auto line = lex_.peek().line;
  out.push_back(name_operand());
  using Kind = Operand::Kind;
  if (out[1].kind != Kind::Symbol && out[1].kind != Kind::Register)
    Lexer::fail(line, "a call needs a function or a register");
  if (lex_.accept(',')) {
    if (lex_.peek().is('(')) {
      out.push_back(call_list());
      if (lex_.accept(',')) out.push_back(name_operand());
    } else {
      out.push_back(none);
      out.push_back(name_operand());
    }
  } else {
    out.push_back(none);
  }
  if (out.size() == 4 && out[3].kind != Kind::Symbol)
    Lexer::fail(line, "a call needs the name of a prototype");
  if (out.size() == 3 && out[1].kind == Kind::Register)
    Lexer::fail(line, "an indirect call needs a prototype");
}

// A wrong number of operands is one more thing no row knows.
void Parser::check_operands(Instruction& ins, std::string_view name) {
  if (ins.row == Row::call) return;
  const auto allowed = arity(ins.row);
  const auto count = ins.operands.size();
  if (count >= allowed.least && count <= allowed.most) return;
  ins.why = std::string(name) + " takes " + std::to_string(allowed.least) +
            (allowed.most != allowed.least ? " or more" : "") + " operands, not " +
            std::to_string(count);
  ins.row = Row::unknown;
  ins.operands.clear();
}

}  // namespace emu::ptx

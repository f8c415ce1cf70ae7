// SPDX-License-Identifier: MIT
// One operand: registers, constants, addresses, vectors, pairs, special registers.
#include <algorithm>
#include <array>

#include "ptx/parser.hpp"

namespace emu::ptx {
namespace {

using Kind = Operand::Kind;

constexpr std::size_t kLongestVector = 64;

// Special registers with .x .y .z (.w).
constexpr std::array<std::string_view, 8> kDimensional = {
    "%tid",       "%ntid",       "%ctaid",         "%nctaid",
    "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};

constexpr std::array<std::string_view, 29> kScalar = {"%laneid",
                                                      "%warpid",
                                                      "%nwarpid",
                                                      "%smid",
                                                      "%nsmid",
                                                      "%gridid",
                                                      "%is_explicit_cluster",
                                                      "%cluster_ctarank",
                                                      "%cluster_nctarank",
                                                      "%lanemask_eq",
                                                      "%lanemask_le",
                                                      "%lanemask_lt",
                                                      "%lanemask_ge",
                                                      "%lanemask_gt",
                                                      "%clock",
                                                      "%clock_hi",
                                                      "%clock64",
                                                      "%globaltimer",
                                                      "%globaltimer_lo",
                                                      "%globaltimer_hi",
                                                      "%total_smem_size",
                                                      "%aggr_smem_size",
                                                      "%dynamic_smem_size",
                                                      "%current_graph_exec",
                                                      "%reserved_smem_offset_begin",
                                                      "%reserved_smem_offset_end",
                                                      "%reserved_smem_offset_cap",
                                                      "%reserved_smem_offset_0",
                                                      "%reserved_smem_offset_1"};

// %envreg31, %pm7, %pm7_64
bool is_numbered_special(std::string_view name) {
  const auto number_in = [](std::string_view digits, int most) {
    if (digits.empty() || digits.size() > 2) return false;
    int value = 0;
    for (char c : digits) {
      if (c < '0' || c > '9') return false;
      value = value * 10 + (c - '0');
    }
    return value <= most;
  };
  if (name.substr(0, 7) == "%envreg") return number_in(name.substr(7), 31);
  if (name.substr(0, 3) != "%pm") return false;
  name.remove_prefix(3);
  if (name.size() > 3 && name.substr(name.size() - 3) == "_64") name.remove_suffix(3);
  return number_in(name, 7);
}

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

Operand Parser::operand() {
  const auto& ahead = lex_.peek();
  if (ahead.is('[')) return address();
  if (ahead.is('{')) return vector();
  if (ahead.is_name() && ahead.text != "WARP_SZ") return name_operand();
  if (ahead.is('!')) {
    // !%p, unless it is the ! of a constant expression.
    lex_.next();
    if (lex_.peek().is_name() && lex_.peek().text != "WARP_SZ") {
      auto op = resolve(lex_.next());
      if (op.kind != Kind::Register) fail("only a predicate can be negated");
      op.negated = true;
      return op;
    }
    const auto value = unary(0);
    if (value.literal != Operand::Literal::Integer) fail("only an integer can be negated with !");
    Operand op;
    op.kind = Kind::Immediate;
    op.bits = value.bits == 0;
    return op;
  }
  const auto value = constant();
  Operand op;
  op.kind = Kind::Immediate;
  op.literal = value.literal;
  op.bits = value.bits;
  return op;
}

// A name, alone, with + offset, or as the first half of d|p.
Operand Parser::name_operand() {
  if (!lex_.peek().is_name()) lex_.fail_expected("an operand");
  auto op = resolve(lex_.next());
  if (op.kind == Kind::Symbol) op.offset = signed_offset();
  if (!lex_.peek().is('|') || (op.kind != Kind::Register && op.kind != Kind::Sink)) return op;
  lex_.next();
  if (!lex_.peek().is_name()) lex_.fail_expected("the second register of a pair");
  auto second = resolve(lex_.next());
  if (second.kind != Kind::Register && second.kind != Kind::Sink)
    fail("a pair needs two registers");
  Operand pair;
  pair.kind = Kind::Pair;
  pair.parts.push_back(std::move(op));
  pair.parts.push_back(std::move(second));
  return pair;
}

Operand Parser::resolve(const Token& name) {
  Operand op;
  if (name.text == "_") return op;
  if (const auto found = scopes_.find(name.text)) {
    if (found->kind == ScopedName::Kind::Register) {
      op.kind = Kind::Register;
      op.reg = found->index;
      if (lex_.peek().kind == Token::Kind::DotWord)
        fail("vector registers are not supported: " + shown(name));
    } else {
      op.kind = Kind::Symbol;
      op.symbol = found->unique;
    }
    return op;
  }
  if (name.text.front() == '%') return special(name);
  op.kind = Kind::Symbol;
  op.symbol = name.text;
  use_symbol(name.text);
  return op;
}

Operand Parser::special(const Token& name) {
  Operand op;
  op.kind = Kind::Special;
  op.symbol = name.text;
  if (holds(kDimensional, name.text)) {
    if (lex_.peek().kind != Token::Kind::DotWord)
      fail(shown(name) + " as a whole is not supported, only its .x, .y or .z");
    const auto part = lex_.next();
    const bool known = part.text == "x" || part.text == "y" || part.text == "z" || part.text == "w";
    if (!known || part.begin != name.end)
      fail("." + std::string(part.text) + " is no part of " + shown(name));
    op.symbol = {name.begin, static_cast<std::size_t>(part.end - name.begin)};
    return op;
  }
  if (holds(kScalar, name.text) || is_numbered_special(name.text)) return op;
  fail("register " + shown(name) + " is not declared");
}

// [register + n], [symbol + n], [n]
Operand Parser::address() {
  lex_.next();
  Operand op;
  if (lex_.peek().is_name() && lex_.peek().text != "WARP_SZ") {
    op = resolve(lex_.next());
    if (op.kind != Kind::Register && op.kind != Kind::Symbol)
      fail("an address needs a register, a symbol or a number");
    op.offset = signed_offset();
  } else {
    const auto value = constant();
    if (value.literal != Operand::Literal::Integer) fail("an address cannot be a float");
    op.offset = static_cast<std::int64_t>(value.bits);
  }
  op.kind = Kind::Address;
  lex_.expect(']', "after an address");
  return op;
}

Operand Parser::vector() {
  lex_.next();
  Operand op;
  op.kind = Kind::Vector;
  do {
    if (lex_.peek().is('{') || lex_.peek().is('[')) lex_.fail_expected("an element of a vector");
    if (op.parts.size() == kLongestVector) fail("the vector is too long");
    op.parts.push_back(operand());
  } while (lex_.accept(','));
  lex_.expect('}', "after a vector");
  return op;
}

// (a, b, ...) of a call, as a Vector
Operand Parser::call_list() {
  lex_.next();
  Operand op;
  op.kind = Kind::Vector;
  if (lex_.accept(')')) return op;
  do {
    if (lex_.peek().is('{') || lex_.peek().is('[')) lex_.fail_expected("an argument");
    op.parts.push_back(operand());
  } while (lex_.accept(','));
  lex_.expect(')', "after the arguments of a call");
  return op;
}

void Parser::label_operand(Instruction& ins) {
  LabelUse use;
  use.label = lex_.expect_name("a label");
  use.line = lex_.last_line();
  use.instruction = static_cast<std::uint32_t>(function_->code.size());
  Operand op;
  op.kind = Kind::Label;
  ins.operands.push_back(std::move(op));
  wait_for_label(use);
}

}  // namespace emu::ptx

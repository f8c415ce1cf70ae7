// SPDX-License-Identifier: MIT
// Literals and constant expressions.
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "ptx/parser.hpp"

namespace emu::ptx {
namespace {

using Literal = Operand::Literal;

constexpr int kDeepestExpression = 100;

bool digits_to(std::string_view digits, int base, std::uint64_t& out) {
  const auto* end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, out, base);
  return !digits.empty() && result.ec == std::errc{} && result.ptr == end;
}

bool both_signed(const Constant& a, const Constant& b) { return !a.is_unsigned && !b.is_unsigned; }

// Operators by how tightly they bind; two-character ones first, so that << is not read as <.
constexpr std::pair<int, std::string_view> kInfix[] = {
    {8, "<<"}, {8, ">>"}, {7, "<="}, {7, ">="}, {6, "=="}, {6, "!="},
    {2, "&&"}, {1, "||"}, {10, "*"}, {10, "/"}, {10, "%"}, {9, "+"},
    {9, "-"},  {7, "<"},  {7, ">"},  {5, "&"},  {4, "^"},  {3, "|"},
};

std::uint64_t divide(const Constant& a, const Constant& b, bool remainder, std::uint32_t line) {
  if (b.bits == 0) Lexer::fail(line, "division by zero in a constant");
  if (!both_signed(a, b)) return remainder ? a.bits % b.bits : a.bits / b.bits;
  const auto x = static_cast<std::int64_t>(a.bits), y = static_cast<std::int64_t>(b.bits);
  if (y == -1) return remainder ? 0 : 0 - a.bits;  // INT64_MIN / -1 wraps
  return static_cast<std::uint64_t>(remainder ? x % y : x / y);
}

std::uint64_t shift_right(const Constant& a, std::uint64_t by) {
  if (a.is_unsigned) return by < 64 ? a.bits >> by : 0;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a.bits) >> (by < 64 ? by : 63));
}

bool less(const Constant& a, const Constant& b) {
  return both_signed(a, b) ? static_cast<std::int64_t>(a.bits) < static_cast<std::int64_t>(b.bits)
                           : a.bits < b.bits;
}

std::uint64_t combine(const Constant& a, std::string_view op, const Constant& b,
                      std::uint32_t line) {
  if (op == "+") return a.bits + b.bits;
  if (op == "-") return a.bits - b.bits;
  if (op == "*") return a.bits * b.bits;
  if (op == "/") return divide(a, b, false, line);
  if (op == "%") return divide(a, b, true, line);
  if (op == "<<") return b.bits < 64 ? a.bits << b.bits : 0;
  if (op == ">>") return shift_right(a, b.bits);
  if (op == "&") return a.bits & b.bits;
  if (op == "|") return a.bits | b.bits;
  if (op == "^") return a.bits ^ b.bits;
  if (op == "<") return less(a, b);
  if (op == ">") return less(b, a);
  if (op == "<=") return !less(b, a);
  if (op == ">=") return !less(a, b);
  if (op == "==") return a.bits == b.bits;
  if (op == "!=") return a.bits != b.bits;
  if (op == "&&") return a.bits != 0 && b.bits != 0;
  return a.bits != 0 || b.bits != 0;
}

}  // namespace

Constant Parser::number(const Token& token) {
  auto text = token.text;
  Constant result;
  const auto bad = [&] { Lexer::fail(token.line, shown(token) + " is not a number"); };
  const char kind = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
  if (kind == 'f' || kind == 'F' || kind == 'd' || kind == 'D') {
    const bool single = kind == 'f' || kind == 'F';
    text.remove_prefix(2);
    if (text.size() != (single ? 8u : 16u) || !digits_to(text, 16, result.bits)) bad();
    result.literal = single ? Literal::F32 : Literal::F64;
    return result;
  }
  const bool hex = kind == 'x' || kind == 'X';
  if (!hex && text.find_first_of(".eE") != std::string_view::npos) {
    double value = 0;
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ptr != end || read.ec == std::errc::invalid_argument) bad();
    if (read.ec == std::errc::result_out_of_range)
      Lexer::fail(token.line, shown(token) + " is out of range");
    result.literal = Literal::F64;
    result.bits = std::bit_cast<std::uint64_t>(value);
    return result;
  }
  if (text.back() == 'U' || text.back() == 'u') {
    text.remove_suffix(1);
    result.is_unsigned = true;
  }
  int base = 10;
  if (hex) base = 16;
  if (kind == 'b' || kind == 'B') base = 2;
  if (base != 10)
    text.remove_prefix(2);
  else if (text.size() > 1 && text[0] == '0')
    base = 8;
  if (!digits_to(text, base, result.bits)) {
    const bool digits_only = text.find_first_not_of(base == 16   ? "0123456789abcdefABCDEF"
                                                    : base == 10 ? "0123456789"
                                                    : base == 8  ? "01234567"
                                                                 : "01") == std::string_view::npos;
    if (text.empty() || !digits_only) bad();
    Lexer::fail(token.line, shown(token) + " does not fit 64 bits");
  }
  if (result.bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    result.is_unsigned = true;
  return result;
}

Constant Parser::unary(int depth) {
  if (depth > kDeepestExpression) fail("the constant expression is nested too deeply");
  const auto& ahead = lex_.peek();
  if (ahead.kind == Token::Kind::Number) return number(lex_.next());
  if (ahead.is_name() && ahead.text == "WARP_SZ") {
    lex_.next();
    return {Literal::Integer, false, 32};
  }
  if (lex_.accept('(')) {
    if (lex_.peek().is_word("s64") || lex_.peek().is_word("u64")) {
      const bool to_unsigned = lex_.next().text == "u64";
      lex_.expect(')', "after the type of a cast");
      auto value = unary(depth + 1);
      if (value.literal != Literal::Integer) fail("only an integer constant can be cast");
      value.is_unsigned = to_unsigned;
      return value;
    }
    auto value = constant(depth + 1);
    lex_.expect(')', "in a constant expression");
    return value;
  }
  for (const char op : {'-', '+', '~', '!'}) {
    if (!lex_.accept(op)) continue;
    auto value = unary(depth + 1);
    if (value.literal != Literal::Integer) {
      if (op == '~' || op == '!') fail("a float constant has no bits to negate");
      if (op == '-') value.bits ^= std::uint64_t{1} << (value.literal == Literal::F32 ? 31 : 63);
      return value;
    }
    if (op == '-') value.bits = 0 - value.bits;
    // -9223372036854775808 is read as the minus of a number that alone would be unsigned.
    if (op == '-' && value.bits == std::uint64_t{1} << 63) value.is_unsigned = false;
    if (op == '~') value.bits = ~value.bits;
    if (op == '!') value.bits = value.bits == 0;
    return value;
  }
  lex_.fail_expected("a constant");
}

// The operator that comes next and how tightly it binds; 0 if none does.
std::pair<int, std::string_view> Parser::infix() const {
  const auto& ahead = lex_.peek();
  if (ahead.kind != Token::Kind::Punct) return {0, {}};
  const auto& text = module_->text;
  const auto left = static_cast<std::size_t>(text.data() + text.size() - ahead.begin);
  const std::string_view rest(ahead.begin, std::min<std::size_t>(left, 2));
  for (const auto& op : kInfix)
    if (rest.substr(0, op.second.size()) == op.second) return op;
  return {0, {}};
}

Constant Parser::binary(Constant left, int least, int depth) {
  for (;;) {
    const auto [binds, op] = infix();
    if (binds == 0 || binds < least) return left;
    for (std::size_t i = 0; i < op.size(); ++i) lex_.next();
    auto right = unary(depth + 1);
    if (const auto [tighter, after] = infix(); tighter > binds)
      right = binary(right, tighter, depth + 1);
    if (left.literal != Literal::Integer || right.literal != Literal::Integer)
      fail("arithmetic with float constants is not supported");
    const auto bits = combine(left, op, right, lex_.last_line());
    left = {Literal::Integer, left.is_unsigned || right.is_unsigned, bits};
  }
}

Constant Parser::constant(int depth) {
  auto value = binary(unary(depth), 1, depth);
  if (!lex_.peek().is('?')) return value;
  if (depth > kDeepestExpression) fail("the constant expression is nested too deeply");
  lex_.next();
  const auto yes = constant(depth + 1);
  lex_.expect(':', "in a constant expression");
  const auto no = constant(depth + 1);
  return value.bits != 0 ? yes : no;
}

std::uint64_t Parser::integer(std::string_view what) {
  if (!lex_.peek().is('(') && lex_.peek().kind != Token::Kind::Number &&
      !(lex_.peek().is_name() && lex_.peek().text == "WARP_SZ"))
    lex_.fail_expected(what);
  const auto value = constant();
  if (value.literal != Literal::Integer) fail(std::string(what) + " must be an integer");
  if (!value.is_unsigned && static_cast<std::int64_t>(value.bits) < 0)
    fail(std::string(what) + " is negative");
  return value.bits;
}

std::uint32_t Parser::integer32(std::string_view what) {
  const auto value = integer(what);
  if (value > std::numeric_limits<std::uint32_t>::max()) fail(std::string(what) + " is too large");
  return static_cast<std::uint32_t>(value);
}

// + 8, - 8, +-8 behind a register or symbol; 0 if nothing of that kind follows.
std::int64_t Parser::signed_offset() {
  const bool minus = lex_.peek().is('-');
  if (!minus && !lex_.peek().is('+')) return 0;
  if (!minus) lex_.next();
  // A minus stays for constant(), so that -8+4 is what it looks like.
  const auto value = constant();
  if (value.literal != Literal::Integer) fail("an address offset must be an integer");
  return static_cast<std::int64_t>(value.bits);
}

}  // namespace emu::ptx

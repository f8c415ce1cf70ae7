// SPDX-License-Identifier: MIT
// Declarations of variables and parameters: type, alignment, dimensions, size.
#include <algorithm>
#include <bit>
#include <limits>

#include "ptx/parser.hpp"

namespace emu::ptx {
namespace {

constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 40;  // bytes
constexpr std::size_t kMostDimensions = 16;
constexpr std::uint64_t kLargestParam = std::uint64_t{1} << 20;  // bytes
constexpr std::uint32_t kLargestAlignment = 1u << 20;

std::optional<std::uint32_t> vector_length(std::string_view word) {
  if (word == "v2") return 2;
  if (word == "v4") return 4;
  if (word == "v8") return 8;
  return std::nullopt;
}

bool is_opaque(std::string_view word) {
  return word == "texref" || word == "samplerref" || word == "surfref";
}

}  // namespace

std::uint32_t Parser::alignment() {
  const auto align = integer32("an alignment");
  if (!std::has_single_bit(align) || align > kLargestAlignment)
    fail("alignment " + std::to_string(align) + " is not a power of two that fits");
  return align;
}

// Everything between the state space and the name.
Declaration Parser::declaration_head() {
  Declaration result;
  while (lex_.peek().kind == Token::Kind::DotWord) {
    const auto word = lex_.next().text;
    if (word == "align") {
      result.align = alignment();
    } else if (word == "attribute") {
      attribute(result);
    } else if (word == "ptr") {
      // What the pointer points to: its space and alignment say nothing about the parameter.
      while (lex_.peek().kind == Token::Kind::DotWord) {
        if (lex_.next().text == "align") alignment();
      }
    } else if (const auto n = vector_length(word)) {
      result.vector = *n;
    } else if (const auto type = type_from(word)) {
      result.type = *type;
    } else if (is_opaque(word)) {
      fail("texture, sampler and surface references are not supported");
    } else {
      fail("." + std::string(word) + " cannot stand in a declaration");
    }
  }
  if (result.type == Type::None) lex_.fail_expected("a type");
  return result;
}

// Name and dimensions; fills in strides and size.
void Parser::declarator(Declaration& d) {
  d.name = lex_.expect_name("a name");
  d.unsized = false;
  std::vector<std::uint64_t> counts;
  while (lex_.accept('[')) {
    if (counts.size() == kMostDimensions) fail("too many dimensions");
    if (lex_.peek().is(']')) {
      if (!counts.empty()) fail("only the first dimension may be left out");
      d.unsized = true;
      counts.push_back(0);
    } else {
      counts.push_back(integer("a dimension"));
    }
    lex_.expect(']', "after a dimension");
  }
  if (d.vector > 1) counts.push_back(d.vector);
  std::uint64_t bytes = size_of(d.type);
  d.strides.assign(counts.size(), 0);
  for (std::size_t i = counts.size(); i-- > 0;) {
    d.strides[i] = bytes;
    if (counts[i] != 0 && bytes > kLargestVariable / counts[i])
      fail(shown(d.name) + " is larger than memory");
    bytes *= counts[i];
  }
  d.size = bytes;
}

Variable Parser::make_variable(const Declaration& d, Space space) const {
  if (d.type == Type::Pred) fail("a predicate cannot live in memory: " + shown(d.name));
  Variable result;
  result.name = d.name;
  result.space = space;
  result.type = d.type;
  result.align = std::max({d.align, size_of(d.type), 1u});
  if (d.align == 0) result.align = std::max(1u, size_of(d.type) * d.vector);
  result.size = d.size;
  result.managed = d.managed;
  return result;
}

Param Parser::parameter() {
  Param result;
  const auto space = lex_.next();
  if (space.kind != Token::Kind::DotWord || (space.text != "param" && space.text != "reg"))
    fail(".param or .reg expected before " + shown(space));
  auto d = declaration_head();
  declarator(d);
  result.name = d.name;
  result.type = d.type;
  result.is_register = space.text == "reg";
  if (result.is_register) {
    if (d.vector > 1 || !d.strides.empty()) fail("a register parameter must be one register");
    result.size = size_of(d.type);
    result.align = std::max(1u, result.size);
    return result;
  }
  if (d.size > kLargestParam) fail("parameter " + shown(d.name) + " is too large");
  const auto variable = make_variable(d, Space::Param);
  result.align = variable.align;
  result.size = static_cast<std::uint32_t>(variable.size);
  return result;
}

// '(' is taken. Offsets follow the ABI: each parameter at the next multiple of its own alignment.
std::vector<Param> Parser::parameters() {
  std::vector<Param> result;
  std::uint64_t at = 0;
  if (lex_.accept(')')) return result;
  do {
    auto param = parameter();
    if (!param.is_register) {
      at = (at + param.align - 1) / param.align * param.align;
      param.offset = static_cast<std::uint32_t>(at);
      at += param.size;
      if (at > std::numeric_limits<std::uint32_t>::max() / 2) fail("too many parameters");
    }
    result.push_back(param);
  } while (lex_.accept(','));
  lex_.expect(')', "after the parameters");
  return result;
}

}  // namespace emu::ptx

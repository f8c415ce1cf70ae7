// SPDX-License-Identifier: MIT
// Initialisers of variables: numbers become bytes, addresses become relocations.
#include <algorithm>
#include <bit>
#include <cstring>

#include "ptx/parser.hpp"

namespace emu::ptx {
namespace {

// Bits of a constant as they lie in a variable of this type.
std::uint64_t stored_bits(const Constant& value, Type type) {
  using Literal = Operand::Literal;
  if (!is_float(type)) return value.bits;
  double number = 0;
  if (value.literal == Literal::Integer)
    number = value.is_unsigned ? static_cast<double>(value.bits)
                               : static_cast<double>(static_cast<std::int64_t>(value.bits));
  else if (value.literal == Literal::F64)
    number = std::bit_cast<double>(value.bits);
  else if (type == Type::F32)
    return value.bits;  // as written, the payload of a NaN included
  else
    number = std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
  if (type == Type::F32) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  if (value.literal == Literal::F64) return value.bits;
  return std::bit_cast<std::uint64_t>(number);
}

}  // namespace

// Grows `init` to so many bytes. The budget keeps memory in proportion to the text: a large array
// of which only the last element is given is refused.
void Parser::reserve_init(Variable& variable, std::uint64_t bytes) {
  if (bytes <= variable.init.size()) return;
  const auto more = bytes - variable.init.size();
  if (more > init_budget_) fail("the initialiser of " + shown(variable.name) + " is too large");
  init_budget_ -= more;
  variable.init.resize(bytes);
}

// '=' is taken.
void Parser::initializer(Variable& variable, Declaration& declaration) {
  if (variable.linkage == Linkage::Extern) fail("an extern variable cannot be initialised");
  if (variable.space != Space::Global && variable.space != Space::Const)
    fail("only .global and .const variables can be initialised");
  if (lex_.accept('{')) {
    if (declaration.strides.empty()) {  // { 5 } for a scalar
      init_value(variable, variable.type, 0);
      lex_.expect('}', "after the initialiser");
    } else {
      const auto limit = declaration.unsized ? ~std::uint64_t{0} : variable.size;
      init_list(variable, declaration, 0, 0, limit);
    }
  } else {
    if (!declaration.strides.empty()) lex_.fail_expected("'{'");
    init_value(variable, variable.type, 0);
  }
  if (declaration.unsized) {
    const auto row = std::max<std::uint64_t>(1, declaration.strides.front());
    variable.size = (variable.init.size() + row - 1) / row * row;
  }
  const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
  if (variable.relocations.empty() &&
      std::all_of(variable.init.begin(), variable.init.end(), is_zero)) {
    init_budget_ += variable.init.size();
    variable.init = {};
  }
}

// '{' is taken; fills [at, limit) and takes '}'.
void Parser::init_list(Variable& variable, const Declaration& declaration, std::size_t level,
                       std::uint64_t at, std::uint64_t limit) {
  if (lex_.accept('}')) return;
  do {
    const bool nested = lex_.peek().is('{');
    const auto bytes = nested ? declaration.strides[level] : size_of(variable.type);
    if (bytes > limit - at) fail("too many initialisers for " + shown(variable.name));
    if (nested) {
      lex_.next();
      if (level + 1 >= declaration.strides.size()) fail("more braces than dimensions");
      init_list(variable, declaration, level + 1, at, at + bytes);
    } else {
      init_value(variable, variable.type, at);
    }
    at += bytes;
  } while (lex_.accept(','));
  lex_.expect('}', "after the initialisers");
}

void Parser::init_value(Variable& variable, Type type, std::uint64_t at) {
  const auto bytes = size_of(type);
  const auto& ahead = lex_.peek();
  if (ahead.is_name() && ahead.text != "WARP_SZ") {
    const bool generic = ahead.text == "generic";
    if (generic) {
      lex_.next();
      lex_.expect('(', "after generic");
    }
    init_address(variable, bytes, at, ~std::uint64_t{0}, generic);
    return;
  }
  const auto value = constant();
  if (lex_.accept('(')) {  // 0xFF00(symbol): some bytes of an address
    const bool generic = lex_.peek().is_name() && lex_.peek().text == "generic";
    if (generic) {
      lex_.next();
      lex_.expect('(', "after generic");
    }
    init_address(variable, bytes, at, value.bits, generic);
    lex_.expect(')', "after the masked address");
    return;
  }
  reserve_init(variable, at + bytes);
  if (bytes > 8) fail("a ." + std::string(name_of(type)) + " variable cannot be initialised");
  const auto bits = stored_bits(value, type);
  for (std::uint32_t i = 0; i < bytes; ++i)
    variable.init[at + i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

// The symbol is next; for generic(symbol) its '(' is taken. A mask picks one byte of an address
// that stands in an array of bytes; all eight of them, lowest first, make one relocation.
void Parser::init_address(Variable& variable, std::uint32_t bytes, std::uint64_t at,
                          std::uint64_t mask, bool generic) {
  Relocation relocation;
  relocation.symbol = lex_.expect_name("the name of a variable or function");
  relocation.addend = signed_offset();
  relocation.generic = generic;
  if (generic) {
    lex_.expect(')', "after generic(symbol");
    relocation.addend += signed_offset();
  }
  use_symbol(relocation.symbol);
  reserve_init(variable, at + bytes);
  if (at > 0xffffffffu - 16) fail("an address stands too far inside " + shown(variable.name));
  relocation.at = static_cast<std::uint32_t>(at);
  relocation.bytes = bytes;
  if (mask == ~std::uint64_t{0}) {
    if (bytes != 4 && bytes != 8) fail("an address needs an element of 4 or 8 bytes");
    variable.relocations.push_back(relocation);
    return;
  }
  const auto byte = static_cast<std::uint32_t>(std::countr_zero(mask)) / 8;
  if (bytes != 1 || mask != std::uint64_t{0xff} << (8 * byte))
    fail("an address mask must pick one byte for an array of bytes");
  if (byte == 0) {
    variable.relocations.push_back(relocation);
    return;
  }
  const bool continues = !variable.relocations.empty() &&
                         variable.relocations.back().symbol == relocation.symbol &&
                         variable.relocations.back().at + byte == relocation.at &&
                         variable.relocations.back().bytes == byte;
  if (!continues) fail("the bytes of an address must follow each other, lowest first");
  ++variable.relocations.back().bytes;
}

}  // namespace emu::ptx

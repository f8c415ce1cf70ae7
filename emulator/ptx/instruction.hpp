// SPDX-License-Identifier: MIT
// One instruction as it was read: its row of the table, its modifiers, its operands and where it comes from.
//
// Strings are string_views into the module that holds it (ptx/module.hpp), or into static storage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/table.hpp"
#include "ptx/type.hpp"

namespace emu::ptx {

enum class Space : std::uint8_t { None, Generic, Global, Shared, Local, Const, Param };

constexpr std::uint32_t kNoIndex = 0xffffffffu;

// One position in the CUDA source. `inlined_at` is the index of the position that inlined it
// (kNoIndex: not inlined), `function` the mangled name of the function whose code it is ("" if
// unknown).
struct SourceLoc {
  std::uint32_t file = 0;  // key of Module::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t inlined_at = kNoIndex;  // index into Function::locs
  std::string_view function;
};

struct Operand {
  enum class Kind : std::uint8_t {
    Register,   // reg; negated for !%p
    Immediate,  // bits (two's complement, or the bits of an f64 / f32 literal)
    Symbol,     // symbol (+ offset): a variable, function or parameter whose address is meant
    Address,    // [reg + offset], [symbol + offset] or [offset]
    Vector,     // {a, b, ...}: parts
    Special,    // %tid.x and the like: symbol holds "%tid.x"
    Label,      // label: index of the instruction it stands before
    Sink,       // _
    Pair,       // d|p: parts[0], parts[1]
  };
  enum class Literal : std::uint8_t { Integer, F32, F64 };  // how an Immediate was written

  Kind kind = Kind::Sink;
  Literal literal = Literal::Integer;
  bool negated = false;
  std::uint32_t reg = kNoIndex;  // index into Function::registers (Register, or base of Address)
  std::uint32_t label = kNoIndex;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::string_view symbol;
  std::vector<Operand> parts;
};

// `call` has operands {results as Vector, callee as Symbol or Register, arguments as Vector} and,
// for an indirect call, a fourth: the Symbol of its .callprototype or .calltargets. `brx.idx` has
// {Register, Symbol of its .branchtargets}.
struct Instruction {
  Row row = Row{};                     // which row of instructions.def accepted it
  std::vector<std::string_view> mods;  // modifiers in order, without dots and without types
  std::vector<Type> types;             // types in order
  std::uint32_t guard = kNoIndex;      // predicate register of @p
  bool guard_negated = false;
  bool nounroll = false;  // behind .pragma "nounroll": the loop that begins here stays as it is
  std::uint32_t loc = kNoIndex;   // index into Function::locs
  std::uint32_t text_line = 0;    // line in the PTX text, from 1
  std::string_view text;          // the whole instruction as written, guard to semicolon
  std::vector<Operand> operands;  // empty for Row::unknown
  std::string why;                // Row::unknown only: one sentence, why no row accepts it

  bool has(std::string_view modifier) const {
    for (auto m : mods)
      if (m == modifier) return true;
    return false;
  }
  Type type(std::size_t i = 0) const { return i < types.size() ? types[i] : Type::None; }
};

}  // namespace emu::ptx

// SPDX-License-Identifier: MIT
// The instruction table: one row of instructions.def per instruction, and what can be asked of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "ptx/type.hpp"

namespace emu::ptx {

enum class Row : std::uint16_t {
#define INSTRUCTION(id, ...) id,
#include "ptx/instructions.def"
#undef INSTRUCTION
};

inline constexpr std::size_t kRowCount = 0
#define INSTRUCTION(id, ...) +1
#include "ptx/instructions.def"
#undef INSTRUCTION
    ;

// What the first operand takes from an instruction. Registers must be exactly so wide, since handlers
// write 32 lanes of a width that was fixed when they were chosen.
enum class Result : std::uint8_t {
  None,       // nothing: it is read like the others, or there is none
  Typed,      // a value of the instruction's type, which may be a predicate
  OrWider,    // the same, and the register may be wider
  Predicate,  // a predicate
  Word,       // 32 bits
  Product,    // a value of the type, with .wide of twice its size
  Ballot,     // 32 bits with .ballot, else a predicate
  Popc,       // 32 bits with .popc, else a predicate
};

// What other threads can see of an instruction.
enum class Others : std::uint8_t {
  Own,  // nothing: it touches what is its thread's own
  // Memory, at the address of its lane: one value, seen unless it is local or a parameter.
  Load,
  Store,
  Atomic,
  Memory,      // memory in another way
  Bulk,        // memory, many bytes by one lane, counted as a bulk request
  Arrive,      // an mbarrier: passes on what its thread has done
  Wait,        // an mbarrier: takes over what others have passed on
  Fence,       // orders what its thread does
  ProxyFence,  // the same if it names an order
  Sleep,       // lets others go first
  Mask,        // which lanes run together
  Call,        // a function, which may be one of the emulator's own
};

// The counter of the instructions of a kind; None: it is in the sum of all only.
enum class Counted : std::uint8_t {
  None,
  Barrier,
  ClusterBarrier,
  WarpSync,
  Shuffle,
  Vote,
  Fence,
};

// What an instruction costs in the model of time (timing/critical_path.cpp).
enum class Cost : std::uint8_t {
  Free,        // no instruction of the machine
  Move,        // a copy, which ptxas folds away, unless it reads a special register
  Arithmetic,  // one instruction, two for integers of 64 bits
  Product,
  Division,
  Conversion,
  Special,  // the unit for roots, logarithms, sines
  Load,
  Store,
  Atomic,
  Branch,
  Shuffle,
  Vote,
  Match,
  Redux,
  WarpSync,
  Barrier,
  ClusterBarrier,
  Fence,
  MbarrierTest,
};

// How it goes on after an instruction.
enum class Flow : std::uint8_t {
  Next,
  Branch,
  BranchTable,
  Call,
  Return,
  Exit,
  Trap,            // not at all
  Sync,            // lanes of a member mask meet
  Barrier,         // warps of a block meet
  ClusterBarrier,  // blocks of a cluster meet
  Yield,           // with the next, once others have had their turn
};

// Whether threads of a block that give an instruction the same get the same from it, so that the
// machine can keep one result for all of them.
enum class Uniform : std::uint8_t {
  Never,
  Integers,  // unless its type is a floating-point one
  Params,    // if it reads a parameter
};

struct RowInfo {
  std::string_view id;         // "add_int"
  std::string_view mnemonic;   // "add"
  std::string_view types;      // "u16 s16 u32": what it accepts, "" if it takes no type
  std::string_view modifiers;  // "sat cc": what it accepts besides types
  std::string_view syntax;     // operands as in the PTX manual: "d, a, b"
  std::string_view meaning;    // one line
  Result result;
  Others others;
  Counted counted;
  Cost cost;
  Flow flow;
  Uniform uniform;
};

const RowInfo& info(Row row);
std::span<const RowInfo> all_rows();

// A load, store, atomic or reduction: each lane has one address.
constexpr bool is_access(Others others) {
  return others == Others::Load || others == Others::Store || others == Others::Atomic;
}

// Whether a space-separated list of the table holds this word.
constexpr bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto end = list.find(' ');
    if (list.substr(0, end) == word) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace emu::ptx

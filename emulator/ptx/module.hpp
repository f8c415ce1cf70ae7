// SPDX-License-Identifier: MIT
// What the PTX reader makes of a text: functions, variables, instructions with every name resolved
// to an index and every modifier checked against the instruction table. Nothing here executes.
//
// Strings are string_views into Module::text, Module::names or Module::debug_strings, which live as
// long as the module, or into static storage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/instruction.hpp"
#include "ptx/ptx_error.hpp"
#include "ptx/type.hpp"

namespace emu::ptx {

struct Register {
  std::string name;
  Type type = Type::None;
};

// Bytes of an initialiser that hold the address of a symbol (a vtable entry, a string, a function).
struct Relocation {
  std::uint32_t at = 0;  // byte offset in the variable
  std::uint32_t bytes = 8;
  std::string_view symbol;
  std::int64_t addend = 0;
  bool generic = false;  // written generic(symbol)
};

enum class Linkage : std::uint8_t { Internal, Visible, Weak, Common, Extern };

struct Variable {
  std::string_view name;
  Space space = Space::None;
  Type type = Type::None;
  Linkage linkage = Linkage::Internal;
  std::uint32_t align = 1;
  std::uint64_t size = 0;  // bytes in all; 0 for `extern .shared x[]`
  bool managed = false;    // .attribute(.managed)
  std::vector<std::uint8_t>
      init;  // at most `size` bytes; what it leaves out is zero, empty: all zero
  std::vector<Relocation> relocations;
};

struct Param {
  std::string_view name;
  Type type = Type::None;
  std::uint32_t align = 1;
  std::uint32_t size = 0;    // bytes
  std::uint32_t offset = 0;  // in the parameter block, laid out as the ABI does
  bool is_register = false;  // .func (.reg .b32 r) f(.reg .b32 x): then reg is its register
  std::uint32_t reg = kNoIndex;
};

// .callprototype: what an indirect call passes and expects.
struct Prototype {
  std::vector<Param> params;
  std::vector<Param> returns;
};

struct Function {
  std::string_view name;
  bool is_entry = false;
  bool has_body = false;
  bool noreturn = false;
  Linkage linkage = Linkage::Internal;
  std::vector<Param> params;
  std::vector<Param> returns;
  std::vector<Register> registers;
  // .local, .shared and .param declarations of the body. Each name stands here once and operands
  // use it: a second variable of that name in another scope is called name@2. A .param of closed
  // scopes is shared by later scopes that declare the same one.
  std::vector<Variable> variables;
  std::vector<Instruction> code;
  std::vector<SourceLoc> locs;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>>
      branch_targets;  // of brx.idx: instruction indices
  std::unordered_map<std::string_view, Prototype> prototypes;
  std::uint32_t max_threads[3] = {0, 0, 0};       // .maxntid (0: not given)
  std::uint32_t required_threads[3] = {0, 0, 0};  // .reqntid
  std::uint32_t min_blocks = 0;                   // .minnctapersm
  std::uint32_t max_registers = 0;                // .maxnreg
  std::uint32_t cluster[3] = {0, 0, 0};           // .reqnctapercluster
  bool explicit_cluster = false;                  // .explicitcluster
  std::uint32_t max_cluster_rank = 0;             // .maxclusterrank
};

struct Module {
  std::string text;
  std::uint32_t version_major = 0, version_minor = 0;
  std::uint32_t sm = 0;  // 90 for .target sm_90
  std::uint32_t address_bits = 64;
  std::unordered_map<std::uint32_t, std::string> files;  // of .file
  // One entry for each name: its body, or its declaration if the module has no body for it.
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<Variable> variables;  // at module scope
  // .alias name, target. References inside the module are already those of the target.
  std::unordered_map<std::string_view, std::string_view> aliases;
  std::deque<std::string> names;  // those that do not stand in the text as such
  std::string debug_strings;      // bytes of .debug_str
};

// Reads a whole module. Throws PtxError; never crashes on garbage, takes memory linear in the text.
std::unique_ptr<Module> parse(std::string text);

}  // namespace emu::ptx

// SPDX-License-Identifier: MIT
// The parser's state and its parts. Only the sources of the parser include this.
//
//   parse_module.cpp       version, target, variables, functions one after the other
//   parse_declaration.cpp  a variable or parameter: type, alignment, dimensions
//   parse_initializer.cpp  = {...}
//   parse_function.cpp     head, directives, body, scopes, labels, tables
//   parse_instruction.cpp  opcode, guard, operand lists, calls
//   parse_operand.cpp      one operand
//   parse_constant.cpp     literals and constant expressions
//   parse_debug.cpp        .file, .loc, .section
//
// Long because the parts share one state; the list says which of them is where.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ptx/lexer.hpp"
#include "ptx/module.hpp"
#include "ptx/opcode.hpp"
#include "ptx/scope.hpp"

namespace emu::ptx {

// A constant: an integer in two's complement or the bits of a float.
struct Constant {
  Operand::Literal literal = Operand::Literal::Integer;
  bool is_unsigned = false;
  std::uint64_t bits = 0;
};

// What a declaration says before and with its name.
struct Declaration {
  std::string_view name;
  Type type = Type::None;
  std::uint32_t align = 0;  // as written, 0 if not
  std::uint32_t vector = 1;
  bool managed = false;
  bool unsized = false;                // name[]
  std::vector<std::uint64_t> strides;  // bytes of one element at each level of braces
  std::uint64_t size = 0;              // bytes, 0 if unsized
};

class Parser {
 public:
  explicit Parser(std::string text);
  std::unique_ptr<Module> run();

 private:
  // parse_module.cpp
  void statement();
  void target();
  void alias();
  void attribute(Declaration& declaration);
  void module_variable(Space space, Linkage linkage);
  void finish();
  void use_symbol(std::string_view name);

  // parse_declaration.cpp
  Declaration declaration_head();
  void declarator(Declaration& declaration);
  std::uint32_t alignment();
  Param parameter();
  std::vector<Param> parameters();
  Variable make_variable(const Declaration& declaration, Space space) const;

  // parse_initializer.cpp
  void initializer(Variable& variable, Declaration& declaration);
  void init_list(Variable& variable, const Declaration& declaration, std::size_t level,
                 std::uint64_t at, std::uint64_t limit);
  void init_value(Variable& variable, Type type, std::uint64_t at);
  void init_address(Variable& variable, std::uint32_t bytes, std::uint64_t at, std::uint64_t mask,
                    bool generic);
  void reserve_init(Variable& variable, std::uint64_t bytes);

  // parse_function.cpp
  void function(bool is_entry, Linkage linkage);
  void function_directives(Function& f);
  bool function_directive(Function& f, std::string_view word);
  void dimensions(std::uint32_t (&out)[3]);
  void add_function(std::unique_ptr<Function> f, std::uint32_t line);
  void body();
  void body_statement();
  void body_directive();
  void finish_body(std::uint32_t line);
  void add_parameter_registers(std::vector<Param>& params);
  void registers();
  std::uint32_t add_registers(std::string_view name, Type type, std::uint32_t count, bool range);
  void body_variable(Space space);
  void label_or_table(const Token& name);
  void table(std::string_view name, std::string_view kind);
  void branch_table(std::string_view name);
  Prototype prototype();
  void close_scope();
  void wait_for_label(LabelUse use);

  // parse_instruction.cpp
  void instruction(const Token& first);
  void guard(Instruction& ins);
  const Opcode& opcode(const Token& name);
  void skip_unknown();
  void operands(Instruction& ins);
  void call_operands(Instruction& ins);
  void check_operands(Instruction& ins, std::string_view name);

  // parse_operand.cpp
  Operand operand();
  Operand name_operand();
  Operand resolve(const Token& name);
  Operand special(const Token& name);
  Operand address();
  Operand vector();
  Operand call_list();
  void label_operand(Instruction& ins);

  // parse_constant.cpp
  Constant number(const Token& token);
  Constant constant(int depth = 0);
  Constant unary(int depth);
  Constant binary(Constant left, int least, int depth);
  std::pair<int, std::string_view> infix() const;
  std::uint64_t integer(std::string_view what);
  std::uint32_t integer32(std::string_view what);
  std::int64_t signed_offset();

  // parse_debug.cpp
  void file();
  void loc();
  void section();
  void debug_strings();
  std::uint32_t add_loc(SourceLoc loc, std::string_view label, std::int64_t offset);
  void resolve_loc_names();

  struct LocKey {
    SourceLoc loc;  // function holds the label of the name
    std::int64_t offset = 0;
    bool operator==(const LocKey& other) const;
  };
  struct LocHash {
    std::size_t operator()(const LocKey& key) const;
  };
  struct LocName {
    Function* function;
    std::uint32_t loc;
    std::string_view label;
    std::int64_t offset;
  };

  [[noreturn]] void fail(const std::string& message) const {
    Lexer::fail(lex_.last_line(), message);
  }

  std::unique_ptr<Module> module_;
  Lexer lex_;

  // Of the module.
  std::unordered_map<std::string_view, std::uint32_t> function_index_;
  std::unordered_map<std::string_view, std::size_t> variable_index_;
  std::unordered_set<std::string_view> symbols_;                    // functions, variables, aliases
  std::vector<std::pair<std::string_view, std::uint32_t>> unseen_;  // names used before, with line
  std::unordered_map<std::string_view, Opcode> opcodes_;            // by what is written
  std::vector<LocName> loc_names_;
  std::unordered_map<std::string_view, std::size_t> string_labels_;  // offsets in debug_strings
  std::uint64_t register_budget_ = 0;
  std::uint64_t init_budget_ = 0;

  // Of the function at hand.
  Function* function_ = nullptr;
  Scopes scopes_;
  std::uint32_t loc_ = kNoIndex;
  bool nounroll_ = false;   // .pragma "nounroll" before the next instruction
  bool falls_off_ = false;  // a branch leads behind the last instruction
  std::unordered_map<LocKey, std::uint32_t, LocHash> loc_index_;
  std::unordered_map<LocKey, std::uint32_t, LocHash> latest_loc_;  // by file, line, column
};

}  // namespace emu::ptx

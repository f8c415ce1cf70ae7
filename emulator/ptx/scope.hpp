// SPDX-License-Identifier: MIT
// Names inside a function body: which { } declares what, and the labels that are still awaited.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.hpp"

namespace emu::ptx {

struct ScopedName {
  enum class Kind : std::uint8_t {
    Register,
    Range,     // %r<45>: `count` registers from `index` on
    Variable,  // .local, .shared, .param: known to the function as `unique`
    Param,     // of the function itself
    Table,     // .branchtargets, .callprototype, .calltargets
  };
  Kind kind = Kind::Register;
  std::uint32_t index = 0;
  std::uint32_t count = 0;
  std::string_view unique;
};

// Where the index of a label has to be written once it is known.
struct LabelUse {
  std::string_view label;
  std::uint32_t line = 0;
  std::uint32_t instruction = kNoIndex;  // operand 0 of it, or
  std::string_view table;                // entry of this branch table
  std::uint32_t entry = 0;
};

struct Scope {
  std::unordered_map<std::string_view, ScopedName> names;
  std::unordered_map<std::string_view, std::uint32_t> labels;  // instruction indices
  std::vector<LabelUse> waiting;
};

class Scopes {
 public:
  static constexpr std::size_t kDeepest = 100;

  void clear();
  std::size_t depth() const { return open_.size(); }
  void open() { open_.emplace_back(); }
  Scope close();
  Scope& inner() { return open_.back(); }

  // False if this scope has that name already.
  bool declare(std::string_view name, ScopedName what);
  // What a name stands for here, inner scopes first. %r12 of %r<45> is a Register with its own
  // index.
  std::optional<ScopedName> find(std::string_view name) const;

  // Names given to variables and tables of this function so far: how often each was used.
  std::unordered_map<std::string_view, std::uint32_t> used;
  // .param variables of closed scopes that a later scope may take over, as indices into
  // Function::variables.
  struct Shape {
    std::string_view name;
    Type type;
    std::uint32_t align;
    std::uint64_t size;
    auto operator<=>(const Shape&) const = default;
  };
  std::multimap<Shape, std::uint32_t> free_params;

 private:
  std::vector<Scope> open_;
};

}  // namespace emu::ptx

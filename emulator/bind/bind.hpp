// SPDX-License-Identifier: MIT
// From a checked PTX instruction to a handler with its operands in place. Each row of the
// instruction table has one
//   void bind_<id>(Binder& b, Instr& out);
// that picks out.fn for the types and modifiers of b.ins() and fills in the operands. It runs once
// per instruction; execution never looks at a modifier.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "machine/kernel.hpp"
#include "machine/warp.hpp"

namespace emu::exec {

class Binder {
 public:
  virtual ~Binder() = default;

  virtual const ptx::Instruction& ins() const = 0;
  const ptx::Operand& operand(std::size_t i) const {
    if (i >= ins().operands.size()) unsupported("it has too few operands");
    return ins().operands[i];
  }
  std::size_t operand_count() const { return ins().operands.size(); }
  bool has(std::string_view modifier) const { return ins().has(modifier); }
  ptx::Type type(std::size_t i = 0) const { return ins().type(i); }

  // A source operand as 32 lanes of `bytes` each (1, 2 -> 2; 4; 8; 16). Registers must have that
  // width. An immediate is broadcast: an integer truncated or sign-extended, a float literal
  // converted to f32/f64 for Type F32/F64. Symbols give their address (space offset for shared and
  // local, generic for global and const), special registers their value.
  virtual Ref source(const ptx::Operand& op, ptx::Type type) = 0;
  Ref source(std::size_t i, ptx::Type type) { return source(operand(i), type); }
  // A predicate operand as a word; negation (!p) is written into a constant-folded copy, so the
  // caller gets the flip mask beside it.
  virtual std::pair<Ref, LaneMask> predicate(const ptx::Operand& op) = 0;
  // A destination register (Sink gives a scratch slot wide enough).
  virtual Ref dest(const ptx::Operand& op) = 0;
  Ref dest(std::size_t i) { return dest(operand(i)); }
  // Bytes per lane of a register operand (0 for a predicate); of an immediate or sink: 0.
  virtual std::uint32_t width(const ptx::Operand& op) const = 0;
  // The value of an operand that is the same whenever it is read: an immediate, or a register that
  // is only ever set to one.
  virtual std::optional<std::uint64_t> known(const ptx::Operand& op) const = 0;
  // 32 lanes of a constant.
  virtual Ref constant(std::uint64_t bits, std::uint32_t bytes) = 0;

  // For memory operands: base register/symbol of an Address as 64-bit (or 32-bit) lanes; the
  // constant offset is returned apart.
  struct AddressRef {
    Ref base{};
    std::uint32_t base_bytes = 8;  // 4 or 8: width of the lanes at base
    std::int64_t offset = 0;
    ptx::Space space = ptx::Space::None;  // known space of a symbol base, None for a register
    bool is_param =
        false;  // [param_name + offset]: base is then meaningless and offset counts from the
                // parameter block (kernel) or from the frame's param area (function)
    bool kernel_param = false;  // ... of the kernel's own parameters
  };
  virtual AddressRef address(const ptx::Operand& op) = 0;

  virtual MemorySite* new_site() = 0;
  virtual Ref* new_list(std::size_t n) = 0;
  virtual void keep(std::shared_ptr<void> extra) = 0;
  template <class T>
  T* make(T value) {
    auto p = std::make_shared<T>(std::move(value));
    T* raw = p.get();
    keep(std::move(p));
    return raw;
  }

  // The function that a name means here, and the code so far: calls need them. No function: the
  // program defines none of that name.
  virtual Callee callee(std::string_view name) const = 0;
  virtual const Code& code() const = 0;

  // Stops the decode: "mul.hi.f32: ..." with the instruction's text and source line.
  [[noreturn]] virtual void unsupported(const std::string& why) const = 0;
};

using Bind = void (*)(Binder&, Instr&);

// An instruction with what the table says of it, before it is bound. One that traps never comes to
// what the engine does next.
inline Instr unbound(const ptx::Instruction& source) {
  const ptx::RowInfo& row = ptx::info(source.row);
  Instr out;
  out.row = source.row;
  out.source = &source;
  out.flow = row.flow == Flow::Trap ? Flow::Next : row.flow;
  out.access = ptx::is_access(row.others);
  return out;
}

#define INSTRUCTION(id, ...) void bind_##id(Binder&, Instr&);
#include "ptx/instructions.def"
#undef INSTRUCTION

}  // namespace emu::exec

// SPDX-License-Identifier: MIT
// The Binder that decodes a function: decoder.cpp gives the operands their places, decode.cpp lays out
// the function and goes through its instructions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/slots.hpp"
#include "analysis/spin_exits.hpp"
#include "bind/bind.hpp"
#include "decode/decode.hpp"

namespace emu::exec {

class Decoder final : public Binder {
 public:
  Decoder(const Names& names, const Kernel& kernel, const ptx::Module& module,
          const ptx::Function& function);
  std::unique_ptr<Code> run();

  const ptx::Instruction& ins() const override { return *current_; }
  Ref source(const ptx::Operand& op, ptx::Type type) override;
  std::pair<Ref, LaneMask> predicate(const ptx::Operand& op) override;
  Ref dest(const ptx::Operand& op) override;
  std::uint32_t width(const ptx::Operand& op) const override;
  std::optional<std::uint64_t> known(const ptx::Operand& op) const override;
  Ref constant(std::uint64_t bits, std::uint32_t bytes) override;
  AddressRef address(const ptx::Operand& op) override;
  MemorySite* new_site() override;
  Ref* new_list(std::size_t n) override;
  void keep(std::shared_ptr<void> extra) override { code_->extras.push_back(std::move(extra)); }
  Callee callee(std::string_view name) const override {
    return names_.find_function(*code_->module, name);
  }
  const Code& code() const override { return *code_; }
  [[noreturn]] void unsupported(const std::string& why) const override;

 private:
  // Places of operands (decoder.cpp)
  Ref slot(std::uint32_t reg);
  std::uint32_t reserve(std::uint32_t bytes);
  Symbol find(std::string_view name) const;
  Ref symbol(const ptx::Operand& op, std::uint32_t bytes);
  Ref local_address(std::uint32_t offset, std::uint32_t bytes);
  Ref special(const ptx::Operand& op, std::uint32_t bytes);

  // The function as a whole (decode.cpp)
  void lay_out_params();
  void lay_out_local();
  void find_known();
  void emit_blocks(const FlowGraph& graph);
  void emit_block(const FlowGraph& graph, std::size_t position);
  void emit_implicit_return();
  void mark_back_edge(Instr& branch, const FlowGraph& graph, std::uint32_t from, std::uint32_t to);
  void resolve_tables(const FlowGraph& graph, const std::vector<std::uint32_t>& start);
  Instr bind(const ptx::Instruction& source);

  const Names& names_;
  const Kernel& kernel_;
  const ptx::Function& function_;
  std::unique_ptr<Code> code_;
  const ptx::Instruction* current_ = nullptr;
  std::vector<std::uint32_t> slot_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> constants_;
  std::unordered_map<std::uint32_t, std::uint64_t>
      known_;  // registers that only ever hold this value
  SpinExits spin_exits_;
  std::uint32_t scratch_ = ptx::kNoIndex;
  Ref always_{};
  bool reads_clock_ = false;
  struct Jump {
    std::uint32_t instr, block;
  };
  std::vector<Jump> jumps_;  // branches whose target is a block: known when all are laid out
};

// The bits of an immediate for an operand of this type.
std::uint64_t immediate(const ptx::Operand& op, ptx::Type type);

// Of registers or constants of one function: what Ref::offset can address, with room to spare.
inline constexpr std::uint32_t kMostFrameBytes = 1u << 28;

}  // namespace emu::exec

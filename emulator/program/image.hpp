// SPDX-License-Identifier: MIT
// A linked program from the inside: where every symbol is, and each kernel with the code it can
// reach.
//
// Code is decoded per kernel, because the place of a .shared variable depends on the kernel that
// runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "decode/decode.hpp"
#include "program/program.hpp"

namespace emu::exec {

class KernelImage;

struct Program::Impl {
  using Scope = std::unordered_map<std::string_view, GlobalVariable>;
  std::vector<std::shared_ptr<const ptx::Module>> modules;
  int device = 0;
  std::unordered_map<const ptx::Module*, Scope> scopes;  // variables of each module
  std::unordered_set<memory::Address> borrowed;  // managed variables that another Program owns
  Scope exported;                                // what other modules see
  std::unordered_map<std::string_view, Callee> functions;  // exported functions with bodies
  std::unordered_map<const ptx::Module*, std::unordered_map<std::string_view, const ptx::Function*>>
      own_functions;
  std::vector<Callee> by_address;  // function "addresses": index + 1
  std::unordered_map<const ptx::Function*, std::uint64_t> address_of;
  std::unordered_map<std::string_view, std::unique_ptr<KernelImage>> kernels;

  const GlobalVariable* find_variable(const ptx::Module& module, std::string_view name) const;
  Callee find_function(const ptx::Module& module, std::string_view name) const;
  // Functions that a pointer may lead to: somebody takes their address.
  std::vector<Callee> address_taken() const;
  // Function behind an "address", nullptr if it is none.
  const Callee* function_at(memory::Address address) const;
};

class KernelImage : public Kernel, public Names {
 public:
  KernelImage(Program& program, const ptx::Module& module, const ptx::Function& function);

  Symbol resolve(const Code& code, std::string_view name) const override;
  Callee find_function(const ptx::Module& module, std::string_view name) const override;
  // Decoded on first use. Throws KernelError.
  const Code& code(const ptx::Function& function, const ptx::Module& module) const;
  // The same for a kernel that runs: nullptr for what cannot be decoded, and why.
  const Code* reached(const Callee& callee, std::string& why) const;
  // Sets `registers`, once: an estimate, since only ptxas knows.
  void estimate_registers();
  // Decodes the kernel and all it calls by name, so that what we do not know stops the launch
  // before it starts. If it calls through pointers, also whatever they may lead to: what of that
  // cannot be decoded stops the kernel only if it gets there.
  void prepare() const;

 private:
  void lay_out_shared(const ptx::Module& module, const ptx::Function& function);
  bool decode_all_named(const Callee& first, bool must) const;

  std::unordered_map<const ptx::Variable*, std::uint32_t> shared_at_;
  mutable std::unordered_map<const ptx::Function*, std::unique_ptr<Code>> codes_;
  mutable std::unordered_map<const ptx::Function*, std::string> undecodable_;  // and why
  mutable bool prepared_ = false;
};

}  // namespace emu::exec

// SPDX-License-Identifier: MIT
// From a checked PTX function to Code: instructions in reconvergence order, each bound to its handler
// and operands.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "machine/kernel.hpp"
#include "machine/warp.hpp"

namespace emu::exec {

// What a name in an instruction stands for.
struct Symbol {
  enum class Kind : std::uint8_t {
    None,
    Global,
    Shared,
    Local,
    KernelParam,
    FrameParam,
    Function
  } kind = Kind::None;
  std::uint64_t value = 0;                  // address, or offset in its space
  const ptx::Function* function = nullptr;  // Kind::Function
};

// What the names in a kernel's code stand for: the program that was linked answers.
class Names {
 public:
  virtual ~Names() = default;
  virtual Symbol resolve(const Code& code, std::string_view name) const = 0;
  virtual Callee find_function(const ptx::Module& module, std::string_view name) const = 0;
};

// Decodes one function for one kernel: the place of a .shared variable depends on the kernel that
// runs. Throws KernelError.
std::unique_ptr<Code> decode(const Names& names, const Kernel& kernel, const ptx::Module& module,
                             const ptx::Function& function);

}  // namespace emu::exec

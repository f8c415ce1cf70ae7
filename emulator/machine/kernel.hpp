// SPDX-License-Identifier: MIT
// What is known of a kernel before it runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.hpp"

namespace emu::exec {

class Program;

// A function and the module that holds it.
struct Callee {
  const ptx::Function* function = nullptr;
  const ptx::Module* module = nullptr;
};

// Where a variable in shared memory lies.
struct SharedVariable {
  std::string_view name;  // mangled
  std::uint32_t at = 0;
  std::uint64_t size = 0;  // 0: dynamic, to the end
  ptx::Type type = ptx::Type::None;
};

struct Kernel {
  const Program* program = nullptr;
  const ptx::Function* function = nullptr;
  const ptx::Module* module = nullptr;
  std::string name;    // mangled
  std::string pretty;  // demangled
  std::uint32_t param_bytes = 0;
  std::uint32_t reserved_shared =
      0;  // in front of it, for cooperative groups; only in kernels that ask for it
  std::uint32_t static_shared = 0;  // all .shared it or what it calls can reach
  std::uint32_t local_bytes = 0;    // of the kernel's own frame
  std::uint32_t constant_bytes = 0;
  std::vector<SharedVariable> shared;  // its variables there
  std::uint32_t registers = 0;         // estimate: most live at once, at least 16, rounded up to 8
  std::uint32_t max_threads = 1024;    // from .maxntid/.reqntid, else 1024
  std::uint32_t ptx_version = 0;       // 90 for compute_90
};

}  // namespace emu::exec

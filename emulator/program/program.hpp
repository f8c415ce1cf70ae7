// SPDX-License-Identifier: MIT
// PTX modules become a program for a device, which can be asked for its kernels and variables.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "machine/kernel.hpp"
#include "memory/address_space.hpp"

namespace emu::exec {

// A __device__ or __constant__ variable with its place in this device's memory.
struct GlobalVariable {
  memory::Address address = 0;
  std::size_t size = 0;
  bool managed = false;
  bool constant = false;
};

// Why a program could not be linked (undefined or doubly defined symbol).
struct LinkError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// PTX modules linked for one device, its global variables allocated and initialised.
class Program {
 public:
  // `managed_from`: the same modules linked for another device, whose managed variables this one
  // uses too (it must live longer).
  Program(std::vector<std::shared_ptr<const ptx::Module>> modules, int device,
          const Program* managed_from = nullptr);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Kernel* kernel(std::string_view mangled) const;  // nullptr: no such entry
  const GlobalVariable* variable(std::string_view name) const;
  std::vector<std::string> kernel_names() const;
  struct Impl;
  Impl& impl() const { return *impl_; }

 private:
  void place_symbols(const Program* managed_from);
  void relocate_variables(const ptx::Module& module);
  void release_variables();

  std::unique_ptr<Impl> impl_;
};

}  // namespace emu::exec

// SPDX-License-Identifier: MIT
// Arrays and arguments of the kernels that are measured.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "machine/kernel.hpp"
#include "memory/address_space.hpp"

namespace bench {

// Arrays that there are: the checks must know that they have been written.
inline std::vector<const emu::memory::Allocation*>& arrays() {
  static std::vector<const emu::memory::Allocation*> all;
  return all;
}

// A device array filled with value(i).
template <class T>
class Array {
 public:
  Array(std::size_t n, const std::function<T(std::size_t)>& value)
      : allocation_(emu::memory::AddressSpace::instance().allocate(n * sizeof(T),
                                                                   emu::memory::Kind::Device, 0)) {
    for (std::size_t i = 0; i < n; ++i) (*this)[i] = value(i);
    arrays().push_back(&allocation_);
  }
  ~Array() {
    std::erase(arrays(), &allocation_);
    emu::memory::AddressSpace::instance().release(allocation_.address);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T& operator[](std::size_t i) { return reinterpret_cast<T*>(allocation_.bytes)[i]; }
  std::uint64_t address() const { return allocation_.address; }

 private:
  emu::memory::Allocation& allocation_;
};

// Lays arguments out as the kernel's parameters say.
template <class... T>
std::vector<std::byte> pack(const emu::exec::Kernel& kernel, T... values) {
  std::vector<std::byte> params(kernel.param_bytes);
  std::size_t i = 0;
  (std::memcpy(params.data() + kernel.function->params[i++].offset, &values, sizeof values), ...);
  return params;
}

}  // namespace bench

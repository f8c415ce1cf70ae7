// SPDX-License-Identifier: MIT
// Memory for instructions that a warp made by hand executes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "access/fake_warp.test.hpp"
#include "memory/address_space.hpp"
#include "support/catch.hpp"

namespace emu::exec::fake {

using memory::AddressSpace;
using ptx::Row;
using ptx::Type;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Mods = std::vector<std::string_view>;

struct Buffer {
  explicit Buffer(std::size_t size)
      : allocation(AddressSpace::instance().allocate(size, memory::Kind::Device, 0)) {
    std::memset(allocation.bytes, 0, size);
    address = allocation.address;
  }
  ~Buffer() { AddressSpace::instance().release(address); }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(allocation.bytes);
  }
  memory::Allocation& allocation;
  memory::Address address;
};

template <class T>
T& shared_at(Machine& m, u32 offset) {
  return *reinterpret_cast<T*>(m.block.shared.data() + offset);
}

inline bool fails(Machine& m, const Instr& in, LaneMask mask, const std::string& part) {
  try {
    m.run(in, mask);
  } catch (const Fault& fault) {
    INFO(fault.message);
    CHECK(fault.message.find(part) != std::string::npos);
    return true;
  }
  return false;
}

}  // namespace emu::exec::fake

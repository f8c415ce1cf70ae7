// SPDX-License-Identifier: MIT
// Addresses, the windows of the generic address space, and what one allocation is.
//
// Shared, local and kernel-parameter memory have windows in the generic address space, far from any
// pointer a host can hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace emu::memory {

using Address = std::uint64_t;

// Generic windows. The low 32 bits are the offset in the space.
// A shared offset is (rank + 1) << 24 | byte for a named block of the cluster, plain byte for the
// own block.
inline constexpr Address kSharedWindow = 0x0200'0000'0000'0000;
inline constexpr Address kLocalWindow = 0x0400'0000'0000'0000;
inline constexpr Address kParamWindow = 0x0600'0000'0000'0000;
inline constexpr Address kFunctionWindow =
    0x0800'0000'0000'0000;  // "addresses" of functions, for indirect calls
inline constexpr Address kWindowMask = 0xff00'0000'0000'0000;
inline constexpr std::uint32_t kClusterRankShift = 24;

// New memory holds this byte, so that what was never written does not look like zeros. Allocations
// above kFillLimit are left as the zero pages of the host: filling them would cost more than it
// shows.
inline constexpr unsigned char kUnwritten = 0xcd;
inline constexpr std::size_t kFillLimit = std::size_t{64} << 20;

enum class Kind : std::uint8_t { Device, Managed, Pinned, Registered, Symbol, Constant, Heap };

// Where an address leads that cannot be used.
enum class Miss : std::uint8_t {
  Edge,        // near the end of an allocation, or inside it
  Before,      // before the start of one
  Freed,       // into memory that was freed
  Far,         // far from all memory there is
  Null,        // nearly zero
  Unwritten,   // it was made from memory that nobody has written
  Host,        // memory of the host that kernels cannot reach
  OtherSpace,  // shared or local memory, a parameter, a function
  Nowhere,     // no memory at all
};

struct Allocation {
  Address address = 0;
  std::size_t size = 0;
  Kind kind = Kind::Device;
  int device = 0;
  std::byte* bytes =
      nullptr;       // where the content is; == (byte*)address for managed, pinned and registered
  std::string name;  // of a symbol: "counter"; else ""
  std::uint64_t serial = 0;  // n-th allocation of its kind, from 1
  bool freed = false;
  bool mapped = false;      // bytes come from mmap, not from the heap
  std::uint64_t place = 0;  // of cudaMalloc's: as DriverPlaces says

  Address end() const { return address + size; }
  bool holds(Address a, std::size_t n) const {
    return a >= address && n <= size && a - address <= size - n;
  }
  // Managed, pinned and registered memory: every device and the host may touch it.
  bool host_visible() const {
    return kind == Kind::Managed || kind == Kind::Pinned || kind == Kind::Registered;
  }
};

// "a 1024-byte allocation made by cudaMalloc (the 3rd of the program)", "the 64-byte variable
// "counter"".
std::string name_of(const Allocation& allocation);

}  // namespace emu::memory

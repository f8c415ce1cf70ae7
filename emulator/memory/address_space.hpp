// SPDX-License-Identifier: MIT
// The addresses a CUDA program sees, and the bytes behind them.
//
// Device memory gets addresses in a reserved range that the host cannot touch (dereferencing a
// device pointer on the host faults, as with a GPU); its bytes live elsewhere. Managed and pinned
// memory lies in the same range but is open to the host. Between two allocations lies a guard gap,
// and a freed address is not given out again until the range is used up, so stray accesses are
// seen.
//
// Shared, local and kernel-parameter memory have windows in the generic address space, far from any
// pointer a host can hold.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

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
  bool mapped = false;  // bytes come from mmap, not from the heap

  Address end() const { return address + size; }
  bool holds(Address a, std::size_t n) const {
    return a >= address && n <= size && a - address <= size - n;
  }
  // Managed, pinned and registered memory: every device and the host may touch it.
  bool host_visible() const {
    return kind == Kind::Managed || kind == Kind::Pinned || kind == Kind::Registered;
  }
};

// Safe to call from several threads. A pointer to an Allocation stays good until that allocation is
// released.
class AddressSpace {
 public:
  static AddressSpace& instance();

  // `range` bytes of addresses are reserved, fewer if the host refuses. For tests; programs use
  // instance().
  explicit AddressSpace(std::size_t range);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  // Zero bytes give a valid, unique address of size 0. Throws std::bad_alloc when the host has no
  // memory for it.
  Allocation& allocate(std::size_t size, Kind kind, int device, std::size_t align = 512,
                       std::string name = {});
  // The same at a given address of the range, which a freed allocation of that size had; nullptr if
  // something else lies there by now.
  Allocation* allocate_at(Address address, std::size_t size, Kind kind, int device);
  // cudaHostRegister. Throws std::invalid_argument if the range overlaps an allocation.
  Allocation& adopt(void* host, std::size_t size);
  bool release(Address address);  // false: not the start of a live allocation

  const Allocation* find(Address address) const;        // live one that holds this byte
  const Allocation* find_start(Address address) const;  // live one that starts here, of any size
  const Allocation* find_freed(
      Address address) const;  // a freed one that held it (of the last few thousand)
  const Allocation* nearest(Address address) const;  // live one whose edge is nearest, for messages
  bool in_device_range(Address address) const { return address >= base_ && address < limit_; }
  std::size_t bytes_in_use(
      int device) const;                     // of its own memory: not managed, pinned or registered
  std::size_t heap_bytes(int device) const;  // what malloc() in kernels holds
  // Bumped by whatever takes a right of access away (release, end of peer access): what caches an
  // Allocation* compares it.
  static std::uint64_t epoch() { return epoch_.load(std::memory_order_relaxed); }

  // Whether kernels on device `from` may touch memory of device `to` (cudaDeviceEnablePeerAccess).
  bool peer_allowed(int from, int to) const;
  void allow_peer(int from, int to, bool allowed);

  // Host pointer to n bytes at a global address, or nullptr if they are not all in one live
  // allocation.
  std::byte* host(Address address, std::size_t n) const;

  // Where the host keeps its stand-in for a device variable. Programs pass it to kernels by
  // mistake.
  void note_stand_in(const void* host, std::size_t size, std::string name);

  // What an address that cannot be used is, so that nobody has to read it out of a text.
  struct Description {
    Miss miss = Miss::Edge;
    std::string text;
  };
  Description explain(Address address, std::size_t n) const;
  // What is wrong with n bytes at an address, to follow "read of 4 bytes at ": "0x7000... is 4
  // bytes past the end of a 1024-byte allocation made by cudaMalloc (the 3rd of the program)"; "...
  // was freed"; "... is a host address: ...".
  std::string describe(Address address, std::size_t n) const { return explain(address, n).text; }

 private:
  Allocation& take(Allocation a);  // its bytes; the address is set
  bool overlaps(Address address, std::size_t size) const;
  Address place(std::size_t size, std::size_t align);
  Address place_in_hole(std::size_t need, std::size_t align, std::size_t gap) const;
  const Allocation* find_locked(Address address) const;
  const Allocation* find_freed_locked(Address address) const;
  const Allocation* nearest_locked(Address address) const;

  static inline std::atomic<std::uint64_t> epoch_{1};
  mutable std::mutex mutex_;
  std::map<Address, Allocation> live_;
  std::deque<Allocation> freed_;  // newest at the back
  std::map<int, std::size_t> in_use_, heap_in_use_;
  std::map<Kind, std::uint64_t> serials_;
  std::map<Address, std::pair<std::size_t, std::string>> stand_ins_;  // size and name, by address
  std::set<std::pair<int, int>> peers_;
  Address base_ = 0, next_ = 0, limit_ = 0;
};

// "a 1024-byte allocation made by cudaMalloc (the 3rd of the program)", "the 64-byte variable
// "counter"".
std::string name_of(const Allocation& allocation);

}  // namespace emu::memory

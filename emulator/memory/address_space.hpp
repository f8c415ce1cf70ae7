// SPDX-License-Identifier: MIT
// The addresses a CUDA program sees, and the bytes behind them.
//
// Device memory gets addresses in a reserved range that the host cannot touch (dereferencing a
// device pointer on the host faults, as with a GPU); its bytes live elsewhere. Managed and pinned
// memory lies in the same range but is open to the host. Between two allocations lies a guard gap,
// and a freed address is not given out again until the range is used up, so stray accesses are
// seen.
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

#include "memory/allocation.hpp"
#include "memory/driver_places.hpp"

namespace emu::memory {

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
  // The address is `beside` behind one that is aligned.
  Address place(std::size_t size, std::size_t align, std::size_t beside);
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
  std::map<int, DriverPlaces> driver_;                                // of each device
  std::map<Address, std::pair<std::size_t, std::string>> stand_ins_;  // size and name, by address
  std::set<std::pair<int, int>> peers_;
  Address base_ = 0, next_ = 0, limit_ = 0;
};

}  // namespace emu::memory

// SPDX-License-Identifier: MIT
// Says in a sentence what an address is, for error reports.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

#include "memory/address_space.hpp"

namespace emu::memory {
namespace {

std::string hex(Address address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

std::string ordinal(std::uint64_t n) {
  const std::uint64_t tens = n % 100, ones = n % 10;
  const bool teen = tens >= 11 && tens <= 13;
  const char* suffix = teen || ones == 0 || ones > 3 ? "th"
                       : ones == 1                   ? "st"
                       : ones == 2                   ? "nd"
                                                     : "rd";
  return std::to_string(n) + suffix;
}

std::string bytes(Address n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

const char* maker(Kind kind) {
  switch (kind) {
    case Kind::Device:
      return "cudaMalloc";
    case Kind::Managed:
      return "cudaMallocManaged";
    case Kind::Pinned:
      return "cudaMallocHost";
    case Kind::Registered:
      return "cudaHostRegister";
    case Kind::Heap:
      return "malloc in a kernel";
    case Kind::Symbol:
    case Kind::Constant:
      break;
  }
  return "";
}

// Whether the host has anything mapped at this address: tells a host pointer from garbage.
bool mapped_on_host(Address address) {
  const Address page = static_cast<Address>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &resident) == 0;
}

AddressSpace::Description outside_range(Address address) {
  const std::string at = hex(address);
  constexpr Address kUnwrittenWord = Address{0x0101'0101'0101'0101} * kUnwritten;
  if (address < 65536)
    return {Miss::Null, at + " is a null pointer" + (address ? " plus " + bytes(address) : "")};
  if ((address >> 32) == (kUnwrittenWord >> 32)) {
    return {Miss::Unwritten,
            at + " was made from memory that was never written (new memory holds the byte 0xcd)"};
  }
  switch (address & kWindowMask) {
    case 0:
      break;
    case kSharedWindow:
      return {Miss::OtherSpace, at + " is an address of shared memory"};
    case kLocalWindow:
      return {Miss::OtherSpace, at + " is an address of a thread's local memory"};
    case kParamWindow:
      return {Miss::OtherSpace, at + " is the address of a kernel parameter"};
    case kFunctionWindow:
      return {Miss::OtherSpace, at + " is the address of a function"};
    default:
      return {Miss::Nowhere, at + " is no address of any memory"};
  }
  if (mapped_on_host(address)) {
    return {Miss::Host,
            at + " is a host address: a kernel reaches only memory of cudaMalloc, "
                 "cudaMallocManaged, cudaMallocHost, cudaHostRegister and __device__ variables"};
  }
  return {Miss::Nowhere, at + " is no address of any memory"};
}

}  // namespace

std::string name_of(const Allocation& a) {
  const std::string size = std::to_string(a.size) + "-byte ";
  // A name of the compiler's own: the text of a printf or an assert.
  if (a.kind == Kind::Symbol && a.name.starts_with('$')) return "a " + size + "text of the program";
  if (a.kind == Kind::Symbol) return "the " + size + "variable \"" + a.name + "\"";
  if (a.kind == Kind::Constant) return "the " + size + "constant variable \"" + a.name + "\"";
  const bool vowel = size[0] == '8' || (size.size() % 3 == 2 && size.rfind("11", 0) == 0) ||
                     (size.size() % 3 == 2 && size.rfind("18", 0) == 0);
  return (vowel ? "an " : "a ") + size + "allocation made by " + maker(a.kind) + " (the " +
         ordinal(a.serial) + " of the program)";
}

void AddressSpace::note_stand_in(const void* host, std::size_t size, std::string name) {
  const std::lock_guard lock(mutex_);
  stand_ins_[reinterpret_cast<Address>(host)] = {size, std::move(name)};
}

AddressSpace::Description AddressSpace::explain(Address address, std::size_t n) const {
  const std::lock_guard lock(mutex_);
  const std::string at = hex(address);
  if (const Allocation* a = find_locked(address)) {
    const Address left = a->end() - address;
    if (n > left)
      return {Miss::Edge, at + " starts " + bytes(left) + " before the end of " + name_of(*a) +
                              " and runs past it"};
    return {Miss::Edge, at + " is " + bytes(address - a->address) + " into " + name_of(*a)};
  }
  if (const Allocation* a = find_freed_locked(address)) {
    return {Miss::Freed, at + " is " + bytes(address - a->address) + " into " + name_of(*a) +
                             ", which was freed"};
  }
  const Allocation* a = nearest_locked(address);
  constexpr Address kNear = Address{1} << 20, kFar = Address{1} << 28;
  const bool near =
      a && (address >= a->end() ? address - a->end() < kNear : a->address - address < kNear);
  if (const auto after = stand_ins_.upper_bound(address); after != stand_ins_.begin()) {
    const auto& [start, variable] = *std::prev(after);
    if (address - start < variable.first) {
      return {Miss::Host,
              at + " is a host address, the host's stand-in for the device variable \"" +
                  variable.second +
                  "\": name the variable inside the kernel, or pass what cudaGetSymbolAddress "
                  "gives"};
    }
  }
  if (!in_device_range(address) && !near) return outside_range(address);
  if (!a) return {Miss::Edge, at + " is in no allocation: there is none"};
  if (!near && (address > a->end() ? address - a->end() : a->address - address) >= kFar)
    return {Miss::Far, at + " is far from all memory that the program has allocated"};
  if (address == a->end()) return {Miss::Edge, at + " is right behind the end of " + name_of(*a)};
  if (address > a->end())
    return {Miss::Edge,
            at + " is " + bytes(address - a->end()) + " past the end of " + name_of(*a)};
  return {Miss::Before,
          at + " is " + bytes(a->address - address) + " before the start of " + name_of(*a)};
}

}  // namespace emu::memory

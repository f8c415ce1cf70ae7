// SPDX-License-Identifier: MIT
#include "cudart/environment/host_watch.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <set>

#include "cudart/environment/checks.hpp"

namespace emu::cudart {
namespace {

struct Watch {
  std::map<std::uint64_t, std::size_t> memory;
  std::set<std::uint64_t> read;  // pages that the host may read again
  bool closed = false;
  int held = 0;  // open, by so many
};

// Never destroyed: a program may use its memory from destructors of its own globals.
Watch& watch() {
  static auto* all = new Watch;
  return *all;
}

std::uint64_t page_size() {
  static const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void protect(std::uint64_t address, std::size_t size, int protection) {
  const std::uint64_t page = page_size(), begin = address / page * page;
  mprotect(reinterpret_cast<void*>(begin), (address + size - begin + page - 1) / page * page,
           protection);
}

}  // namespace

void watch_memory(std::uint64_t address, std::size_t size) {
  if (race_orders() && size) watch().memory[address] = size;
}

void unwatch_memory(std::uint64_t address) {
  open_watched();
  watch().memory.erase(address);
}

void open_watched() {
  Watch& w = watch();
  if (!w.closed) return;
  for (const auto& [address, size] : w.memory) protect(address, size, PROT_READ | PROT_WRITE);
  w.read.clear();
  w.closed = false;
}

HeldOpen::HeldOpen() {
  if (!race_orders()) return;
  open_watched();
  ++watch().held;
}

HeldOpen::~HeldOpen() {
  if (race_orders() && --watch().held == 0) renew_watch();
}

void renew_watch() {
  open_watched();
  Watch& w = watch();
  if (w.memory.empty() || w.held || race_orders()->host_knows_all()) return;
  for (const auto& [address, size] : w.memory) protect(address, size, PROT_NONE);
  w.closed = true;
}

// Whether it reads or writes shows when it is repeated: a page that was opened for reading faults again.
bool is_watched_fault(std::uint64_t address) {
  Watch& w = watch();
  const auto next = w.memory.upper_bound(address);
  if (!w.closed || next == w.memory.begin()) return false;
  const auto& [begin, size] = *std::prev(next);
  if (address - begin >= size) return false;
  const bool writes = !w.read.insert(address / page_size()).second;
  protect(address, 1, writes ? PROT_READ | PROT_WRITE : PROT_READ);
  launch_checker()->host_use(address, writes);
  return true;
}

}  // namespace emu::cudart

// SPDX-License-Identifier: MIT
// Sees the host use managed and pinned memory while kernels or copies that use it may still run (the race check asks
// for it): such memory is closed to the host after each operation, until the host has waited. A use of it faults, is
// looked at, and goes on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emu::cudart {

void watch_memory(std::uint64_t address, std::size_t size);  // it is managed or pinned
void unwatch_memory(std::uint64_t address);
// All of it is open: the emulator itself uses it now.
void open_watched();
// While one lives it stays open: kernels of several devices take turns.
class HeldOpen {
 public:
  HeldOpen();
  ~HeldOpen();
  HeldOpen(const HeldOpen&) = delete;
  HeldOpen& operator=(const HeldOpen&) = delete;
};
// Closes it if there is work that the host has not waited for, else opens it.
void renew_watch();
// Whether a fault of the host is one of ours; then the access can be repeated.
bool is_watched_fault(std::uint64_t address);

}  // namespace emu::cudart

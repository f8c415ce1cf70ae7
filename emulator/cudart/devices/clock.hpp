// SPDX-License-Identifier: MIT
// The virtual time of the process. It moves only when work is done, by amounts that depend on the
// work and the device profile alone: the same program gives the same times on every run and every
// machine. The host's clock plays no part.
//
// With one device there is one clock, and streams do not overlap. With several each stream has its own
// (Clocks), so that devices work at the same time; the links between them are used by one copy at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace emu::cudart {

// Picoseconds since the process began, so that short work does not round to nothing; 2^64 of them
// are 213 days. While work is done that belongs to a stream with a clock: that clock's.
std::uint64_t clock_ps();

// While one lives, work is done by this clock, which cannot be before `least`.
class ClockOf {
 public:
  ClockOf(std::uint64_t& clock, std::uint64_t least);
  ~ClockOf();
  ClockOf(const ClockOf&) = delete;
  ClockOf& operator=(const ClockOf&) = delete;

 private:
  std::uint64_t* before_;
};
// What the clock of the work that is done now cannot be before.
void raise_clock(std::uint64_t least);

// What a kernel has sent to and got from other devices.
struct PeerBytes {
  std::map<int, std::uint64_t> read, written;  // by the device whose memory it is
  std::uint64_t handovers = 0;                 // words handed over, one behind the other

  bool any() const { return !read.empty() || !written.empty(); }
};

// A kernel has run. `modelled_ns` is its time by timing/model.hpp. A kernel that nobody counted
// (no event exists yet that could tell) takes its warp instructions over the issue rate.
void advance_clock_by_kernel(std::uint64_t warp_instructions, std::optional<double> modelled_ns,
                             int device, const PeerBytes& peers = {});
// A fixed time + bytes over the DRAM's bandwidth (a copy reads and writes). With one device a copy from or to the
// host takes as long as one on the device: that model knows no PCI Express.
void advance_clock_by_copy(std::uint64_t bytes, int device);
// Between two devices, or (kHost) a device and the host, where there are several: over the link between them, which
// both ends use for nothing else meanwhile. Without peer access the host passes the bytes on.
inline constexpr int kHost = -1;
void advance_clock_by_transfer(std::uint64_t bytes, int from, int to, bool peers);
void advance_clock_by_fill(std::uint64_t bytes, int device);
// What lies between two events with nothing between them.
void advance_clock_by_event(int device);
// 100 ns.
void advance_clock_by_host_function();

// The constants are those of devices/timing.hpp.

}  // namespace emu::cudart

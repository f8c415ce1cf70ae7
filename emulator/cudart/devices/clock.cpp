// SPDX-License-Identifier: MIT
// How much virtual time each kind of work takes.
#include "cudart/devices/clock.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "cudart/environment/startup.hpp"
#include "devices/timing.hpp"

namespace emu::cudart {

namespace {

constexpr double kHostFunctionNs = 100;

std::atomic<std::uint64_t> now_ps{0};
std::uint64_t* own =
    nullptr;  // the clock of the stream whose work is done; under the runtime's lock

// Until when the link of a device is used, out of it and into it: to its peers, and to the host.
struct Link {
  std::uint64_t out = 0, in = 0, to_host = 0, from_host = 0;
};
std::array<Link, kMostDevices> links;
Link& link(int device) { return links[static_cast<std::size_t>(device)]; }

std::uint64_t picoseconds(double ns) { return static_cast<std::uint64_t>(std::llround(ns * 1000)); }

void advance(double ns) {
  if (own)
    *own += picoseconds(ns);
  else
    now_ps.fetch_add(picoseconds(ns));
}

const devices::Timing& timing_of(int device) { return devices::timing(profile(device)); }

// The slower end decides.
double peer_gbps(int a, int b) { return std::min(timing_of(a).peer_gbps, timing_of(b).peer_gbps); }

// Takes the link for so long, not before it is free.
void take(std::uint64_t& free, std::uint64_t& other, double ns) {
  raise_clock(std::max(free, other));
  advance(ns);
  free = other = clock_ps();
}

}  // namespace

std::uint64_t clock_ps() { return own ? *own : now_ps.load(); }

void raise_clock(std::uint64_t least) {
  if (own) *own = std::max(*own, least);
}

ClockOf::ClockOf(std::uint64_t& clock, std::uint64_t least) : before_(own) {
  own = &clock;
  raise_clock(least);
}

ClockOf::~ClockOf() { own = before_; }

void advance_clock_by_copy(std::uint64_t bytes, int device) {
  const devices::Timing& t = timing_of(device);
  advance(t.memcpy_ns + 2 * static_cast<double>(bytes) / t.copy_gbps);
}

void advance_clock_by_transfer(std::uint64_t bytes, int from, int to, bool peers) {
  const int device = from == kHost ? to : from;
  const devices::Timing& t = timing_of(device);
  const auto size = static_cast<double>(bytes);
  if (from == kHost || to == kHost) {
    std::uint64_t& way = from == kHost ? link(to).from_host : link(from).to_host;
    return take(way, way, std::max(t.memcpy_ns, t.host_ns) + size / t.host_gbps);
  }
  if (peers)
    return take(link(from).out, link(to).in,
                std::max(t.memcpy_ns, t.peer_ns) + size / peer_gbps(from, to));
  // In pieces through a buffer of the host: while one is sent on the next one comes.
  const double gbps = std::min(t.host_gbps, timing_of(to).host_gbps);
  take(link(from).to_host, link(to).from_host, 2 * t.host_ns + size / gbps);
}

void advance_clock_by_fill(std::uint64_t bytes, int device) {
  const devices::Timing& t = timing_of(device);
  advance(t.memset_ns + static_cast<double>(bytes) / t.copy_gbps);
}

void advance_clock_by_event(int device) { advance(timing_of(device).event_ns); }

void advance_clock_by_host_function() { advance(kHostFunctionNs); }

void advance_clock_by_kernel(std::uint64_t warp_instructions, std::optional<double> modelled_ns,
                             int device, const PeerBytes& peers) {
  const devices::Profile& gpu = profile(device);
  const devices::Timing& t = devices::timing(gpu);
  const double per_ns = gpu.multiprocessors * t.issue_per_cycle * gpu.sm_clock_khz * 1e-6;
  double ns = modelled_ns.value_or(static_cast<double>(warp_instructions) / per_ns);
  if (peers.any()) {
    // Loads fill the way in, stores the way out; each peer's link the other way round. What is moved meanwhile by
    // others on the same links comes on top: they are free from then on.
    const std::uint64_t start = clock_ps();
    double in = 0, out = 0;
    std::uint64_t ends = start;
    const auto serve = [&](std::uint64_t& free, std::uint64_t bytes, int peer) {
      const double takes = static_cast<double>(bytes) / peer_gbps(device, peer);
      free = std::max(free, start) + picoseconds(takes);
      ends = std::max(ends, free);
      return takes;
    };
    for (const auto& [peer, bytes] : peers.read) in += serve(link(peer).out, bytes, peer);
    for (const auto& [peer, bytes] : peers.written) out += serve(link(peer).in, bytes, peer);
    ns = std::max({ns, in, out, static_cast<double>(ends - start) * 1e-3});
    ns += t.peer_ns * static_cast<double>(std::max<std::uint64_t>(1, peers.handovers));
  }
  advance(t.kernel_ns + ns);
}

}  // namespace emu::cudart

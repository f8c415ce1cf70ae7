// SPDX-License-Identifier: MIT
// How much virtual time each kind of work takes.
#include "cudart/devices/clock.hpp"

#include <atomic>
#include <cmath>

#include "devices/timing.hpp"

namespace emu::cudart {

namespace {

constexpr double kOtherNs = 100;

std::atomic<std::uint64_t> now_ps{0};

double duration_ns(Operation::Kind kind, double bytes, const devices::Timing& t) {
  switch (kind) {
    case Operation::Kind::Memcpy:
      return t.memcpy_ns + 2 * bytes / t.copy_gbps;
    case Operation::Kind::Memset:
      return t.memset_ns + bytes / t.copy_gbps;
    case Operation::Kind::EventRecord:
      return t.event_ns;
    default:
      return kOtherNs;
  }
}

void advance(double ns) { now_ps.fetch_add(static_cast<std::uint64_t>(std::llround(ns * 1000))); }

}  // namespace

std::uint64_t clock_ps() { return now_ps.load(); }

void advance_clock(Operation::Kind kind, std::uint64_t bytes, int device) {
  advance(duration_ns(kind, static_cast<double>(bytes), devices::timing(profile(device))));
}

void advance_clock_by_kernel(std::uint64_t warp_instructions, std::optional<double> modelled_ns,
                             int device) {
  const devices::Profile& gpu = profile(device);
  const devices::Timing& t = devices::timing(gpu);
  const double per_ns = gpu.multiprocessors * t.issue_per_cycle * gpu.sm_clock_khz * 1e-6;
  advance(t.kernel_ns + modelled_ns.value_or(static_cast<double>(warp_instructions) / per_ns));
}

}  // namespace emu::cudart

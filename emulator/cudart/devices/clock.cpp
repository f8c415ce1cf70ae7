// SPDX-License-Identifier: MIT
// How much virtual time each kind of work takes.
#include "cudart/devices/clock.hpp"

#include <atomic>
#include <cmath>

#include "cudart/environment/startup.hpp"
#include "devices/timing.hpp"

namespace emu::cudart {

namespace {

constexpr double kHostFunctionNs = 100;

std::atomic<std::uint64_t> now_ps{0};

void advance(double ns) { now_ps.fetch_add(static_cast<std::uint64_t>(std::llround(ns * 1000))); }

const devices::Timing& timing_of(int device) { return devices::timing(profile(device)); }

}  // namespace

std::uint64_t clock_ps() { return now_ps.load(); }

void advance_clock_by_copy(std::uint64_t bytes, int device) {
  const devices::Timing& t = timing_of(device);
  advance(t.memcpy_ns + 2 * static_cast<double>(bytes) / t.copy_gbps);
}

void advance_clock_by_fill(std::uint64_t bytes, int device) {
  const devices::Timing& t = timing_of(device);
  advance(t.memset_ns + static_cast<double>(bytes) / t.copy_gbps);
}

void advance_clock_by_event(int device) { advance(timing_of(device).event_ns); }

void advance_clock_by_host_function() { advance(kHostFunctionNs); }

void advance_clock_by_kernel(std::uint64_t warp_instructions, std::optional<double> modelled_ns,
                             int device) {
  const devices::Profile& gpu = profile(device);
  const devices::Timing& t = devices::timing(gpu);
  const double per_ns = gpu.multiprocessors * t.issue_per_cycle * gpu.sm_clock_khz * 1e-6;
  advance(t.kernel_ns + modelled_ns.value_or(static_cast<double>(warp_instructions) / per_ns));
}

}  // namespace emu::cudart

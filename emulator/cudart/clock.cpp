// SPDX-License-Identifier: MIT
// How much virtual time each kind of work takes.
#include "cudart/clock.hpp"

#include <atomic>
#include <cmath>

namespace emu::cudart {

namespace {

constexpr double kLaunchNs = 2000, kTransferNs = 1000, kOtherNs = 100;
constexpr double kIssuePerCycle = 4;  // warp instructions an SM starts per cycle

std::atomic<std::uint64_t> now_ps{0};

double duration_ns(Operation::Kind kind, double amount, const devices::Profile& gpu) {
  switch (kind) {
    case Operation::Kind::Kernel: {
      double per_ns = gpu.multiprocessors * kIssuePerCycle * gpu.sm_clock_khz * 1e-6;
      return kLaunchNs + (per_ns > 0 ? amount / per_ns : amount);
    }
    case Operation::Kind::Memcpy:
    case Operation::Kind::Memset: {
      double bytes_per_ns = gpu.memory_bus_bits / 8.0 * 2 * gpu.memory_clock_khz * 1e-6;
      return kTransferNs + (bytes_per_ns > 0 ? amount / bytes_per_ns : amount);
    }
    default:
      return kOtherNs;
  }
}

}  // namespace

std::uint64_t clock_ps() { return now_ps.load(); }

void advance_clock(Operation::Kind kind, std::uint64_t amount, int device) {
  double ns = duration_ns(kind, static_cast<double>(amount), profile(device));
  now_ps.fetch_add(static_cast<std::uint64_t>(std::llround(ns * 1000)));
}

}  // namespace emu::cudart

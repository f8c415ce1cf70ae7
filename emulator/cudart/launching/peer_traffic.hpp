// SPDX-License-Identifier: MIT
// The observer that counts what a kernel reads from and writes to the memory of other devices: what the links carry.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "cudart/devices/clock.hpp"
#include "machine/observer.hpp"

namespace emu::cudart {

class PeerTraffic : public observe::Observer {
 public:
  void kernel_begin(const exec::Grid& grid) override;
  void memory(const exec::Warp& warp, const exec::Instr& in,
              const observe::MemoryAccess& access) override;
  const PeerBytes& bytes() const { return bytes_; }

 private:
  int device_ = 0;
  PeerBytes bytes_;
  // By thread: strong stores to a peer, each of which somebody waits for, one behind the other.
  std::unordered_map<std::uint64_t, std::uint64_t> handovers_;
};

}  // namespace emu::cudart

// SPDX-License-Identifier: MIT
// Finds what is wrong where threads meet although the kernel goes on: masks, barriers in branches, counts that differ.
// What stops a kernel (a lane that is not in its mask, a deadlock) is in faults.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "check/findings.hpp"
#include "machine/grid.hpp"
#include "machine/observer.hpp"

namespace emu::check {

using exec::LaneMask;

class Syncs {
 public:
  explicit Syncs(Findings& findings) : findings_(findings) {}

  void begin();
  void end(const exec::Block& block);
  void drop(const exec::Grid& grid);  // an error stopped it: its blocks have not ended
  void met(const exec::Warp& warp, const exec::Instr& in, const observe::Meeting& meeting);
  void arrived(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes, std::uint32_t id);
  void completed(const exec::Block& block, std::uint32_t id);
  void memory(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes) {
    if (!warp.splits.empty()) [[unlikely]]
      note_passing(warp, in, lanes);
  }

 private:
  struct Arrival {  // the first at a barrier in its present round
    const exec::Warp* warp = nullptr;
    const exec::Instr* in = nullptr;
    const exec::Code* code = nullptr;
    LaneMask lanes = 0;
    std::uint32_t count = 0;
  };
  struct
      Passing {  // lanes that did something behind a place at which others of their warp wait for them
    Arrival waits;
    const exec::Instr* in = nullptr;
    LaneMask lanes = 0;
  };

  bool from_activemask(const exec::Code& code, const exec::Instr& in);
  void branch_mask(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes);
  void exited(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes, LaneMask gone,
              LaneMask members);
  void note_passing(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes);
  // Of those who waited at `at`, if some others have ended without coming.
  const Passing* passing(const exec::Warp& warp, const exec::Instr* at) const;
  void barrier_passed(const Passing& passing);
  void tell(const exec::Instr& key, Finding finding);
  Finding start(const exec::Warp& warp, std::string id, std::string title) const;

  Findings& findings_;
  std::unordered_map<const exec::Block*, std::array<Arrival, exec::kNamedBarriers>> rounds_;
  std::vector<Passing> passings_;
  std::unordered_map<const exec::Instr*, bool> masks_;
  std::unordered_map<std::string, std::size_t> told_;
};

}  // namespace emu::check

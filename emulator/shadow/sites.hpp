// SPDX-License-Identifier: MIT
// What an instruction that touches memory is to others: its order and its scope.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/observer.hpp"
#include "machine/warp.hpp"
#include "shadow/clocks.hpp"

namespace emu::check {

struct Site {
  const exec::Instr* in = nullptr;
  const exec::Code* code = nullptr;
  std::uint32_t operation = 0;  // which launch
  bool reads = false, writes = false;
  bool strong = false;  // relaxed or more: PTX counts two of them as no race, if their scopes hold
  bool is_volatile = false;
  bool waits = false;   // it goes round until what it reads has changed
  bool copies = false;  // asynchronously
  bool mbarrier = false;
  Clocks::Order order{};
};

Scope scope_of(const ptx::Instruction& ins, Scope otherwise);

class Sites {
 public:
  // Those of one launch.
  class OfLaunch {
   public:
    explicit OfLaunch(std::uint32_t operation = 0) : operation_(operation) {}

   private:
    friend Sites;
    struct Entry {
      const exec::Instr* in = nullptr;
      std::uint32_t site = 0, kind = 0;
    };
    std::uint32_t operation_;
    std::array<Entry, 256> recent_;
    std::unordered_map<std::uint64_t, std::uint32_t> known_;
  };

  // What the instruction is in this launch.
  std::uint32_t of(OfLaunch& launch, const exec::Warp& warp, const exec::Instr& in, bool reads,
                   bool writes, bool copies);
  const Site& operator[](std::uint32_t i) const { return all_[i]; }
  // No launch runs, and the instructions of those before are forgotten.
  void clear() { all_.assign(1, {}); }

 private:
  std::vector<Site> all_{1};
};

}  // namespace emu::check

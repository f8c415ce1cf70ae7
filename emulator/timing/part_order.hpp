// SPDX-License-Identifier: MIT
// Puts the instructions of one part in order (schedule.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "counters/ptxas/instruction_kinds.hpp"
#include "machine/warp.hpp"
#include "timing/costs.hpp"

namespace emu::observe {

// What is known of the code (Schedule), by register and by instruction.
struct KnownOfCode {
  const exec::Code& code;
  std::span<const std::uint8_t> words;
  std::span<const std::size_t> written, needed;
  std::span<const Cost> costs;
};

class PartOrder {
 public:
  PartOrder(const KnownOfCode& of, std::size_t first, std::size_t end);
  void add(std::size_t i);  // in the order of the code
  // How many registers it takes as it stands.
  std::size_t registers_in_order();
  // In an order that takes at most so many registers, or as many as it takes as it stands.
  std::vector<std::size_t> run(std::size_t most);

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Value {
    std::size_t words = 0, maker = kNone, reads = 0;
    bool stays = false;  // it is needed behind the part
    std::vector<std::size_t> readers;
  };
  struct Wait {
    std::size_t before = 0;  // an instruction
    double cycles = 0;       // since it was issued
  };
  struct Node {
    std::size_t at = 0;
    double issue = 1, ready = 0;  // the second: when it was issued, or can be
    std::vector<Wait> waits;
    std::vector<std::size_t> reads, makes;  // values
    bool late = false;                      // it needs what takes long
    bool done = false;
  };
  // Stores to one kind of memory, and loads of what they may change.
  struct Memory {
    std::size_t stored = kNone;
    std::vector<std::size_t> loaded;
  };

  std::size_t value_of(std::uint32_t reg);
  void reads(std::size_t node, std::uint32_t reg, bool guards);
  void writes(std::size_t node, std::uint32_t reg);
  void keep_order(std::size_t node);
  void after(std::size_t node, std::size_t before, double cycles);
  void find_live();
  void find_early();
  bool is_held(const Node& node);
  std::size_t choose(std::size_t next, double now, bool hold);
  bool fits(const Node& node) const;
  void take(const Node& node);

  const KnownOfCode of_;
  std::size_t first_, end_;
  std::vector<std::size_t> value_;  // that each register holds
  std::vector<Value> values_;
  std::vector<Node> nodes_;
  std::size_t live_ = 0, most_ = 0;  // registers of the machine
  bool known_live_ = false;
  double soonest_ = 0;
  std::vector<std::size_t> early_;  // loads of global memory that are not late
  std::size_t next_early_ = 0;      // that has not been issued
  std::size_t guarded_until_ = 0, exchanged_ = kNone;
  std::uint32_t guard_ = ptx::kNoIndex;
  std::array<Memory, 2> memory_;
};

}  // namespace emu::observe

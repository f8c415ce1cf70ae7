// SPDX-License-Identifier: MIT
// Finds races: two accesses to the same bytes, at least one of them a write, by different threads,
// that nothing orders and that are not both atomic at a scope that holds for both.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "check/doubts.hpp"
#include "check/findings.hpp"
#include "check/words.hpp"
#include "machine/observer.hpp"
#include "shadow/clocks.hpp"
#include "shadow/orders.hpp"
#include "shadow/sectors.hpp"
#include "shadow/shadow.hpp"
#include "shadow/sites.hpp"

namespace emu::check {

class Races {
 public:
  Races(Findings& findings, std::uint32_t most)
      : findings_(findings), records_(most), most_(most) {}
  void begin(const exec::Grid& grid);
  void end();
  void start(const exec::Block& block);
  void end(const exec::Block& block);
  void access(const exec::Warp& warp, const exec::Instr& in, const observe::MemoryAccess& access);
  void fence(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes);
  void mbarrier(const exec::Warp& warp, const exec::Instr& in, const observe::MbarrierUse& use);
  std::uint64_t copying(const exec::Warp& warp, const exec::Instr& in,
                        const observe::AsyncCopy& copy);
  void copy_waited(const exec::Warp& warp, std::uint64_t copy, bool read);
  void copy_counted(const exec::Block& block, std::uint32_t offset, bool phase, std::uint64_t copy);

  // A copy or a fill, as the operation that runs now.
  void api_use(std::uint64_t begin, std::uint64_t bytes, bool writes, const std::string& api);
  // The host itself uses a byte of memory that kernels use, too.
  void host_use(std::uint64_t address, bool writes);

  Clocks clocks;
  Orders orders;

 private:
  // What is kept of the shared memory of a block.
  struct Shared {
    Shadow shadow;
    Records records;
    std::unordered_map<std::uint32_t, Message> messages;            // by offset
    std::unordered_map<std::uint32_t, std::array<View, 2>> phases;  // of mbarriers, by parity
  };
  // One instruction of a warp.
  struct Context {
    const exec::Warp& warp;
    Who me;
    std::uint32_t site;
    bool reads, writes, strong;
    std::uint32_t bytes;
    const observe::MemoryAccess* access;  // nullptr: a copy or an mbarrier
    bool wide = false;                    // strong at the scope of the GPU or wider
    std::uint32_t ordered = 0;            // a record that is known to come before all lanes
    std::uint32_t own = 0;                // a record of the same warp
  };
  struct Copy {
    std::shared_ptr<Shared> to_shared, from_shared;
    std::uint32_t to = 0, from = 0;  // records
    std::uint32_t agent = 0;
  };

  std::shared_ptr<Shared> shared_of(const exec::Block& block);
  std::uint32_t record(const Context& x, Records& records, std::uint32_t agent);
  void use(Context& x, int lane, const Place& place, std::uint32_t record, Shadow& shadow,
           Records& records);
  bool quick(Context& x, int lane, Cell& cell, Slot me, const Records& records);
  bool quick_row(Context& x, Cell* cells, std::uint32_t record, const Records& records);
  bool is_mine(Context& x, int lane, Slot slot, const Records& records);
  void use_words(Context& x, const observe::MemoryAccess& a, std::uint32_t record, Shared& shared,
                 const exec::Block* block);
  // race_global.cpp
  void use_global(Context& x, const observe::MemoryAccess& a);
  void use_row(Context& x, const observe::MemoryAccess&, std::uint64_t base, std::uint32_t record);
  void use_part(Context& x, std::uint64_t sector, Bytes bytes, const Pattern& me);
  void use_range(Context& x, int lane, std::uint64_t at, std::uint32_t bytes, std::uint32_t record);
  void use_chunks(Context& x, std::uint64_t sector, Bytes bytes, const Pattern& me);
  bool quick_piece(Context& x, Piece& piece, const Pattern& me);
  bool before(Context& x, const Pattern& other, const Pattern& me);
  // Records that no byte and no copy means any more make room; nullptr: of global memory.
  void forget_unused(Shared* shared);
  void touch(Context& x, int lane, Cell& cell, Slot me, Records& records, const Place& place);
  void insert(Context& x, int lane, Cell& cell, Slot me, Records& records);
  bool ordered(Context& x, int lane, Slot slot, const Records& records);
  bool strong(Slot slot, const Records& records) const;
  bool strong_together(const Context& x, const Record& other) const;
  bool in_step(const Context& x, const Record& other, const Place& place) const;
  bool disagree(Context& x, int lane, Slot slot, const Records& records, const Cell& cell,
                const Place& place);
  void note_waited(const Context& x, const observe::MemoryAccess& access);
  bool in_my_block(const Context& x, std::uint32_t warp) const {
    return warp - x.me.block->first_warp < clocks.warps_per_block();
  }
  bool writes_the_same(const Context& x, int lane, Slot before, const Records& records,
                       const Place& place) const;
  void found(Context& x, int lane, Slot before, const Records& records, const Place& place);
  bool is_full(const Records& records);  // which is said, once
  void say_limit(const std::string& what);
  // race_operations.cpp
  bool is_old(const Record& r) const { return r.site < sites_.first(); }
  bool forget_all();
  void meet_api(const Context& x, const observe::MemoryAccess& access);
  Slot stranger(std::uint64_t at, bool writes, bool host);
  Party party_of(Slot slot, const Place& place);
  Party party_now(const Context& x, int lane) const;
  void found_old(const Context& x, int lane, Slot before, const Place& place, bool same);
  std::size_t found_between(Finding finding, Party first, Party then);
  Finding describe(Context& x, int lane, Slot before, const Records& records, const Place& place);
  bool synchronise(Context& x, int lane, const Place& place, Shared* shared);
  std::uint32_t copy_side(const exec::Warp& warp, const exec::Instr& in,
                          const observe::AsyncCopy& copy, bool writes, std::uint32_t agent,
                          std::shared_ptr<Shared>& shared);

  Findings& findings_;
  Sites sites_;
  Pages pages_;
  Records records_;
  std::uint32_t most_;                                   // records
  bool limited_ = false;                                 // in this launch
  std::unordered_map<std::uint64_t, Message> messages_;  // of global memory, by address
  std::unordered_map<const exec::Block*, std::shared_ptr<Shared>> shared_;
  const exec::Block* last_ = nullptr;
  Shared* last_shared_ = nullptr;
  std::vector<Copy> copies_;
  std::unordered_map<std::uint32_t, KeptLaunch> launches_;  // by operation
  std::vector<ApiUse> api_, strange_api_;  // since all was known; those that a launch does not know
  std::uint32_t api_operation_ = 0;        // the last that was a copy or a fill
  const exec::Grid* grid_ = nullptr;
  std::unordered_map<std::uint64_t, std::pair<std::size_t, Reach>> told_;
  Doubts doubts_;
  struct Recent {
    std::uint32_t warp = ~0u, site = 0, record = 0;
    Time time = 0;
    const Records* records = nullptr;
  };
  std::array<Recent, 1024> recent_;
};

}  // namespace emu::check

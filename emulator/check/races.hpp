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
#include "check/race_state.hpp"
#include "check/words.hpp"
#include "machine/observer.hpp"
#include "shadow/sectors.hpp"

namespace emu::check {

class Races {
 public:
  // `several`: there are several devices, whose launches run at the same time.
  Races(Findings& findings, std::uint32_t most, bool several)
      : clocks(several), orders(several), findings_(findings), records_(most), most_(most) {}
  void begin(const exec::Grid& grid);
  void end(const exec::Grid& grid);
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
  void api_use(ApiUse use);
  void freed(std::uint64_t address, std::uint64_t bytes);
  // The host itself uses a byte of memory that kernels use, too.
  void host_use(std::uint64_t address, bool writes);

  Clocks clocks;
  Orders orders;

 private:
  using Shared = SharedShadow;
  using Context = AccessContext;

  RunningLaunch& running(const exec::Grid& grid);
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
  bool same_device(const Context& x, const Record& other) const;
  bool wide_together(const Context& x, const Record& other) const;
  bool strong_together(const Context& x, const Record& other) const;
  bool in_step(const Context& x, const Record& other, const Place& place) const;
  bool disagree(Context& x, int lane, Slot slot, const Records& records, const Cell& cell,
                const Place& place);
  void note_waited(const Context& x, const observe::MemoryAccess& access);
  bool in_my_block(const Context& x, std::uint32_t warp) const {
    return warp - x.me.block->first_warp < x.me.block->count;
  }
  bool writes_the_same(const Context& x, int lane, Slot before, const Records& records,
                       const Place& place) const;
  void found(Context& x, int lane, Slot before, const Records& records, const Place& place);
  bool is_full(const Records& records, RunningLaunch& launch);  // which is said, once
  void say_limit(RunningLaunch& launch, const std::string& what);
  void say_limit(const std::string& kernel, const std::string& what);
  // race_operations.cpp
  static bool is_other(const Context& x, const Record& r) { return !x.launch().has(r.warp); }
  bool knows_other(const Context& x, int lane, Slot slot, const Record& r) const;
  bool forget_all();
  void meet_api(const Context& x, const observe::MemoryAccess& a, const RunningLaunch& launch);
  bool is_behind(const Behind& behind, Slot slot) const;
  bool all_behind(Pages::Page& page, std::size_t sector, bool writes, const Behind& behind);
  Slot stranger(std::uint64_t at, bool writes, const Behind& behind);
  Slot stranger_in(std::uint64_t begin, std::uint64_t end, bool writes, const Behind& behind,
                   std::uint64_t& at);
  Party party_of(Slot slot, const Place& place);
  Party party_now(const Context& x, int lane) const;
  Party call_party(const ApiUse& use) const;
  const ApiUse* meets_api(const ApiUse& now, const Behind& behind, std::uint64_t& row) const;
  Finding describe_other(const Context& x, int lane, Slot before, const Place& place, bool same);
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
  std::unordered_map<std::uint64_t, Message> messages_;  // of global memory, by address
  std::unordered_map<const exec::Block*, std::shared_ptr<Shared>> shared_;
  const exec::Block* last_ = nullptr;
  Shared* last_shared_ = nullptr;
  std::vector<KeptCopy> copies_;
  std::unordered_map<const exec::Grid*, std::unique_ptr<RunningLaunch>> running_;
  const exec::Grid* last_grid_ = nullptr;
  RunningLaunch* last_running_ = nullptr;
  std::vector<ApiUse> api_;          // since all was known
  std::uint32_t api_operation_ = 0;  // the last that was a copy or a fill
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

// SPDX-License-Identifier: MIT
// Checks of a program while it runs, as an observer: what is asked for, and what was found.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/findings.hpp"
#include "check/races.hpp"
#include "check/syncs.hpp"
#include "check/undefined.hpp"
#include "check/written.hpp"
#include "machine/observer.hpp"

namespace emu::check {

struct Wanted {
  bool race = false, init = false, sync = false, api = false, leak = false;
  bool several_devices = false;            // whose launches run at the same time
  std::uint32_t records = Records::kMost;  // of accesses that are told apart
};
// "race,init": those; "1" or "all": all. Nothing: a word is none of them, which is put into `wrong`.
std::optional<Wanted> parse_wanted(std::string_view text, std::string& wrong);

class Checker : public observe::Observer {
 public:
  Checker(Wanted wanted, Findings& findings);

  observe::Passes* passes(const exec::Code& code) override;
  bool wants_each(const exec::Code& code) override;
  void instruction(const exec::Warp& warp, const exec::Instr& in, LaneMask active,
                   LaneMask on) override;
  void kernel_begin(const exec::Grid& grid) override;
  void kernel_end(const exec::Grid& grid) override;
  void kernel_failed(const exec::Grid& grid) override;
  void memory(const exec::Warp& warp, const exec::Instr& in,
              const observe::MemoryAccess& access) override;
  void block_begin(const exec::Block& block) override;
  void block_end(const exec::Block& block) override;
  void met(const exec::Warp& warp, const exec::Instr& in, const observe::Meeting& meeting) override;
  void arrived(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes,
               std::uint32_t id) override;
  void completed(const exec::Block& block, std::uint32_t id) override;
  void left(const exec::Warp& warp, LaneMask lanes, std::uint32_t id) override;
  void fenced(const exec::Warp& warp, const exec::Instr& in, LaneMask lanes) override;
  void mbarrier(const exec::Warp& warp, const exec::Instr& in,
                const observe::MbarrierUse& use) override;
  std::uint64_t copying(const exec::Warp& warp, const exec::Instr& in,
                        const observe::AsyncCopy& copy) override;
  void copy_waited(const exec::Warp& warp, std::uint64_t copy, bool read) override;
  void copy_counted(const exec::Block& block, std::uint32_t offset, bool phase,
                    std::uint64_t copy) override;

  Orders* orders() { return races_ ? &races_->orders : nullptr; }
  // A call uses memory, as the operation that runs now: a copy or a fill, unless `does` says otherwise; the host itself does.
  void api_use(const Rows& rows, bool writes, const std::string& api,
               const std::string& does = {}) {
    const char* const usual = writes ? "writes it" : "reads it";
    if (races_) races_->api_use({rows, 0, writes, api, does.empty() ? usual : does});
  }
  void host_use(std::uint64_t address, bool writes) {
    if (races_) races_->host_use(address, writes);
  }
  // The host has written device memory, by a copy or a fill.
  void written(std::uint64_t address, std::uint64_t bytes);
  // An allocation is gone: whoever uses it from now on is stopped by that alone, so that nothing of it needs to be kept.
  void freed(std::uint64_t address, std::uint64_t bytes);

 private:
  Wanted wanted_;
  std::unique_ptr<Undefined> undefined_;  // nullptr: neither init nor sync was asked for
  std::unique_ptr<Written> written_;      // nullptr: not asked for
  std::unique_ptr<Races> races_;          // nullptr: not asked for
  std::unique_ptr<Syncs> syncs_;          // nullptr: not asked for
  std::unordered_map<const exec::Code*, std::vector<observe::Passes>> passes_;
  int running_ = 0;  // launches
};

}  // namespace emu::check
